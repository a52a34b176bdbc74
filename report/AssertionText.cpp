//===- report/AssertionText.cpp - Expectations in comments ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/AssertionText.h"

#include "hardware/Architecture.h"
#include "hardware/UnknownTarget.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace cudalint {

static constexpr std::string_view Mark = "cuda-lint:";

static constexpr std::pair<std::string_view, SourceAssertion::Quantity>
    Quantities[] = {
        {"shared-bank-conflict", SourceAssertion::Quantity::BankConflict},
        {"wavefronts_per_request", SourceAssertion::Quantity::Wavefronts},
        {"sectors_per_request", SourceAssertion::Quantity::Sectors},
        {"blocks_per_sm", SourceAssertion::Quantity::BlocksPerSM},
        {"occupancy", SourceAssertion::Quantity::Occupancy},
        {"registers", SourceAssertion::Quantity::Registers}};

static constexpr std::pair<std::string_view, SourceAssertion::Comparison>
    Comparisons[] = {{"<=", SourceAssertion::Comparison::AtMost},
                     {">=", SourceAssertion::Comparison::AtLeast},
                     {"==", SourceAssertion::Comparison::Equal},
                     {"<", SourceAssertion::Comparison::Less},
                     {">", SourceAssertion::Comparison::More}};

namespace {
/// What is wrong with an expectation, and how far from its begin.
struct Fault {
  std::size_t At;
  std::string Message;
};

/// What stands between the brackets of `expect(...)`.
class AssertionReader {
public:
  explicit AssertionReader(std::string_view Text) : Text(Text) {}

  /// Throws a Fault.
  SourceAssertion read();

private:
  void skipBlanks() {
    while (At != Text.size() && (Text[At] == ' ' || Text[At] == '\t'))
      ++At;
  }
  bool take(std::string_view Word) {
    if (!Text.substr(At).starts_with(Word))
      return false;
    At += Word.size();
    skipBlanks();
    return true;
  }
  [[noreturn]] void fail(std::string Message) const {
    throw Fault{At, std::move(Message)};
  }
  std::string_view word() const {
    std::size_t End = At;
    while (End != Text.size() &&
           (std::isalnum(static_cast<unsigned char>(Text[End])) ||
            Text[End] == '_' || Text[End] == '-'))
      ++End;
    return Text.substr(At, End - At);
  }
  double number();

  std::string_view Text;
  std::size_t At = 0;
};
} // namespace

double AssertionReader::number() {
  double Value = 0;
  const auto [End, Code] =
      std::from_chars(Text.data() + At, Text.data() + Text.size(), Value);
  if (Code != std::errc() || !(Value >= 0) || Value > 1e9)
    fail("a number from 0 to 1e9 is expected here");
  At = static_cast<std::size_t>(End - Text.data());
  skipBlanks();
  return Value;
}

SourceAssertion AssertionReader::read() {
  SourceAssertion Result;
  Result.Text = std::string(Text);
  skipBlanks();
  const std::string_view Name = word();
  const auto *Quantity = std::ranges::find(
      Quantities, Name,
      &std::pair<std::string_view, SourceAssertion::Quantity>::first);
  if (Quantity == std::end(Quantities))
    fail("expected shared-bank-conflict, wavefronts_per_request, "
         "sectors_per_request, blocks_per_sm, occupancy or registers");
  Result.What = Quantity->second;
  At += Name.size();
  skipBlanks();
  const auto *Comparison = std::ranges::find_if(
      Comparisons, [&](const auto &Each) { return take(Each.first); });
  if (Comparison == std::end(Comparisons))
    fail("expected <=, >=, ==, < or >");
  Result.How = Comparison->second;
  Result.Bound = number();
  if (Result.What == SourceAssertion::Quantity::BankConflict)
    take("-way");
  if (Result.What == SourceAssertion::Quantity::Occupancy)
    take("%");
  if (take(",")) {
    if (!take("gpu") || !take("="))
      fail("expected 'gpu = NAME'");
    const std::string Name(word());
    if (Name.empty())
      fail("expected the name of a GPU, such as h200 or sm_90");
    const std::optional<Target> Gpu = parseTarget(Name);
    if (!Gpu)
      fail(fmt::format("unknown GPU '{}'; {}", Name, adviceOnTarget(Name)));
    Result.Gpu = Gpu->Name;
    At += Name.size();
    skipBlanks();
  }
  if (At != Text.size())
    fail("expected ')'");
  return Result;
}

/// What stands where `expect(` could, as `expct(`: a word, and a bracket.
static std::string_view callAt(std::string_view Text) {
  std::size_t End = 0;
  while (
      End != Text.size() &&
      (std::isalpha(static_cast<unsigned char>(Text[End])) || Text[End] == '_'))
    ++End;
  return End && End != Text.size() && Text[End] == '(' ? Text.substr(0, End)
                                                       : std::string_view();
}

/// Reads what \p Line, number \p Number, promises behind `cuda-lint:`.
static void readLine(std::string_view Line, unsigned Number, bool IsAlone,
                     std::size_t At, AssertionsRead &To) {
  static constexpr std::string_view Expect = "expect(";
  const auto column = [](std::size_t Offset) {
    return static_cast<unsigned>(Offset + 1);
  };
  const auto fail = [&](std::size_t Offset, std::string Message) {
    To.Errors.push_back(
        {.Where = {"", Number, column(Offset)}, .Message = std::move(Message)});
  };
  while (true) {
    while (At != Line.size() &&
           (Line[At] == ' ' || Line[At] == '\t' || Line[At] == ','))
      ++At;
    // Another one may have a mark of its own, and its own comment.
    if (const std::size_t Next = Line.find(Mark, At);
        Next != std::string_view::npos &&
        Line.substr(At, Next - At).find_first_not_of(" \t*/") ==
            std::string_view::npos) {
      At = Next + Mark.size();
      continue;
    }
    if (!Line.substr(At).starts_with("expect")) {
      if (const std::string_view Word = callAt(Line.substr(At)); !Word.empty())
        fail(At, fmt::format("'{}' is not known; expected 'expect('",
                             printable(Word)));
      return;
    }
    if (!Line.substr(At).starts_with(Expect)) {
      fail(At, "expected 'expect(', without blanks");
      return;
    }
    const std::size_t Begin = At + Expect.size();
    const std::size_t End = Line.find(')', Begin);
    if (End == std::string_view::npos) {
      fail(Begin, "expected ')' in the same line");
      return;
    }
    try {
      SourceAssertion One =
          AssertionReader(Line.substr(Begin, End - Begin)).read();
      One.Line = Number;
      One.Column = column(Begin);
      One.Of = IsAlone ? 0 : Number;
      To.All.push_back(std::move(One));
    } catch (const Fault &F) {
      fail(Begin + F.At, F.Message);
    }
    At = End + 1;
  }
}

AssertionsRead readAssertions(std::string_view Text) {
  AssertionsRead Result;
  if (Text.find(Mark) == std::string_view::npos)
    return Result;
  unsigned Number = 0;
  std::size_t Open = 0; // Those before wait for their line.
  while (!Text.empty()) {
    const std::size_t Length = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, Length);
    Text.remove_prefix(std::min(Length + 1, Text.size()));
    if (Line.ends_with('\r'))
      Line.remove_suffix(1);
    ++Number;
    const std::size_t Code = Line.find_first_not_of(" \t");
    const std::size_t Comment = std::min(Line.find("//"), Line.find("/*"));
    const bool IsAlone = Comment == Code;
    // What stands in a line of its own is about the next line with code.
    if (Code != std::string_view::npos && !IsAlone) {
      for (; Open != Result.All.size(); ++Open)
        if (Result.All[Open].Of == 0)
          Result.All[Open].Of = Number;
    }
    const std::size_t At = Line.find(Mark, std::min(Comment, Line.size()));
    if (Comment == std::string_view::npos || At == std::string_view::npos)
      continue;
    const std::size_t Before = Result.All.size();
    readLine(Line, Number, IsAlone, At + Mark.size(), Result);
    if (!IsAlone && Open == Before)
      Open = Result.All.size();
  }
  return Result;
}

} // namespace cudalint
