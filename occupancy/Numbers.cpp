//===- occupancy/Numbers.cpp - Numbers as users write them ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Numbers.h"

#include "report/TerminalText.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <vector>

namespace cudalint {

static constexpr std::uint64_t MostOfAll = 2147483647;

std::string toString(const Shape &S) {
  if (S[1] == 1 && S[2] == 1)
    return fmt::format("{}", S[0]);
  if (S[2] == 1)
    return fmt::format("{}x{}", S[0], S[1]);
  return fmt::format("{}x{}x{}", S[0], S[1], S[2]);
}

std::uint64_t sizeOf(const Shape &S) { return S[0] * S[1] * S[2]; }

std::optional<std::uint64_t> parseCount(std::string_view Text,
                                        std::uint64_t Least, std::uint64_t Most,
                                        std::string &Error) {
  auto refuse = [&](std::string_view Why) {
    Error = fmt::format("'{}' {}; use a whole number from {} to {}",
                        printable(Text.substr(0, 40)), Why, Least, Most);
    return std::nullopt;
  };
  if (Text.empty())
    return refuse("is empty");
  if (!std::ranges::all_of(Text, [](char C) { return C >= '0' && C <= '9'; }))
    return refuse(Text.starts_with('-') ? "is negative" : "is no whole number");
  std::uint64_t Value = 0;
  const char *End = Text.data() + Text.size();
  auto [Stop, Code] = std::from_chars(Text.data(), End, Value);
  if (Code == std::errc::result_out_of_range || Value > Most)
    return refuse("is too large");
  if (Value < Least)
    return refuse("is too small");
  return Value;
}

std::optional<std::uint64_t> parseBytes(std::string_view Text,
                                        std::string &Error) {
  struct Suffix {
    std::string_view Name;
    std::uint64_t Factor;
  };
  // The longest of those that end alike first.
  static constexpr Suffix Suffixes[] = {
      {"kib", 1024}, {"mib", 1048576}, {"kb", 1024}, {"mb", 1048576},
      {"k", 1024},   {"m", 1048576},   {"b", 1}};
  std::string Lower(Text);
  std::ranges::transform(Lower, Lower.begin(), [](char C) {
    return C >= 'A' && C <= 'Z' ? static_cast<char>(C - 'A' + 'a') : C;
  });
  std::uint64_t Factor = 1;
  std::string_view Digits = Text;
  for (const Suffix &Each : Suffixes)
    if (Lower.size() > Each.Name.size() && Lower.ends_with(Each.Name)) {
      Digits.remove_suffix(Each.Name.size());
      Factor = Each.Factor;
      break;
    }
  std::optional<std::uint64_t> Value =
      parseCount(Digits, 0, MostOfAll / Factor, Error);
  if (!Value) {
    Error = fmt::format("'{}' is no number of bytes up to {}; write 36864 or "
                        "36K",
                        printable(Text.substr(0, 40)), MostOfAll);
    return std::nullopt;
  }
  return *Value * Factor;
}

std::optional<Shape> parseShape(std::string_view Text, std::string &Error) {
  std::vector<std::string_view> Parts;
  for (std::string_view Rest = Text;;) {
    std::size_t End = Rest.find_first_of(",xX");
    Parts.push_back(Rest.substr(0, End));
    if (End == Rest.npos)
      break;
    Rest.remove_prefix(End + 1);
  }
  if (Parts.size() > 3) {
    Error = fmt::format("'{}' has {} dimensions; write X[,Y[,Z]]",
                        printable(Text.substr(0, 40)), Parts.size());
    return std::nullopt;
  }
  Shape Result = {1, 1, 1};
  std::uint64_t Size = 1;
  for (std::size_t I = 0; I != Parts.size(); ++I) {
    std::optional<std::uint64_t> Value =
        parseCount(Parts[I], 1, MostOfAll, Error);
    if (!Value)
      return std::nullopt;
    Result[I] = *Value;
    if (__builtin_mul_overflow(Size, *Value, &Size) ||
        Size > std::uint64_t(INT64_MAX)) {
      Error = fmt::format("'{}' is too large: more than 2^63 in all",
                          printable(Text.substr(0, 40)));
      return std::nullopt;
    }
  }
  return Result;
}

} // namespace cudalint
