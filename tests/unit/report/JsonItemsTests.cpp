//===- tests/unit/report/JsonItemsTests.cpp - Long lists ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonItems.h"

#include <gmock/gmock.h>

namespace JsonItemsTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Json = nlohmann::json;

namespace {
struct Read {
  Json Root;
  std::vector<Json> Items;
  std::vector<std::string> Places;
  std::string Fault;
};
} // namespace

static constexpr const char *Kept[] = {"schema", "also"};

static Read read(std::string_view Text, const JsonLimits &Limits = {}) {
  Read Out;
  try {
    Out.Root = readJsonItems(
        Text, {.Name = "list", .Kept = Kept},
        [&](const JsonCursor &Item) {
          Out.Places.push_back(Item.pointer());
          Out.Items.push_back(Item.isObject()
                                  ? Json(Item["a"].integer())
                                  : Json(Item.isNull() ? -1 : Item.integer()));
        },
        Limits);
  } catch (const JsonFault &Fault) {
    Out.Fault = Fault.what();
  }
  return Out;
}

TEST(JsonItems, ItemsOfAMember) {
  Read R = read(R"({"skip": [[{"list": [9]}], {}], "list": [{"a": 1}, 2, null],
                    "more": {"list": [7]}, "schema": "s", "n": 1})");
  EXPECT_EQ(R.Fault, "");
  EXPECT_THAT(R.Items, ElementsAre(1, 2, -1));
  EXPECT_THAT(R.Places, ElementsAre("/list/0", "/list/1", "/list/2"));
  EXPECT_EQ(R.Root, Json::parse(R"({"list": [], "schema": "s"})"));
}

TEST(JsonItems, ItemsOfAListAlone) {
  Read R = read(R"([{"a": 1}, {"a": 2, "b": [1, [2]]}])");
  EXPECT_EQ(R.Fault, "");
  EXPECT_THAT(R.Items, ElementsAre(1, 2));
  EXPECT_THAT(R.Places, ElementsAre("/0", "/1"));
  EXPECT_EQ(R.Root, Json::array());
}

TEST(JsonItems, WhatIsKeptIsWhole) {
  Read R = read(R"({"also": {"x": [1, {"y": null}]}, "schema": [[]]})");
  EXPECT_EQ(R.Fault, "");
  EXPECT_EQ(
      R.Root,
      Json::parse(R"({"also": {"x": [1, {"y": null}]}, "schema": [[]]})"));
}

TEST(JsonItems, RootsWithoutAList) {
  EXPECT_EQ(read("17").Root, 17);
  EXPECT_EQ(read("{}").Root, Json::object());
  // The reader sees that it is no list.
  EXPECT_EQ(read(R"({"list": 5})").Root, Json::parse(R"({"list": 5})"));
  EXPECT_EQ(read(R"({"list": {"a": 1}})").Root,
            Json::parse(R"({"list": {"a": 1}})"));
}

TEST(JsonItems, NoJson) {
  EXPECT_EQ(read("").Fault, "is empty");
  EXPECT_EQ(read(" \n").Fault, "is empty");
  for (const char *Text : {"[1", "{\"list\": [1, 2", "[1,]", "[1] x", "{1: 2}",
                           "[nan]", "[\"\xff\"]", "{\"skip\": [}"})
    EXPECT_THAT(read(Text).Fault, StartsWith("is not JSON: ")) << Text;
}

TEST(JsonItems, FaultsOfTheReaderSayWhere) {
  EXPECT_EQ(read(R"({"list": [1, {"a": "x"}]})").Fault,
            "/list/1/a: is not a whole number");
  EXPECT_EQ(read(R"([{"a": "x"}])").Fault, "/0/a: is not a whole number");
}

TEST(JsonItems, AKeyThatStandsTwice) {
  EXPECT_EQ(read(R"({"list": [1, {"a": 1, "a": 1}]})").Fault,
            "/list/1: has the key 'a' twice");
  EXPECT_EQ(read(R"([{"b": {"c": 1, "c": 1}}])").Fault,
            "/0: has the key 'c' twice");
  EXPECT_EQ(read(R"({"list": [], "list": [1]})").Fault,
            "has the key 'list' twice");
  EXPECT_EQ(read(R"({"also": {"a": 1, "a": 2}})").Fault,
            "/also: has the key 'a' twice");
  // What is not kept does not matter.
  EXPECT_EQ(read(R"({"x": {"a": 1, "a": 2}, "x": 1, "list": []})").Fault, "");
}

TEST(JsonItems, Limits) {
  EXPECT_THAT(read("[1, 2, 3]", {.Bytes = 5}).Fault, HasSubstr("the most"));
  for (const char *Start : {"", "{\"skip\": ", "{\"also\": ", "[0, "})
    EXPECT_THAT(read(Start + std::string(1 << 20, '[')).Fault,
                HasSubstr("nested deeper than 32 levels"))
        << Start;
  std::string Long = "[[0";
  for (std::size_t I = 0; I != MostItemValues; ++I)
    Long += ",0";
  EXPECT_THAT(read(Long + "]]").Fault,
              HasSubstr("/0: has more than 65536 values"));
  EXPECT_THAT(read("{\"also\": " + Long.substr(1) + "]}").Fault,
              HasSubstr("/also: has more than 65536 values"));
  // Items may be as many as there is room for.
  EXPECT_EQ(read("[" + Long.substr(2) + "]").Items.size(), MostItemValues + 1);
  EXPECT_THAT(read("[]").Items, IsEmpty());
}

} // namespace JsonItemsTests
