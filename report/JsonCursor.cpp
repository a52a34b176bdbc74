//===- report/JsonCursor.cpp - Reads foreign JSON with care ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonCursor.h"

#include <cmath>
#include <fmt/format.h>

namespace cudalint {

void checkLength(std::string_view Text, const JsonLimits &Limits) {
  if (Text.find_first_not_of(" \t\r\n") == Text.npos)
    throw JsonFault("is empty");
  if (Text.size() > Limits.Bytes)
    throw JsonFault(fmt::format("has {} bytes; the most that is read is {}",
                                Text.size(), Limits.Bytes));
}

/// Counts brackets and commas outside strings before a tree is built of them.
static void checkLimits(std::string_view Text, const JsonLimits &Limits) {
  std::size_t Values = 1;
  unsigned Depth = 0;
  bool InString = false;
  for (std::size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (InString) {
      if (C == '\\')
        ++I;
      else if (C == '"')
        InString = false;
      continue;
    }
    if (C == '"')
      InString = true;
    else if (C == '[' || C == '{') {
      ++Values;
      if (++Depth > Limits.Depth)
        throw JsonFault(fmt::format("is nested deeper than {} levels at "
                                    "byte {}",
                                    Limits.Depth, I));
    } else if ((C == ']' || C == '}') && Depth != 0)
      --Depth;
    else if (C == ',' && ++Values > Limits.Values)
      throw JsonFault(fmt::format("has more than {} values", Limits.Values));
  }
}

std::string wordsOfParser(std::string_view What) {
  // "[json.exception.parse_error.101] parse error at line 1, …"
  if (std::size_t End = What.find("] "); End != What.npos)
    What.remove_prefix(End + 2);
  return fmt::format("is not JSON: {}", What.substr(0, 200));
}

nlohmann::json parseJson(std::string_view Text, const JsonLimits &Limits) {
  checkLength(Text, Limits);
  checkLimits(Text, Limits);
  try {
    return nlohmann::json::parse(Text);
  } catch (const nlohmann::json::exception &E) {
    throw JsonFault(wordsOfParser(E.what()));
  }
}

std::string JsonCursor::pointer() const {
  if (!Parent)
    return {};
  if (!Key)
    return fmt::format("{}/{}", Parent->pointer(), Index);
  return fmt::format("{}/{}", Parent->pointer(), Key);
}

void JsonCursor::fail(const std::string &Message) const {
  std::string Where = pointer();
  throw JsonFault(Where.empty() ? Message
                                : fmt::format("{}: {}", Where, Message));
}

void JsonCursor::mustBe(const char *Type) const {
  if (!Value)
    fail("is missing");
  fail(fmt::format("is not {}", Type));
}

void JsonCursor::requireArray() const {
  if (!isArray())
    mustBe("an array");
}

void JsonCursor::requireObject() const {
  if (!isObject())
    mustBe("an object");
}

JsonCursor JsonCursor::operator[](const char *Key) const {
  requireObject();
  auto Found = Value->find(Key);
  return JsonCursor(Found == Value->end() ? nullptr : &*Found, this, Key, 0);
}

JsonCursor JsonCursor::item(std::size_t Index, std::size_t Size) const {
  requireArray();
  if (Value->size() != Size)
    fail(fmt::format("has {} items, not {}", Value->size(), Size));
  return JsonCursor(&(*Value)[Index], this, nullptr, Index);
}

std::string JsonCursor::text() const {
  if (!Value || !Value->is_string())
    mustBe("a string");
  return Value->get_ref<const std::string &>();
}

std::string JsonCursor::textOrNull() const {
  return isNull() ? std::string() : text();
}

bool JsonCursor::flag() const {
  if (!Value || !Value->is_boolean())
    mustBe("true or false");
  return Value->get<bool>();
}

double JsonCursor::figure() const {
  if (!Value || !Value->is_number())
    mustBe("a number");
  auto Figure = Value->get<double>();
  if (!std::isfinite(Figure) || Figure < 0)
    fail("is negative or not finite");
  return Figure;
}

std::optional<double> JsonCursor::figureOrNull() const {
  return isNull() ? std::nullopt : std::optional<double>(figure());
}

std::int64_t JsonCursor::integer() const {
  if (Value && Value->is_number_unsigned()) {
    auto Number = Value->get<std::uint64_t>();
    if (Number <= static_cast<std::uint64_t>(INT64_MAX))
      return static_cast<std::int64_t>(Number);
    fail("is too large");
  }
  if (!Value || !Value->is_number_integer())
    mustBe("a whole number");
  return Value->get<std::int64_t>();
}

std::optional<std::int64_t> JsonCursor::integerOrNull() const {
  return isNull() ? std::nullopt : std::optional<std::int64_t>(integer());
}

std::uint64_t JsonCursor::countUpTo(std::uint64_t Most) const {
  if (!Value || !Value->is_number())
    mustBe("a whole number");
  std::uint64_t Count = 0;
  if (Value->is_number_unsigned()) {
    Count = Value->get<std::uint64_t>();
  } else {
    // 12.0 counts as whole; 2^53 is where doubles stop to be exact.
    auto Figure = Value->get<double>();
    if (!(Figure >= 0) || Figure > 9007199254740992.0 ||
        Figure != std::floor(Figure))
      fail("is not a whole number from 0 on");
    Count = static_cast<std::uint64_t>(Figure);
  }
  if (Count > Most)
    fail(fmt::format("is {}, more than {}", Count, Most));
  return Count;
}

} // namespace cudalint
