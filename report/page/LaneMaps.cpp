//===- report/page/LaneMaps.cpp - What lanes touch ------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/LaneMaps.h"

#include "hardware/WarpTransactions.h"
#include "report/Phrase.h"
#include "report/page/PlacedText.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace cudalint {

/// `0\u20133`, `0, 2`, `0\u202631`: lanes that ask for one thing.
static std::string lanesInWords(const std::set<unsigned> &Lanes) {
  const unsigned First = *Lanes.begin(), Last = *Lanes.rbegin();
  if (First == Last)
    return std::to_string(First);
  const bool IsRun = Last - First + 1 == Lanes.size();
  return fmt::format("{}{}{}", First, IsRun ? "\u2013" : "\u2026", Last);
}

static WarpRequest requestOf(const RequestExample &R,
                             const LaneAddresses &Lanes) {
  WarpRequest Request;
  Request.ActiveMask = 0;
  Request.BytesPerLane = R.Bytes;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (Lanes[Lane]) {
      Request.ActiveMask |= 1u << Lane;
      Request.Address[Lane] = *Lanes[Lane];
    }
  return Request;
}

/// What the pictures can show.
static bool isWhole(const RequestExample &R, const LaneAddresses &Lanes) {
  // Far beyond any memory, so that sums of it do not overflow.
  constexpr std::uint64_t Most = std::uint64_t(1) << 56;
  return Lanes.size() == WarpSize && std::has_single_bit(R.Bytes) &&
         R.Bytes <= 16 &&
         std::ranges::any_of(
             Lanes, [](const auto &Each) { return Each.has_value(); }) &&
         std::ranges::all_of(
             Lanes, [](const auto &Each) { return Each.value_or(0) < Most; });
}

namespace {
struct Picture {
  std::string Drawing = {};
  double Width = 0, Height = 0;
  std::string Words = {}; ///< What there is to see, for those who do not.
};
} // namespace

/// Of a character, in units of the pictures.
static constexpr double CharacterAdvance = 5;

/// A rectangle as a part of a path.
static std::string box(double X, double Y, double Width, double Height) {
  return fmt::format("M{} {}h{}v{}h-{}z", X, Y, Width, Height, Width);
}

static std::string path(std::string_view Class, const std::string &Data) {
  return Data.empty() ? std::string()
                      : fmt::format("<path class={} d=\"{}\"/>", Class, Data);
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

namespace {
/// The words of one bank that lanes of one phase want, in the order of lanes.
struct Column {
  struct Cell {
    std::uint64_t Word;
    std::set<unsigned> Lanes;
  };
  std::vector<Cell> Cells;

  void add(unsigned Lane, std::uint64_t Word, bool IsShared) {
    const auto Same = std::ranges::find(Cells, Word, &Cell::Word);
    if (IsShared && Same != Cells.end())
      Same->Lanes.insert(Lane);
    else
      Cells.push_back({Word, {Lane}});
  }
};
} // namespace

static Picture banks(const Architecture &Arch, const RequestExample &R,
                     const LaneAddresses &Lanes, bool IsAtomic) {
  constexpr double Left = 22, Top = 12, Wide = 14, High = 12, Gap = 6;
  const unsigned Banks = Arch.CC.Major == 1 ? 16 : 32;
  const unsigned BankBytes = 4;
  const unsigned Span = std::max(1u, R.Bytes / BankBytes);
  std::map<unsigned, std::map<unsigned, Column>> Phases;
  std::set<unsigned> Used;
  for (const LaneBank &L : bankTable(Arch, requestOf(R, Lanes))) {
    Phases[L.Phase][L.Bank].add(L.Lane, L.Word, !IsAtomic);
    for (unsigned I = 0; I != Span; ++I)
      Used.insert((L.Bank + I) % Banks);
  }
  Picture P{.Width = Left + Banks * Wide + 2};
  PlacedText Numbers(CharacterAdvance);
  for (unsigned Bank = 0; Bank < Banks; Bank += Bank + 4 < Banks ? 4 : 3)
    Numbers.addCentred(Left + (Bank + 0.5) * Wide, Top - 3,
                       std::to_string(Bank));
  double Y = Top;
  std::string Hot, Good, Lines, Back;
  std::size_t Row = 0;
  for (const auto &[Phase, Columns] : Phases) {
    std::size_t Rows = 1;
    for (const auto &[Bank, Its] : Columns)
      Rows = std::max(Rows, Its.Cells.size());
    const double Height = High * static_cast<double>(Rows);
    Back += box(Left, Y, Banks * Wide, Height);
    for (unsigned Bank = 1; Bank < Banks; ++Bank)
      Lines += fmt::format("M{} {}v{}", Left + Bank * Wide, Y, Height);
    for (std::size_t I = 0; I != Rows; ++I)
      Numbers.addCentred(Left - 10, Y + High * static_cast<double>(I) + 9,
                         std::to_string(++Row));
    for (const auto &[Bank, Its] : Columns)
      for (std::size_t I = 0; I != Its.Cells.size(); ++I) {
        const double X = Left + Bank * Wide;
        const double CellY = Y + High * static_cast<double>(I);
        (Its.Cells.size() > 1 ? Hot : Good) +=
            box(X + 0.5, CellY + 0.5, Span * Wide - 1, High - 1);
        Numbers.addCentred(X + Span * Wide / 2, CellY + 9,
                           std::to_string(*Its.Cells[I].Lanes.begin()));
      }
    Y += Height + Gap;
  }
  P.Height = Y - Gap + 2;
  P.Drawing += path("bg", Back) + path("gl", Lines) + path("hot", Hot) +
               path("ok", Good) + Numbers.text();
  P.Words = fmt::format("{} of {} banks are used, in {}", Used.size(), Banks,
                        countOf(Row, "row"));
  return P;
}

//===----------------------------------------------------------------------===//
// Sectors
//===----------------------------------------------------------------------===//

/// Sectors that so many bytes need.
static std::size_t fewest(std::size_t Bytes) {
  return (Bytes + SectorBytes - 1) / SectorBytes;
}

static Picture sectors(const RequestExample &R, const LaneAddresses &Lanes) {
  constexpr double PerByte = 2, Gap = 5, High = 14, Step = 30;
  constexpr unsigned PerRow = 8;
  std::map<std::uint64_t, std::set<unsigned>> Sectors; // And their lanes.
  std::set<std::uint64_t> Elements;
  std::set<std::uint64_t> Bytes;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!Lanes[Lane])
      continue;
    Elements.insert(*Lanes[Lane]);
    for (unsigned I = 0; I != R.Bytes; ++I) {
      Sectors[(*Lanes[Lane] + I) / SectorBytes].insert(Lane);
      Bytes.insert(*Lanes[Lane] + I);
    }
  }
  std::string Back, Filled;
  PlacedText Names(CharacterAdvance);
  std::map<std::uint64_t, std::pair<double, double>> Places;
  double X = 0, Y = 12, Width = 0;
  unsigned InRow = 0;
  std::optional<std::uint64_t> Last;
  for (const auto &[Sector, Its] : Sectors) {
    if (InRow == PerRow) {
      InRow = 0;
      X = 0;
      Y += Step;
    } else if (Last) { // Neighbours touch.
      X += Sector == *Last + 1 ? 1 : Gap;
    }
    Back += box(X, Y, SectorBytes * PerByte, High);
    Names.addCentred(X + SectorBytes * PerByte / 2, Y - 3, lanesInWords(Its));
    Places[Sector] = {X, Y};
    X += SectorBytes * PerByte;
    Width = std::max(Width, X);
    Last = Sector;
    ++InRow;
  }
  for (const std::uint64_t First : Elements)
    // What begins in one sector may end in the next.
    for (std::uint64_t From = First, End = First + R.Bytes; From < End;) {
      const std::uint64_t Sector = From / SectorBytes;
      const std::uint64_t To = std::min(End, (Sector + 1) * SectorBytes);
      const auto &[SectorX, SectorY] = Places.at(Sector);
      Filled += box(
          SectorX + PerByte * static_cast<double>(From % SectorBytes) + 0.25,
          SectorY + 1, PerByte * static_cast<double>(To - From) - 0.5,
          High - 2);
      From = To;
    }
  return {.Drawing = path("bg", Back) +
                     path(Sectors.size() > fewest(Bytes.size()) ? "hot" : "ok",
                          Filled) +
                     Names.text(),
          .Width = Width,
          .Height = Y + High + 1,
          .Words = fmt::format("{} of {} bytes of {} are asked for",
                               Bytes.size(), Sectors.size() * SectorBytes,
                               countOf(Sectors.size(), "sector"))};
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

static std::string figure(const Picture &P, std::string_view Caption,
                          Symbols &Known) {
  return fmt::format("<figure><figcaption>{}</figcaption><svg class=map "
                     "width={} height={} role=img aria-label=\"{}\">{}</svg>"
                     "</figure>\n",
                     Caption, P.Width, P.Height, P.Words,
                     Known.use(P.Drawing, P.Width, P.Height));
}

/// As many lanes, each with an element of its own, side by side.
static LaneAddresses sideBySide(const RequestExample &R) {
  LaneAddresses Out(WarpSize);
  std::uint64_t Next = 0;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (R.Lanes[Lane]) {
      Out[Lane] = Next;
      Next += R.Bytes;
    }
  return Out;
}

std::string laneMaps(const Finding &F, const TargetRecord &Target,
                     Symbols &Known) {
  if (!F.Request || !isWhole(*F.Request, F.Request->Lanes))
    return {};
  const RequestExample &R = *F.Request;
  const bool IsShared = R.Unit == "wavefronts";
  const std::optional<cudalint::Target> Gpu =
      parseTarget(Target.ComputeCapability);
  if (!Gpu || (!IsShared && R.Unit != "sectors"))
    return {};
  const std::string_view Unit = IsShared ? "wavefront" : "sector";
  std::string Out;
  const auto show = [&](const LaneAddresses &Lanes,
                        const std::string &Caption) {
    Out += figure(IsShared ? banks(*Gpu->Arch, R, Lanes,
                                   F.About.Kind == SubjectKind::Atomic)
                           : sectors(R, Lanes),
                  Caption, Known);
  };
  show(R.Lanes, fmt::format("now: {} for a request, ideal {}",
                            countOf(R.Cost, Unit), R.Ideal));
  if (isWhole(R, R.LanesThen))
    show(R.LanesThen, "with the remedy: " + countOf(R.CostThen, Unit));
  else if (!IsShared && R.Ideal < R.Cost)
    show(sideBySide(R),
         "ideal, the lanes side by side: " + countOf(R.Ideal, Unit));
  return fmt::format(
      "<div class=\"maps scroll\" tabindex=0 role=group aria-label=pictures>{}"
      "</div>\n<p class=key>{}</p>\n",
      Out,
      IsShared ? "column: a bank; cell: a word, and the first lane that wants "
                 "it; row: a wavefront"
               : "box: a sector of 32 bytes, and the lanes that it is moved "
                 "for; filled: what they ask for");
}

} // namespace cudalint
