//===- report/Phrase.h - A clause and its values ----------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a finding says, apart from the values that it says it of: so that
/// findings can be compared, counted and grouped without reading prose.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PHRASE_H
#define CUDA_LINT_REPORT_PHRASE_H

#include <cassert>
#include <cmath>
#include <compare>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cudalint {

/// A number, or a name of the user's, that a phrase speaks of.
struct NamedValue {
  NamedValue(std::string Name, std::string What)
      : Name(std::move(Name)), What(std::move(What)) {}
  NamedValue(std::string Name, std::string_view What)
      : Name(std::move(Name)), What(std::string(What)) {}
  NamedValue(std::string Name, const char *What)
      : Name(std::move(Name)), What(std::string(What)) {}
  template <typename Number>
    requires std::integral<Number> || std::floating_point<Number>
  NamedValue(std::string Name, Number What)
      : Name(std::move(Name)), What(static_cast<double>(What)) {
    assert(std::isfinite(static_cast<double>(What)) && "no number to tell");
  }

  std::string Name; ///< Snake case, once in a phrase: `stride_bytes`.
  std::variant<double, std::string> What;

  auto operator<=>(const NamedValue &) const = default;
};

struct Phrase {
  /// What is said, whatever the values are; kebab case: `strided-lanes`. Empty:
  /// nothing is said.
  std::string Id;
  /// Lower case, no full stop. `{stride_bytes}` is that value, `{lanes lane}`
  /// so many lanes: `1 lane`, `32 lanes`. Other braces are text.
  std::string Text;
  std::vector<NamedValue> Values; ///< Of a finding that is made: by name.

  /// \p Next behind it; the identity and the name of each value stay those of
  /// the first that has it. Of an empty phrase, the whole of Next.
  Phrase &append(std::string_view Between, const Phrase &Next);

  bool isEmpty() const { return Id.empty(); }
  /// Null when it has none of that name.
  const NamedValue *find(std::string_view Name) const;
  /// Empty when it has none of that name, or that is text.
  std::optional<double> number(std::string_view Name) const;

  auto operator<=>(const Phrase &) const = default;
};

std::string inWords(const Phrase &Said);

/// What whoever made \p Said got wrong: a place without its value, a name that
/// two values have, an identity that is not in kebab case. Empty: nothing.
std::string faultOf(const Phrase &Said);

inline bool isDecimal(char C) { return C >= '0' && C <= '9'; }

/// At most one decimal, and none where it is 0: `12`, `10.7`.
std::string number(double Value);

/// `1 block`, `2 blocks`, `2 launches`
std::string countOf(double Number, std::string_view Noun);
template <std::integral Integer>
std::string countOf(Integer Number, std::string_view Noun) {
  return countOf(static_cast<double>(Number), Noun);
}

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PHRASE_H
