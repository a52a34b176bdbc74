//===- report/SummaryTable.cpp - A table of kernels -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SummaryTable.h"

#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

static constexpr unsigned NameColumns = 20;

/// The name without parameters, cut or filled up to the column.
static std::string nameColumn(const std::string &Signature) {
  std::string_view Name = Signature;
  int Depth = 0;
  for (std::size_t I = Name.size(); I-- > 0;) {
    Depth += Name[I] == ')';
    Depth -= Name[I] == '(';
    if (Depth == 0 && Name[I] == '(') {
      Name = Name.substr(0, I);
      break;
    }
  }
  std::string Text;
  unsigned Columns = 0;
  while (!Name.empty()) {
    const Glyph Next = firstGlyph(Name);
    const bool IsLast = Next.Bytes == Name.size();
    if (Columns + Next.Columns > NameColumns - (IsLast ? 0 : 1)) {
      Text += '~';
      ++Columns;
      break;
    }
    Text += Next.Text;
    Columns += Next.Columns;
    Name.remove_prefix(Next.Bytes);
  }
  return Text + std::string(NameColumns - std::min(Columns, NameColumns), ' ');
}

template <typename T>
static std::string orUnknown(const std::optional<T> &Value) {
  return Value ? fmt::format("{}", *Value) : "?";
}

/// `32x8`; a star tells that nobody launches it so.
static std::string blockColumn(const LaunchRecord &L) {
  std::string Text;
  std::size_t Last = 3;
  while (Last > 1 && L.Block[Last - 1] == 1)
    --Last;
  for (std::size_t I = 0; I != Last; ++I)
    Text += (I ? "x" : "") + orUnknown(L.Block[I]);
  if (L.Source == LaunchSource::Assumed ||
      L.Source == LaunchSource::LaunchBounds)
    Text += '*';
  return Text;
}

/// Static and dynamic bytes of a block.
static std::string sharedColumn(const KernelRecord &K, const LaunchRecord &L) {
  if (!K.Resources || !K.Resources->SharedBytes)
    return "?";
  if (L.DynamicSharedBytes && *L.DynamicSharedBytes >= 0)
    return fmt::format("{}",
                       *K.Resources->SharedBytes +
                           static_cast<std::uint64_t>(*L.DynamicSharedBytes));
  // Its occupancy is known, so that it uses no dynamic memory.
  return L.Occupancy ? fmt::format("{}", *K.Resources->SharedBytes) : "?";
}

static std::string row(const KernelRecord &K, const LaunchRecord &L) {
  const OccupancyRecord Unknown;
  const OccupancyRecord &O = L.Occupancy ? *L.Occupancy : Unknown;
  std::string Limiter = O.Limiter.empty() ? "?" : O.Limiter;
  if (O.BlocksPerSM == 0U)
    Limiter = "none fits";
  return fmt::format(
      "{} {:>5} {:>4} {:>7} {:>9} {:>6} {:>5} {:<9} {:>6}\n",
      nameColumn(K.Signature), L.Where.Line ? L.Where.Line : K.Where.Line,
      orUnknown(K.Resources ? K.Resources->Registers : std::nullopt),
      sharedColumn(K, L), blockColumn(L), orUnknown(O.BlocksPerSM),
      orUnknown(O.WarpsPerSM), Limiter,
      O.Waves ? fmt::format("{:.2f}", *O.Waves) : "?");
}

std::string summaryTable(std::span<const Document> Documents) {
  std::string Text;
  for (const Document &Doc : Documents) {
    std::string Rows;
    bool HasAssumed = false;
    for (const UnitRecord &Unit : Doc.Units)
      for (const KernelRecord &K : Unit.Kernels)
        for (const LaunchRecord &L : K.Launches) {
          Rows += row(K, L);
          HasAssumed |= L.Source == LaunchSource::Assumed ||
                        L.Source == LaunchSource::LaunchBounds;
        }
    if (Rows.empty())
      continue;
    Text += fmt::format("\nRegisters and occupancy on {}\n",
                        printable(Doc.Target.Name));
    Text +=
        fmt::format("{:<20} {:>5} {:>4} {:>7} {:>9} {:>6} {:>5} {:<9} {:>6}\n",
                    "kernel", "line", "regs", "shared", "block", "blk/SM",
                    "warps", "limiter", "waves");
    Text += Rows;
    if (HasAssumed)
      Text += "* no launch was found: this block is assumed\n";
  }
  return Text;
}

} // namespace cudalint
