//===- report/JsonItems.cpp - Reads a long JSON list item by item ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonItems.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

using SortedJson = nlohmann::json;

namespace cudalint {
namespace {

/// One value with all that is in it, put together from the parser's calls.
class Tree {
public:
  /// Each returns whether the value is complete.
  bool add(SortedJson Value) {
    place(std::move(Value));
    return Open.empty();
  }
  bool open(SortedJson Container) {
    Open.push_back(place(std::move(Container)));
    return false;
  }
  bool close() {
    Open.pop_back();
    return Open.empty();
  }
  /// Returns what is wrong with the key, or nothing.
  std::optional<std::string> setKey(std::string Name) {
    if (Open.back()->contains(Name))
      return fmt::format("has the key '{}' twice", Name.substr(0, 40));
    Key = std::move(Name);
    return std::nullopt;
  }
  SortedJson take() {
    Values = 0;
    return std::move(Whole);
  }
  std::size_t size() const { return Values; }

private:
  SortedJson *place(SortedJson Value) {
    ++Values;
    if (Open.empty())
      return &(Whole = std::move(Value));
    // What is open is the last of its parent, and never moves.
    if (Open.back()->is_array())
      return &Open.back()->emplace_back(std::move(Value));
    return &((*Open.back())[Key] = std::move(Value));
  }

  SortedJson Whole;
  std::vector<SortedJson *> Open; ///< From Whole inwards.
  std::string Key;
  std::size_t Values = 0;
};

/// What the parser of nlohmann calls. It keeps no stack but a bit for each
/// level.
class ItemReader : public nlohmann::json_sax<SortedJson> {
public:
  ItemReader(const JsonList &Wanted, const JsonLimits &Limits,
             const std::function<void(const JsonCursor &)> &Take)
      : Wanted(Wanted), Limits(Limits), Take(Take) {}

  SortedJson takeRoot() { return std::move(Root); }

  bool null() override { return add(nullptr); }
  bool boolean(bool Value) override { return add(Value); }
  bool number_integer(number_integer_t Value) override { return add(Value); }
  bool number_unsigned(number_unsigned_t Value) override { return add(Value); }
  bool number_float(number_float_t Value, const string_t &) override {
    return add(Value);
  }
  bool string(string_t &Value) override { return add(std::move(Value)); }
  bool binary(binary_t &) override { return true; } // JSON has none.

  bool start_object(std::size_t) override { return open(SortedJson::object()); }
  bool start_array(std::size_t) override { return open(SortedJson::array()); }
  bool key(string_t &Name) override;
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t, const std::string &,
                   const nlohmann::detail::exception &Fault) override {
    throw JsonFault(wordsOfParser(Fault.what()));
  }

private:
  /// What the next value is, or is a part of.
  enum class Part { Root, Kept, Skipped, Item };

  bool add(SortedJson Value);
  bool open(SortedJson Container);
  bool close();
  void finish();
  void checkSize() const;
  [[noreturn]] void fail(const std::string &Message) const;

  const JsonList &Wanted;
  const JsonLimits &Limits;
  const std::function<void(const JsonCursor &)> &Take;

  SortedJson Root;
  Part Now = Part::Root;
  std::string Member; ///< The key of what is kept.
  Tree Value;         ///< What is kept, or the item, as far as it is read.
  unsigned Depth = 0;
  unsigned ListDepth = 0; ///< Depth of the items; 0 outside the list.
  std::size_t Index = 0;  ///< Of the item.
};

} // namespace

void ItemReader::fail(const std::string &Message) const {
  const JsonCursor Whole(Root);
  if (Now == Part::Item)
    (ListDepth == 1 ? Whole : Whole[Wanted.Name])
        .itemNotKept(Index, Root)
        .fail(Message);
  if (Now == Part::Kept)
    Whole[Member.c_str()].fail(Message);
  throw JsonFault(Message);
}

void ItemReader::checkSize() const {
  if (Value.size() > MostItemValues)
    fail(fmt::format("has more than {} values", MostItemValues));
}

/// The value of a member or an item is complete.
void ItemReader::finish() {
  if (Now == Part::Kept) {
    Root[Member] = Value.take();
    Now = Part::Root;
    return;
  }
  const SortedJson Item = Value.take();
  const JsonCursor Whole(Root);
  const JsonCursor List = ListDepth == 1 ? Whole : Whole[Wanted.Name];
  Take(List.itemNotKept(Index, Item));
  ++Index;
}

bool ItemReader::add(SortedJson Scalar) {
  if (Now == Part::Root)
    Root = std::move(Scalar); // The reader will want something else.
  else if (Now == Part::Skipped)
    Now = Depth == 1 ? Part::Root : Part::Skipped;
  else if (Value.add(std::move(Scalar)))
    finish();
  checkSize();
  return true;
}

bool ItemReader::open(SortedJson Container) {
  const bool IsArray = Container.is_array();
  if (++Depth > Limits.Depth)
    throw JsonFault(
        fmt::format("is nested deeper than {} levels", Limits.Depth));
  if (Now == Part::Skipped)
    return true;
  const bool IsList =
      IsArray && ((Depth == 1 && Now == Part::Root) ||
                  (Depth == 2 && Now == Part::Kept && Member == Wanted.Name));
  if (IsList) {
    (Depth == 1 ? Root : Root[Member]) = std::move(Container);
    ListDepth = Depth;
    Now = Part::Item;
  } else if (Now == Part::Root) {
    Root = std::move(Container);
  } else {
    Value.open(std::move(Container));
    checkSize();
  }
  return true;
}

bool ItemReader::close() {
  const unsigned Closed = Depth--;
  if (Now == Part::Skipped) {
    Now = Closed == 2 ? Part::Root : Part::Skipped;
  } else if (Now == Part::Item && Closed == ListDepth) {
    Now = Part::Root;
    ListDepth = 0;
  } else if (Now != Part::Root && Value.close()) {
    finish();
  }
  return true;
}

bool ItemReader::key(string_t &Name) {
  if (Now == Part::Skipped)
    return true;
  if (Now != Part::Root) {
    if (std::optional<std::string> Fault = Value.setKey(std::move(Name)))
      fail(*Fault);
    return true;
  }
  const bool IsKept = Name == Wanted.Name ||
                      std::ranges::find(Wanted.Kept, Name) != Wanted.Kept.end();
  if (IsKept && Root.contains(Name))
    fail(fmt::format("has the key '{}' twice", Name));
  Now = IsKept ? Part::Kept : Part::Skipped;
  Member = std::move(Name);
  return true;
}

SortedJson readJsonItems(std::string_view Text, const JsonList &Wanted,
                         const std::function<void(const JsonCursor &)> &Take,
                         const JsonLimits &Limits) {
  checkLength(Text, Limits);
  ItemReader Reader(Wanted, Limits, Take);
  SortedJson::sax_parse(Text, &Reader);
  return Reader.takeRoot();
}

} // namespace cudalint
