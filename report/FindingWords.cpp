//===- report/FindingWords.cpp - A problem in few words -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingWords.h"

#include "report/ExtentWords.h"
#include "report/Names.h"
#include "report/Ranking.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace cudalint {

std::string inWords(std::span<const std::string> Parts) {
  if (Parts.size() < 2)
    return Parts.empty() ? std::string() : Parts.front();
  return fmt::format("{} and {}",
                     fmt::join(Parts.first(Parts.size() - 1), ", "),
                     Parts.back());
}

//===----------------------------------------------------------------------===//
// Shorter names and clauses
//===----------------------------------------------------------------------===//

/// Names longer than that lose scopes, then template arguments, then their end.
static constexpr unsigned MostOfName = 40;

/// As many of the arguments as \p Most columns hold, `128, 64, ...`; `...`
/// where that is none.
static std::string firstArguments(std::string_view Arguments,
                                  std::size_t Most) {
  std::size_t Kept = 0;
  int Depth = 0;
  for (std::size_t I = 0; I != Arguments.size() && I <= Most; ++I) {
    const char C = Arguments[I];
    Depth += C == '<' || C == '(' || C == '{';
    Depth -= C == '>' || C == ')' || C == '}';
    if (Depth == 0 && C == ',')
      Kept = I;
  }
  return Kept == 0 ? "..." : fmt::format("{}, ...", Arguments.substr(0, Kept));
}

/// `f<1, ...>` of `f<1, 2>`; the whole where brackets are not in pairs, or
/// compare: `i < n && j > 0`.
static std::string withoutArguments(std::string_view Name) {
  const std::size_t Begin = Name.find('<');
  const std::size_t End = Name.rfind('>');
  if (Begin == Name.npos || Begin == 0 || Name[Begin - 1] == ' ' ||
      End == Name.npos || End < Begin)
    return std::string(Name);
  // What tells instances apart is mostly said first.
  static constexpr std::size_t MostOfArguments = 14;
  const std::size_t Else = Name.size() - (End - Begin - 1) + 5; // `, ...`
  const std::size_t Room = MostOfName > Else ? MostOfName - Else : 0;
  return fmt::format("{}<{}>{}", Name.substr(0, Begin),
                     firstArguments(Name.substr(Begin + 1, End - Begin - 1),
                                    std::min(MostOfArguments, Room)),
                     Name.substr(End + 1));
}

static std::string shortened(std::string_view Name) {
  Name = withFewerScopes(Name, MostOfName);
  if (columnsOf(Name) <= MostOfName)
    return std::string(Name);
  std::string Short = withoutArguments(Name);
  if (columnsOf(Short) <= MostOfName)
    return Short;
  std::string Cut = cutTo(Short, MostOfName - 2);
  Cut.pop_back(); // the ~
  return Cut + "...";
}

/// Of what a user is to write, the end may be all that matters: `tile[16][17]`.
static std::string shortenedToWrite(std::string_view Name) {
  return columnsOf(Name) <= MostOfName ? std::string(Name)
                                       : withoutArguments(Name);
}

/// Each name in quotes as \p shorten makes it. A quote inside a word is an
/// apostrophe.
static std::string withNames(std::string_view Text,
                             std::string (*shorten)(std::string_view)) {
  std::string Out;
  while (!Text.empty()) {
    const std::size_t Begin = Text.find('\'');
    const std::size_t End =
        Begin == Text.npos ? Text.npos : Text.find('\'', Begin + 1);
    if (End == Text.npos)
      break;
    Out += Text.substr(0, Begin + 1);
    Out += shorten(Text.substr(Begin + 1, End - Begin - 1)) + '\'';
    Text.remove_prefix(End + 1);
  }
  return Out + std::string(Text);
}

static std::string withShortNames(std::string_view Text) {
  return withNames(Text, shortened);
}

static std::string remedyOf(const Finding &F) {
  return withNames(printable(inWords(F.Remedy)), shortenedToWrite);
}

std::string shortName(const Finding &F, const KernelRecord *Kernel) {
  std::string_view Name = F.KernelSignature;
  if (Name.empty())
    Name = Kernel && !Kernel->Signature.empty() ? Kernel->Signature : F.Kernel;
  return shortened(printable(withoutParameters(Name)));
}

/// \p Said with the object in place of the whole expression, which stands in
/// the source line below.
static Phrase ofObject(const Finding &F) {
  Phrase Said = F.What;
  const std::string Object = objectOf(F);
  const std::optional<AccessOp> Op = opOf(F.About);
  for (NamedValue &Each : Said.Values) {
    if (Each.Name == "access" && Op && !Object.empty())
      Each.What = accessInWords(*Op, Object);
  }
  return Said;
}

std::string briefWhat(const Finding &F) {
  return withShortNames(printable(inWords(ofObject(F))));
}

static std::string without(std::string Text, std::string_view Words) {
  if (const std::size_t At = Text.find(Words); At != Text.npos)
    Text.erase(At, Words.size());
  return Text;
}

/// Up to the first of these that stands outside quotes and parentheses.
static std::string upTo(std::string_view Text,
                        std::initializer_list<std::string_view> Ends) {
  bool IsQuoted = false;
  std::size_t Depth = 0;
  for (std::size_t I = 0; I != Text.size(); ++I) {
    const char C = Text[I];
    if (C == '\'' || C == '`')
      IsQuoted = !IsQuoted;
    if (I && !IsQuoted && Depth == 0 &&
        std::ranges::any_of(Ends, [&](std::string_view End) {
          return Text.substr(I).starts_with(End);
        }))
      return std::string(Text.substr(0, I));
    if (C == '(')
      ++Depth;
    else if (C == ')' && Depth)
      --Depth;
  }
  return std::string(Text);
}

/// Whether \p Text begins with a part of a list: a number or a name, behind
/// which the list goes on or ends.
static bool beginsWithItem(std::string_view Text) {
  if (Text.starts_with('\''))
    return true;
  const std::size_t Behind = Text.find_first_not_of("0123456789");
  if (Behind == 0)
    return false;
  const std::string_view Rest = Text.substr(std::min(Behind, Text.size()));
  return Rest.empty() || Rest.starts_with(", ") || Rest.starts_with(" or ") ||
         Rest.starts_with(" and ");
}

/// Without the clause behind the last comma, unless that is the ideal.
static std::string withoutLastClause(std::string_view Text) {
  std::size_t Comma = Text.rfind(", ");
  // Not within a name, `'f<1, true>'`, nor a list: `where n is one of 1, 2`
  // would be another statement than `1, 2, 8`.
  const auto isInClause = [&] {
    return std::ranges::count(Text.substr(0, Comma), '\'') % 2 != 0 ||
           beginsWithItem(Text.substr(Comma + 2));
  };
  while (Comma != Text.npos && isInClause())
    Comma = Comma == 0 ? Text.npos : Text.rfind(", ", Comma - 1);
  if (Comma == Text.npos || Text.substr(Comma).starts_with(", ideal"))
    return std::string(Text);
  return std::string(Text.substr(0, Comma));
}

//===----------------------------------------------------------------------===//
// The headline
//===----------------------------------------------------------------------===//

static bool fits(const std::string &Text, std::size_t Column, unsigned Width) {
  const std::string Lines = wrapped(Text, static_cast<unsigned>(Column), Width);
  if (std::ranges::count(Lines, '\n') > 1)
    return false;
  // A word that is too long stands alone.
  const std::size_t Break = Lines.find('\n');
  return Break == Lines.npos || columnsOf(Lines.substr(Break + 1)) <= Width;
}

/// `at 128 registers four fit` of `at 128 registers (129 to 168 gain nothing)
/// four fit (16 of 64 warps)`: remarks are left out, calls are not.
static std::string withoutRemarks(std::string Text) {
  for (std::size_t At = 0; (At = Text.find(" (", At)) != Text.npos;) {
    const std::size_t End = Text.find(')', At);
    if (End == Text.npos)
      break;
    Text.erase(At, End + 1 - At);
  }
  return Text;
}

/// As messageOf(), of clauses that may be empty.
static std::string sentence(std::string What, const std::string &Cause,
                            const std::string &Remedy) {
  if (!Cause.empty())
    What += (What.find(": ") != What.npos ? "; " : ": ") + Cause;
  if (!Remedy.empty())
    What += "; " + Remedy;
  return What;
}

/// Both clauses, of which each may be empty.
static std::string joined(const std::string &First, const std::string &Second) {
  return First.empty() ? Second : sentence(First, {}, Second);
}

static constexpr std::string_view Dots = "...";

/// Without its last words, so that it fits; the first stays, however long it
/// is.
static std::string cutToFit(std::string Text, std::size_t Column,
                            unsigned Width) {
  // No name is broken off.
  const auto isWithinName = [&] {
    return std::ranges::count(Text, '\'') % 2 != 0;
  };
  const bool HasPairs = !isWithinName();
  while (!fits(Text + std::string(Dots), Column, Width) ||
         (HasPairs && isWithinName())) {
    const std::size_t Space = Text.rfind(' ');
    if (Space == Text.npos || Space == 0)
      break;
    Text.resize(std::min(Space, Text.find_last_not_of(" ,;:", Space) + 1));
  }
  return Text + std::string(Dots);
}

Headline headlineOf(const Finding &F, std::size_t Column, unsigned Width) {
  const std::string Check = F.Check.empty()
                                ? std::string()
                                : fmt::format(" [{}]", printable(F.Check));
  const std::string What = briefWhat(F);
  const std::string Cause = withShortNames(printable(inWords(F.Cause)));
  const std::string Remedy = remedyOf(F);
  const std::string All = sentence(What, Cause, Remedy) + Check;
  if (F.Level == Severity::Error || fits(All, Column, Width))
    return {.Text = All, .HasCheck = true};
  // Each step leaves out what is missed less than what the next one does. The
  // cause is told where no remedy is known; the name of the check goes where
  // there is more room before the remedy goes.
  const std::string Why = Remedy.empty() ? Cause : std::string();
  const std::string ShortWhy = upTo(withoutRemarks(Why), {": ", "; ", ", "});
  // In what helps an access, parentheses are of formulas: `col ^ (row % 8)`.
  const std::string Clause =
      upTo(opOf(F.About) ? Remedy : withoutRemarks(Remedy), {": ", "; "});
  const std::string Plain = without(What, " per request");
  const std::string Least = withoutLastClause(withoutRemarks(Plain));
  const std::string Bare = upTo(Least, {": ", "; ", " while "});
  const std::string WithCheck[] = {sentence(What, Why, Remedy),
                                   sentence(What, Why, Clause),
                                   sentence(Plain, Why, Clause)};
  for (const std::string &Each : WithCheck)
    if (fits(Each + Check, Column, Width))
      return {.Text = Each + Check, .HasCheck = true};
  const std::string Without[] = {
      sentence(What, Why, Remedy), sentence(What, Why, Clause),
      sentence(Plain, Why, Clause), sentence(Least, ShortWhy, Clause),
      sentence(Bare, ShortWhy, Clause)};
  for (const std::string &Each : Without)
    if (fits(Each, Column, Width))
      return {.Text = Each, .HasCheck = false};
  // Half of a remedy is none: all of it goes below. What limits a launch tells
  // what to change, and goes with it.
  const std::string Below =
      opOf(F.About) && !Clause.empty()
          ? Clause
          : joined(upTo(withoutRemarks(Cause), {": ", "; ", ", "}), Clause);
  for (const std::string &End : {Check, std::string()})
    for (const std::string &Each : {What, Plain, Least, Bare})
      if (fits(Each + End, Column, Width))
        return {.Text = Each + End, .HasCheck = !End.empty(), .Below = Below};
  // What is cut off goes on below.
  std::string Cut = cutToFit(Bare, Column, Width);
  std::string Rest = Bare.substr(Cut.size() - Dots.size());
  Rest.erase(0, Rest.find_first_not_of(" ,;:"));
  if (!Rest.empty())
    Rest.insert(0, Dots);
  return {
      .Text = std::move(Cut), .HasCheck = false, .Below = joined(Rest, Below)};
}

std::string adviceOf(const Finding &F, std::size_t Column, unsigned Width) {
  const std::string Why = F.Cause.isEmpty()
                              ? briefWhat(F)
                              : withShortNames(printable(inWords(F.Cause)));
  const std::string Remedy = remedyOf(F);
  const std::string Clause =
      upTo(opOf(F.About) ? Remedy : withoutRemarks(Remedy), {": ", "; "});
  for (const std::string &Each :
       {sentence(Why, {}, Remedy), sentence(Why, {}, Clause)})
    if (fits(Each, Column, Width))
      return Each;
  const std::string Short = upTo(withoutRemarks(Why), {": ", "; ", ", "});
  return sentence(fits(Short, Column, Width) ? Short
                                             : cutToFit(Short, Column, Width),
                  {}, Clause);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static std::optional<double> shareOfKernel(const std::optional<Waste> &W) {
  if (!W)
    return std::nullopt;
  return W->OfKernel ? W->OfKernel : W->Estimate;
}

/// The headline has a number that not all blocks have.
static bool namesItsBlock(const Finding &F) {
  const NamedValue *Shape = F.What.find("shape");
  const auto *Text = Shape ? std::get_if<std::string>(&Shape->What) : nullptr;
  return Text && !Text->empty();
}

/// Whether another share is that of a launch in other blocks.
static bool differsByBlock(const Finding &F, const KernelRecord &Kernel) {
  static constexpr double Same = 0.02; // Chosen.
  const std::optional<double> Own = shareOfKernel(F.Wasted);
  return Own && std::ranges::any_of(Kernel.Totals, [&](const WarpTotals &T) {
           if (T.Block == *F.Block)
             return false;
           if (namesItsBlock(F))
             return true;
           Finding There = F;
           There.Block = T.Block;
           const auto Its = shareOfKernel(wasteOf(There, Kernel));
           return !Its || std::abs(*Its - *Own) > Same;
         });
}

std::string blocksOfShare(const FindingGroup &G, const KernelIndex &Kernels) {
  std::set<BlockShape> Blocks;
  bool Differs = false;
  for (const GroupMember &M : G.All) {
    const KernelRecord *Kernel = Kernels.of(*M.What);
    if (M.In != G.home() || !M.What->Block || !Kernel)
      continue;
    Blocks.insert(*M.What->Block);
    Differs |= differsByBlock(*M.What, *Kernel);
  }
  if (!Differs)
    return {};
  if (Blocks.size() > 1)
    return ", which differs by block";
  return namesItsBlock(*G.First) ? " in such blocks"
                                 : " in blocks of " + shape(*Blocks.begin());
}

std::string dearestLine(const FindingGroup &G, std::size_t Rank,
                        unsigned Width) {
  static constexpr std::size_t MostOfPlace = 34;
  const Location &Where = G.First->Where;
  std::string Place = printable(Where.File);
  if (columnsOf(Place) > MostOfPlace)
    Place = printable(std::filesystem::path(Where.File).filename().string());
  Place = cutToEnd(Place, MostOfPlace);
  if (Where.Line)
    Place += fmt::format(":{}", Where.Line);
  std::string Begin = fmt::format("{:>3}. {}: ", Rank, Place);
  if (const std::string Share = shareOf(G); !Share.empty())
    Begin += Share + ": ";
  const std::string What = briefWhat(*G.First);
  const std::string Plain = without(What, " per request");
  for (const std::string &Each : {What, Plain})
    if (columnsOf(Begin + Each) <= Width)
      return Begin + Each;
  // A name alone tells nothing.
  static constexpr std::size_t LeastOfWhat = 16;
  const std::string First = upTo(Plain, {", ", "; ", ": "});
  if (columnsOf(First) >= LeastOfWhat && columnsOf(Begin + First) <= Width)
    return Begin + First;
  return cutTo(Begin + Plain, Width);
}

} // namespace cudalint
