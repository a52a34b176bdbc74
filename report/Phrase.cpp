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
  const char *Ending = Number == 1                                   ? ""
                       : Noun.ends_with("ch") || Noun.ends_with("x") ? "es"
                                                                     : "s";
  return fmt::format("{} {}{}", number(Number), Noun, Ending);
}

const NamedValue *Phrase::find(std::string_view Name) const {
  const auto Found = std::ranges::find(Values, Name, &NamedValue::Name);
  return Found == Values.end() ? nullptr : &*Found;
}

std::optional<double> Phrase::number(std::string_view Name) const {
  const NamedValue *Found = find(Name);
  const double *Value = Found ? std::get_if<double>(&Found->What) : nullptr;
  return Value ? std::optional(*Value) : std::nullopt;
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

static bool isLower(char C) { return C >= 'a' && C <= 'z'; }
static bool isLetterOrBlank(char C) { return isLower(C) || C == ' '; }

/// `traffic`, `strided-lanes`, with '_' in place of '-' for names.
static bool isWords(std::string_view Text, char Between) {
  return !Text.empty() && isLower(Text.front()) && Text.back() != Between &&
         std::ranges::all_of(Text, [&](char C) {
           return isLower(C) || isDecimal(C) || C == Between;
         });
}

std::string faultOf(const Phrase &Said) {
  if (Said.isEmpty())
    return Said.Text.empty() && Said.Values.empty()
               ? std::string()
               : fmt::format("'{}' has no identity", Said.Text);
  if (!isWords(Said.Id, '-'))
    return fmt::format("the identity '{}' is not in kebab case", Said.Id);
  for (std::size_t I = 0; I != Said.Values.size(); ++I) {
    const std::string &Name = Said.Values[I].Name;
    if (!isWords(Name, '_'))
      return fmt::format("the name '{}' is not in snake case", Name);
    if (Said.find(Name) != &Said.Values[I])
      return fmt::format("two values are named '{}'", Name);
  }
  // What is left is text, unless it looks like the place of a value.
  std::string Fault;
  forEachPart(
      Said,
      [&](std::string_view Text) {
        for (std::size_t Open; (Open = Text.find('{')) != Text.npos;) {
          Text.remove_prefix(Open + 1);
          const std::string_view Place = Text.substr(0, Text.find('}'));
          const std::size_t Space = std::min(Place.find(' '), Place.size());
          const std::string_view Name = Place.substr(0, Space);
          if (Place.size() != Text.size() && isWords(Name, '_') &&
              std::ranges::all_of(Place.substr(Space), isLetterOrBlank))
            Fault = fmt::format("no value is named '{}'", Name);
        }
      },
      [](const NamedValue &, std::string_view) {});
  return Fault;
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
