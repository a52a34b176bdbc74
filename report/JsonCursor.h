//===- report/JsonCursor.h - Reads foreign JSON with care -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every reader of our JSON formats shares: limits that a hostile file
/// cannot pass, and access to members that says where a wrong one stands:
///
///   /units/0/kernels/3/name: is not a string
///
/// Only for the .cpp files of readers: it includes a large header.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_JSONCURSOR_H
#define CUDA_LINT_REPORT_JSONCURSOR_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// What a file may ask of us. A DOM costs up to 64 bytes for each value.
struct JsonLimits {
  std::size_t Bytes = std::size_t(256) << 20;
  std::size_t Values = std::size_t(20) << 20;
  unsigned Depth = 32;
};

/// Of reports that are ours: a large project has one of some hundred MB.
inline constexpr JsonLimits ReportLimits = {.Bytes = std::size_t(1) << 30,
                                            .Values = std::size_t(80) << 20};

/// Thrown by parseJson() and JsonCursor; what() is for the user and may hold
/// text of the file, so print it through printable().
class JsonFault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws JsonFault when \p Text is empty or longer than any that is read.
void checkLength(std::string_view Text, const JsonLimits &Limits);

/// "is not JSON: ..." for \p What, with which an exception of the parser says
/// what is wrong.
std::string wordsOfParser(std::string_view What);

/// The value that \p Text holds. Throws JsonFault.
nlohmann::json parseJson(std::string_view Text, const JsonLimits &Limits = {});

/// A value and the way to it. A cursor lives no longer than the one it came
/// from, the root and the keys on its way. Each accessor throws JsonFault when
/// the value is of another type or out of range; those named orNull take null
/// and a missing member too.
class JsonCursor {
public:
  explicit JsonCursor(const nlohmann::json &Root [[clang::lifetimebound]])
      : Value(&Root) {}

  /// The member \p Key, which need not be there; this must be an object.
  JsonCursor operator[](const char *Key [[clang::lifetimebound]]) const
      [[clang::lifetimebound]];

  /// Calls \p Work with a cursor to each item; this must be an array.
  template <typename Function> void each(Function Work) const {
    requireArray();
    for (std::size_t I = 0; I != Value->size(); ++I)
      Work(JsonCursor(&(*Value)[I], this, nullptr, I));
  }
  /// What \p Work returns for each item of this array.
  template <typename Function> auto all(Function Work) const {
    std::vector<decltype(Work(*this))> Out;
    each([&](const JsonCursor &Item) { Out.push_back(Work(Item)); });
    return Out;
  }
  /// The same; null and a missing member give no items.
  template <typename Function> auto allOrNull(Function Work) const {
    return isNull() ? std::vector<decltype(Work(*this))>() : all(Work);
  }
  /// Item \p Index of this array, which must have exactly \p Size.
  JsonCursor item(std::size_t Index, std::size_t Size) const
      [[clang::lifetimebound]];
  /// Item \p Index of this array, which is \p Item and not kept in it.
  JsonCursor itemNotKept(std::size_t Index, const nlohmann::json &Item
                         [[clang::lifetimebound]]) const
      [[clang::lifetimebound]] {
    return JsonCursor(&Item, this, nullptr, Index);
  }

  /// Also true for a member that is not there.
  bool isNull() const { return !Value || Value->is_null(); }
  bool isMissing() const { return !Value; }
  bool isFlag() const { return Value && Value->is_boolean(); }
  bool isNumber() const { return Value && Value->is_number(); }
  /// A number with a point or an exponent, even if it is whole.
  bool isFraction() const { return Value && Value->is_number_float(); }
  bool isArray() const { return Value && Value->is_array(); }
  bool isObject() const { return Value && Value->is_object(); }

  std::string text() const;
  std::string textOrNull() const; ///< Null is "".
  bool flag() const;
  double figure() const; ///< At least 0.
  std::optional<double> figureOrNull() const;
  std::int64_t integer() const;
  std::optional<std::int64_t> integerOrNull() const;
  template <typename T = std::uint64_t> T count() const {
    return static_cast<T>(countUpTo(std::numeric_limits<T>::max()));
  }
  template <typename T = std::uint64_t> std::optional<T> countOrNull() const {
    return isNull() ? std::nullopt : std::optional<T>(count<T>());
  }
  /// A line or column: null is 0.
  unsigned place() const { return countOrNull<unsigned>().value_or(0); }

  /// The value among \p All that nameOf() calls so.
  template <typename T, std::size_t N> T word(const T (&All)[N]) const {
    std::string Word = text();
    for (T Each : All)
      if (nameOf(Each) == Word)
        return Each;
    fail("is '" + Word.substr(0, 40) + "', which is not known here");
  }

  /// Calls \p Work with each key of this object.
  template <typename Function> void eachKey(Function Work) const {
    requireObject();
    for (const auto &[Key, Ignored] : Value->items())
      Work(Key);
  }

  std::string pointer() const; ///< The way to this value: RFC 6901.
  /// Throws JsonFault with the way to this value before \p Message.
  [[noreturn]] void fail(const std::string &Message) const;

private:
  JsonCursor(const nlohmann::json *Value, const JsonCursor *Parent,
             const char *Key, std::size_t Index)
      : Value(Value), Parent(Parent), Key(Key), Index(Index) {}

  void requireArray() const;
  void requireObject() const;
  std::uint64_t countUpTo(std::uint64_t Most) const;
  [[noreturn]] void mustBe(const char *Type) const;

  const nlohmann::json *Value; ///< Null: the member is not there.
  const JsonCursor *Parent = nullptr;
  const char *Key = nullptr; ///< Null: an item of an array.
  std::size_t Index = 0;
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_JSONCURSOR_H
