//===- runtime/ncu/ExportLine.cpp - A line of an export of ncu ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/ncu/ExportLine.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace cudalint::ncu {

Fault::Fault(std::size_t Line, const std::string &What)
    : std::runtime_error(fmt::format("line {}: {}", Line, What)) {}

/// A field that a message quotes.
static std::string quoted(std::string_view Field) {
  constexpr std::size_t Most = 40;
  return fmt::format("'{}{}'", Field.substr(0, Most),
                     Field.size() > Most ? "..." : "");
}

static void take(std::vector<std::string_view> &Out, std::string_view Field,
                 std::size_t Number) {
  if (Out.size() == MostColumns)
    throw Fault(Number, fmt::format("more than {} columns: this is no page of "
                                    "ncu",
                                    MostColumns));
  Out.push_back(Field);
}

static std::vector<std::string_view> quotedFields(std::string_view Line,
                                                  std::size_t Number) {
  std::vector<std::string_view> Out;
  Line.remove_prefix(1);
  // The line of a kernel's name ends with a comma.
  if (Line.ends_with("\","))
    Line.remove_suffix(1);
  if (!Line.ends_with('"'))
    throw Fault(Number, "the last field has no end: was the file cut off?");
  Line.remove_suffix(1);
  for (std::size_t At; (At = Line.find("\",\"")) != Line.npos;
       Line.remove_prefix(At + 3))
    take(Out, Line.substr(0, At), Number);
  take(Out, Line, Number);
  return Out;
}

static std::vector<std::string_view> plainFields(std::string_view Line,
                                                 std::size_t Number) {
  std::vector<std::string_view> Out;
  while (true) {
    std::size_t End = Line.find(',');
    // A spreadsheet puts quotes only where they are needed.
    if (Line.starts_with('"')) {
      std::size_t Close = Line.find('"', 1);
      while (Close != Line.npos && Line.substr(Close + 1).starts_with('"'))
        Close = Line.find('"', Close + 2);
      if (Close == Line.npos)
        throw Fault(Number, "a field has no end: was the file cut off?");
      take(Out, Line.substr(1, Close - 1), Number);
      End = Line.find(',', Close);
    } else {
      take(Out, Line.substr(0, End), Number);
    }
    if (End == Line.npos)
      return Out;
    Line.remove_prefix(End + 1);
  }
}

std::vector<std::string_view> fieldsOf(std::string_view Line,
                                       std::size_t Number, std::size_t Columns,
                                       std::size_t Wordy) {
  const bool IsQuoted = Line.starts_with('"');
  std::vector<std::string_view> Out =
      IsQuoted ? quotedFields(Line, Number) : plainFields(Line, Number);
  if (!IsQuoted || Columns == 0 || Out.size() <= Columns || Wordy >= Columns)
    return Out;
  const std::size_t Surplus = Out.size() - Columns;
  const std::string_view First = Out[Wordy], Last = Out[Wordy + Surplus];
  Out[Wordy] = {First.data(), Last.data() + Last.size()};
  const auto From = Out.begin() + static_cast<std::ptrdiff_t>(Wordy) + 1;
  Out.erase(From, From + static_cast<std::ptrdiff_t>(Surplus));
  return Out;
}

std::optional<std::string_view> Lines::next() {
  if (Rest.empty())
    return std::nullopt;
  ++Number;
  const std::size_t End = Rest.find('\n');
  Open = End == Rest.npos;
  std::string_view Line = Rest.substr(0, End);
  Rest.remove_prefix(Open ? Rest.size() : End + 1);
  if (Line.ends_with('\r'))
    Line.remove_suffix(1);
  if (Line.find('\0') != Line.npos)
    throw Fault(Number, "bytes that are no text: this is no export of ncu");
  return Line;
}

static bool isUnknown(std::string_view Field) {
  return Field.empty() || Field == "-" || Field == "n/a" || Field == "N/A";
}

/// Digits of a number without the commas between its thousands; nothing where
/// they stand elsewhere.
static std::optional<std::string> withoutCommas(std::string_view Field) {
  const std::size_t Point = std::min(Field.find('.'), Field.size());
  std::string Out;
  for (std::size_t I = 0; I != Field.size(); ++I) {
    if (Field[I] != ',') {
      Out += Field[I];
      continue;
    }
    if (I == 0 || I >= Point || (Point - I) % 4 != 0)
      return std::nullopt;
  }
  return Out;
}

std::optional<double> figureOf(std::string_view Field, std::string_view Column,
                               std::size_t Line) {
  if (isUnknown(Field))
    return std::nullopt;
  double Value = 0;
  // from_chars would take nan, inf and hexadecimal digits.
  const std::optional<std::string> Digits =
      Field.find_first_not_of("0123456789.,e+-") == Field.npos
          ? withoutCommas(Field)
          : std::nullopt;
  if (Digits) {
    const char *End = Digits->data() + Digits->size();
    auto [Stop, Code] = std::from_chars(Digits->data(), End, Value);
    if (Code == std::errc() && Stop == End && std::isfinite(Value) &&
        Value >= 0)
      return Value;
  }
  throw Fault(Line, fmt::format("column '{}' is {}, which is no number from 0; "
                                "export it again with LC_ALL=C",
                                Column, quoted(Field)));
}

std::optional<std::uint64_t>
countOf(std::string_view Field, std::string_view Column, std::size_t Line) {
  if (isUnknown(Field))
    return std::nullopt;
  std::uint64_t Value = 0;
  std::optional<std::string> Digits = withoutCommas(Field);
  if (Digits) {
    // --print-fp shows 12 as 12.000000.
    if (const std::size_t Point = Digits->find('.');
        Point != Digits->npos && Point != 0 &&
        Digits->find_first_not_of('0', Point + 1) == Digits->npos)
      Digits->resize(Point);
    const char *End = Digits->data() + Digits->size();
    auto [Stop, Code] = std::from_chars(Digits->data(), End, Value);
    if (Code == std::errc() && Stop == End)
      return Value;
  }
  throw Fault(Line, fmt::format("column '{}' is {}, which is no count; export "
                                "it again with LC_ALL=C",
                                Column, quoted(Field)));
}

} // namespace cudalint::ncu
