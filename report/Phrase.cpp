//===- report/Phrase.cpp - A clause and its values ------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Phrase.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cudalint {

std::string number(double Value) {
  const double Tenths = std::round(Value * 10);
  if (std::fmod(Tenths, 10) == 0)
    return fmt::format("{:.0f}", Tenths / 10);
  return fmt::format("{:.1f}", Tenths / 10);
}

std::string countOf(double Number, std::string_view Noun) {
  const char *Ending = Number == 1 ? "" : Noun.ends_with("ch") ? "es" : "s";
  return fmt::format("{} {}{}", number(Number), Noun, Ending);
}

const NamedValue *Phrase::find(std::string_view Name) const {
  const auto Found = std::ranges::find(Values, Name, &NamedValue::Name);
  return Found == Values.end() ? nullptr : &*Found;
}

/// Calls \p OnText for the text between the values of \p Said, and \p OnValue
/// for each with the noun that it counts, which may be empty.
template <typename TextFunction, typename ValueFunction>
static void forEachPart(const Phrase &Said, TextFunction OnText,
                        ValueFunction OnValue) {
  std::string_view Left = Said.Text;
  std::size_t From = 0;
  while ((From = Left.find('{', From)) != Left.npos) {
    const std::size_t End = Left.find('}', From);
    if (End == Left.npos)
      break;
    const std::string_view Inside = Left.substr(From + 1, End - From - 1);
    const std::size_t Space = std::min(Inside.find(' '), Inside.size());
    const NamedValue *Found = Said.find(Inside.substr(0, Space));
    if (!Found) {
      ++From;
      continue;
    }
    OnText(Left.substr(0, From));
    OnValue(*Found, Inside.substr(std::min(Space + 1, Inside.size())));
    Left.remove_prefix(End + 1);
    From = 0;
  }
  OnText(Left);
}

std::string inWords(const Phrase &Said) {
  std::string Out;
  forEachPart(
      Said, [&](std::string_view Text) { Out += Text; },
      [&](const NamedValue &Each, std::string_view Noun) {
        if (const auto *Name = std::get_if<std::string>(&Each.What))
          Out += *Name;
        else if (const double Number = std::get<double>(Each.What);
                 Noun.empty())
          Out += number(Number);
        else
          Out += countOf(Number, Noun);
      });
  return Out;
}

Phrase &Phrase::append(std::string_view Between, const Phrase &Next) {
  if (Next.isEmpty())
    return *this;
  if (isEmpty())
    return *this = Next;
  std::string Added(Between);
  forEachPart(
      Next, [&](std::string_view Part) { Added += Part; },
      [&](const NamedValue &Each, std::string_view Noun) {
        NamedValue Own = Each;
        for (unsigned I = 2; find(Own.Name) && *find(Own.Name) != Own; ++I)
          Own.Name = fmt::format("{}_{}", Each.Name, I);
        Added +=
            fmt::format("{{{}{}{}}}", Own.Name, Noun.empty() ? "" : " ", Noun);
        if (!find(Own.Name))
          Values.push_back(std::move(Own));
      });
  Text += Added;
  return *this;
}

} // namespace cudalint
