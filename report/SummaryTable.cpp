//===- report/SummaryTable.cpp - A table of kernels -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SummaryTable.h"

#include "hardware/Architecture.h"
#include "report/Names.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

static constexpr unsigned NameColumns = 20;

/// The name without parameters, cut or filled up to the column.
static std::string nameColumn(const std::string &Signature) {
  std::string Text =
      cutTo(printable(withoutParameters(Signature)), NameColumns);
  Text.append(NameColumns - columnsOf(Text), ' ');
  return Text;
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

/// Static and dynamic bytes of a block; empty where they are not known.
static std::optional<std::uint64_t> sharedOf(const KernelRecord &K,
                                             const LaunchRecord &L) {
  if (K.StaticSharedBytes && L.DynamicSharedBytes && *L.DynamicSharedBytes >= 0)
    return *K.StaticSharedBytes +
           static_cast<std::uint64_t>(*L.DynamicSharedBytes);
  // Its occupancy is known, so that it uses no dynamic memory.
  return L.Occupancy ? K.StaticSharedBytes : std::nullopt;
}

/// Whether the launch fails without an opt-in that the source does not make.
static bool lacksOptIn(const Architecture *Arch, const KernelRecord &K,
                       const LaunchRecord &L) {
  const std::optional<std::uint64_t> Bytes = sharedOf(K, L);
  return Arch && Bytes && !L.SharedMemoryOptIn &&
         L.DynamicSharedBytes.value_or(0) > 0 &&
         *Bytes > Arch->SharedPerBlock && *Bytes <= Arch->SharedPerBlockOptIn;
}

static std::string row(const KernelRecord &K, const LaunchRecord &L,
                       bool LacksOptIn) {
  const OccupancyRecord Unknown;
  const OccupancyRecord &O = L.Occupancy ? *L.Occupancy : Unknown;
  std::string Limiter = O.Limiter.empty() ? "?" : O.Limiter;
  if (O.BlocksPerSM == 0U)
    Limiter = "none fits";
  return fmt::format(
      "{} {:>5} {:>4} {:>7} {:>9} {:>6} {:>5} {:<9} {:>6}\n",
      nameColumn(K.Signature), L.Where.Line ? L.Where.Line : K.Where.Line,
      orUnknown(K.Resources ? K.Resources->Registers : std::nullopt),
      orUnknown(sharedOf(K, L)) + (LacksOptIn ? "!" : ""), blockColumn(L),
      orUnknown(O.BlocksPerSM), orUnknown(O.WarpsPerSM), Limiter,
      O.Waves ? fmt::format("{:.2f}", *O.Waves) : "?");
}

std::string summaryTable(std::span<const Document> Documents) {
  std::string Text;
  for (const Document &Doc : Documents) {
    std::string Rows;
    bool HasAssumed = false, AnyLacksOptIn = false;
    const std::optional<Target> Gpu = parseTarget(Doc.Target.ComputeCapability);
    for (const UnitRecord &Unit : Doc.Units)
      for (const KernelRecord &K : Unit.Kernels)
        for (const LaunchRecord &L : K.Launches) {
          const bool LacksOptIn = lacksOptIn(Gpu ? Gpu->Arch : nullptr, K, L);
          Rows += row(K, L, LacksOptIn);
          AnyLacksOptIn |= LacksOptIn;
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
    if (AnyLacksOptIn)
      Text += fmt::format(
          "! more than {} KB: the launch fails unless cudaFuncSetAttribute "
          "raises\n  cudaFuncAttributeMaxDynamicSharedMemorySize\n",
          Gpu->Arch->SharedPerBlock / 1024);
  }
  return Text;
}

} // namespace cudalint
