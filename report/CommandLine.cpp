//===- report/CommandLine.cpp - Mistakes in any command -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/CommandLine.h"

#include "report/TerminalText.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace fs = std::filesystem;

namespace cudalint {

std::optional<std::string>
whyValueIsMissing(std::span<const std::string> Arguments) {
  for (const std::string &Argument : Arguments) {
    if (Argument == "--")
      break;
    if (Argument.starts_with("--") &&
        Argument.find('=') == Argument.size() - 1) {
      std::string Name = printable(Argument.substr(0, Argument.size() - 1));
      return fmt::format("{} has an empty value; write one behind the =, or "
                         "leave {} out",
                         Name, Name);
    }
  }
  return std::nullopt;
}

std::string whyRefused(std::string_view Words) {
  static constexpr std::string_view Required = ": 1 required ";
  static constexpr std::string_view Missing = " missing";
  const std::size_t At = Words.find(Required);
  if (At == std::string_view::npos || !Words.ends_with(Missing))
    return std::string(Words);
  const std::string_view Option = Words.substr(0, At);
  Words.remove_prefix(At + Required.size());
  Words.remove_suffix(Missing.size());
  return fmt::format("{} needs a value: {} {}", Option, Option, Words);
}

/// By device and inode, so that a hard link counts as well.
static bool areSame(const fs::path &A, const fs::path &B) {
  std::error_code Error;
  return fs::equivalent(A, B, Error) && !Error;
}

std::optional<std::string>
whyOutputIsInput(const std::string &Output,
                 std::span<const std::string> Inputs) {
  auto refuse = [&](const std::string &Input) {
    std::string Words =
        Input == Output ? "it is an input, which the report would replace"
                        : fmt::format("it is the same file as the input '{}', "
                                      "which the report would replace",
                                      printable(Input));
    return fmt::format("cannot write '{}': {}; name another file",
                       printable(Output), Words);
  };
  std::error_code Error;
  // Nothing is lost where nothing is kept.
  if (Output == "-" || !fs::is_regular_file(Output, Error))
    return std::nullopt;
  for (const std::string &Input : Inputs) {
    if (areSame(Output, Input))
      return refuse(Input);
    if (!fs::is_directory(Input, Error))
      continue;
    for (fs::directory_iterator It(Input, Error), End; !Error && It != End;
         It.increment(Error))
      if (areSame(Output, It->path()))
        return refuse(It->path().string());
  }
  return std::nullopt;
}

} // namespace cudalint
