//===- report/page/HtmlText.cpp - Text as the page has it -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/HtmlText.h"

#include "report/Phrase.h"
#include "report/TerminalText.h"
#include "report/XmlText.h"

#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace cudalint {

std::string html(std::string_view Text) {
  return escapedForXml(printable(Text));
}

static bool isWordAt(std::string_view Text, std::size_t I) {
  return I < Text.size() && std::isalnum(static_cast<unsigned char>(Text[I]));
}

std::string htmlWithNames(std::string_view Text) {
  std::string Out;
  while (!Text.empty()) {
    // Not the apostrophe of a word.
    std::size_t Open = Text.find('\'');
    while (Open != Text.npos && Open != 0 && isWordAt(Text, Open - 1))
      Open = Text.find('\'', Open + 1);
    std::size_t Close = Open == Text.npos ? Open : Text.find('\'', Open + 1);
    while (Close != Text.npos && isWordAt(Text, Close + 1))
      Close = Text.find('\'', Close + 1);
    if (Close == Text.npos)
      break;
    Out += html(Text.substr(0, Open));
    Out += fmt::format("<code>{}</code>",
                       html(Text.substr(Open + 1, Close - Open - 1)));
    Text.remove_prefix(Close + 1);
  }
  return Out + html(Text);
}

std::string figure(double Value) {
  if (std::abs(Value) < 1000)
    return number(Value);
  std::string Digits = fmt::format("{:.0f}", Value);
  const std::size_t First = Digits.front() == '-' ? 1 : 0;
  for (std::size_t I = Digits.size(); I > First + 3;) {
    I -= 3;
    Digits.insert(I, ",");
  }
  return Digits;
}

std::string placeText(const Location &Where, const ReportPlaces &Places) {
  if (Where.File.empty())
    return {};
  std::string Out = html(pathIn(Places, Where.File).Name);
  if (Where.Line)
    Out += fmt::format(":{}", Where.Line);
  return Out;
}

void addFact(std::string &List, std::string_view Name, std::string_view Value) {
  List += fmt::format("<div><dt>{}<dd>{}</div>", Name, Value);
}

} // namespace cudalint
