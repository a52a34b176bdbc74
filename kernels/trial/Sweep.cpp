//===- kernels/trial/Sweep.cpp - What the model says of a block -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/trial/Sweep.h"

#include <fmt/format.h>

namespace cudalint {

Counts &Counts::operator+=(const Counts &Other) {
  Sectors += Other.Sectors;
  IdealSectors += Other.IdealSectors;
  Wavefronts += Other.Wavefronts;
  IdealWavefronts += Other.IdealWavefronts;
  LocalSectors += Other.LocalSectors;
  return *this;
}

bool Counts::isBetween(const Counts &Least, const Counts &Most) const {
  for (std::uint64_t Counts::*Each :
       {&Counts::Sectors, &Counts::IdealSectors, &Counts::Wavefronts,
        &Counts::IdealWavefronts, &Counts::LocalSectors})
    if (this->*Each < Least.*Each || this->*Each > Most.*Each)
      return false;
  return true;
}

std::string toString(BlockShape Shape) {
  return fmt::format("{}x{}", Shape.X, Shape.Y);
}

/// Calls Visit for each warp of the block that has an active lane.
template <typename Function>
static void forEachWarp(BlockShape Block, unsigned Bytes, RequestKind Kind,
                        const AddressOf &Address, Function Visit) {
  for (unsigned First = 0; First < Block.threads(); First += WarpSize) {
    WarpRequest R;
    R.ActiveMask = 0;
    R.BytesPerLane = Bytes;
    R.Kind = Kind;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      unsigned Thread = First + Lane;
      if (Thread >= Block.threads())
        break;
      auto A = Address(Thread % Block.X, Thread / Block.X);
      if (!A)
        continue;
      R.Address[Lane] = *A;
      R.ActiveMask |= 1u << Lane;
    }
    if (R.ActiveMask != 0)
      Visit(R);
  }
}

Counts predictGlobal(const Architecture &Arch, BlockShape Block, unsigned Bytes,
                     RequestKind Kind, const AddressOf &Address) {
  Counts Sum;
  forEachWarp(Block, Bytes, Kind, Address, [&](const WarpRequest &R) {
    GlobalTraffic T = globalTraffic(Arch, R);
    Sum.Sectors += T.Transactions;
    Sum.IdealSectors += T.Ideal;
  });
  return Sum;
}

Counts predictShared(const Architecture &Arch, BlockShape Block, unsigned Bytes,
                     RequestKind Kind, const AddressOf &Address) {
  Counts Sum;
  forEachWarp(Block, Bytes, Kind, Address, [&](const WarpRequest &R) {
    SharedTraffic T = sharedTraffic(Arch, R);
    Sum.Wavefronts += T.Wavefronts;
    Sum.IdealWavefronts += T.Ideal;
  });
  return Sum;
}

Counts predictLocal(const Architecture &Arch, BlockShape Block, unsigned Bytes,
                    const AddressOf &Address) {
  Counts Sum;
  // Words of one element lie in rows of their own, so their sectors add up.
  for (unsigned Word = 0; Word < (Bytes + 3) / 4; ++Word) {
    auto Interleaved = [&](unsigned X,
                           unsigned Y) -> std::optional<std::uint64_t> {
      auto Offset = Address(X, Y);
      if (!Offset)
        return std::nullopt;
      std::uint64_t Lane = (Y * Block.X + X) % WarpSize;
      return ((*Offset / 4 + Word) * WarpSize + Lane) * 4 + *Offset % 4;
    };
    Sum.LocalSectors += predictGlobal(Arch, Block, Bytes < 4 ? Bytes : 4,
                                      RequestKind::Load, Interleaved)
                            .Sectors;
  }
  return Sum;
}

} // namespace cudalint
