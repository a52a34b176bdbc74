//===- analyzer/resources/PtxasWords.cpp - Words of ptxas -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/PtxasWords.h"

#include <charconv>

namespace cudalint {

std::string_view trimmed(std::string_view Text) {
  std::size_t Start = Text.find_first_not_of(" \t\r");
  if (Start == std::string_view::npos)
    return {};
  return Text.substr(Start, Text.find_last_not_of(" \t\r") - Start + 1);
}

std::optional<std::uint64_t> consumeNumber(std::string_view &Text,
                                           std::uint64_t Most) {
  std::uint64_t Sum = 0;
  for (;;) {
    std::uint64_t Value = 0;
    auto [End, Code] =
        std::from_chars(Text.data(), Text.data() + Text.size(), Value);
    if (Code != std::errc() || Value > Most)
      return std::nullopt;
    Sum += Value;
    Text.remove_prefix(static_cast<std::size_t>(End - Text.data()));
    if (!Text.starts_with("+"))
      break;
    Text.remove_prefix(1);
  }
  return Sum > Most ? std::nullopt : std::optional(Sum);
}

std::optional<std::string_view> behind(std::string_view Tool,
                                       std::string_view Line) {
  auto skip = [](std::string_view &Text, std::string_view What) {
    std::size_t Start = Text.find_first_not_of(What);
    Text.remove_prefix(Start == std::string_view::npos ? Text.size() : Start);
  };
  for (std::size_t At = Line.find(Tool); At != std::string_view::npos;
       At = Line.find(Tool, At + 1)) {
    std::string_view Rest = Line.substr(At + Tool.size());
    skip(Rest, " \t:");
    if (!Rest.starts_with("info"))
      continue;
    Rest.remove_prefix(4);
    skip(Rest, " \t");
    if (!Rest.starts_with(":"))
      continue;
    Rest.remove_prefix(1);
    return trimmed(Rest);
  }
  return std::nullopt;
}

std::string withoutEscapes(std::string_view Line) {
  std::string Result;
  Result.reserve(Line.size());
  for (std::size_t I = 0; I < Line.size(); ++I) {
    if (Line[I] != '\x1b') {
      Result += Line[I];
      continue;
    }
    if (I + 1 < Line.size() && Line[I + 1] == '[') {
      I += 2;
      while (I < Line.size() && (Line[I] < '@' || Line[I] > '~'))
        ++I;
    }
  }
  return Result;
}

bool saysNothingOfKernels(std::string_view Text) {
  for (std::string_view Start :
       {"Compile time", "Potential Performance Loss", "Overriding", "("})
    if (Text.starts_with(Start))
      return true;
  return Text.find(" bytes gmem") != std::string_view::npos ||
         Text.find(" bytes cmem") != std::string_view::npos;
}

bool mayBeOutput(std::string_view Line) {
  if (Line.find(" registers") != std::string_view::npos)
    return true;
  for (std::string_view Tool : {"ptxas", "nvlink"}) {
    std::size_t At = Line.find(Tool);
    // Not of a command: -Xptxas, bin/ptxas.
    if (At == std::string_view::npos ||
        (At != 0 && Line[At - 1] != ' ' && Line[At - 1] != '\t'))
      continue;
    std::string_view Rest = Line.substr(At + Tool.size());
    std::size_t Word = Rest.find_first_not_of(" \t:");
    Rest.remove_prefix(Word == std::string_view::npos ? Rest.size() : Word);
    return !Rest.empty() && !Rest.starts_with("-") &&
           !Rest.starts_with("warning") && !Rest.starts_with("error") &&
           !Rest.starts_with("fatal");
  }
  return false;
}

std::optional<ComputeCapability> readArchitecture(std::string_view Name,
                                                  bool &Specific) {
  if (!Name.starts_with("sm_"))
    return std::nullopt;
  Name.remove_prefix(3);
  std::optional<std::uint64_t> Number = consumeNumber(Name, 9999);
  if (!Number || *Number < 10)
    return std::nullopt;
  Specific = Name.starts_with("a") || Name.starts_with("f");
  return ComputeCapability{static_cast<int>(*Number / 10),
                           static_cast<int>(*Number % 10)};
}

} // namespace cudalint
