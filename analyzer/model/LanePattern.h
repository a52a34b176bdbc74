//===- analyzer/model/LanePattern.h - The shape of a request ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The shape that the addresses of one request make across its lanes, and what
/// the request would cost under another layout of the same data: the two
/// things that a remedy is built from. Pure functions of samples.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_LANEPATTERN_H
#define CUDA_LINT_ANALYZER_MODEL_LANEPATTERN_H

#include "analyzer/ir/Access.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// How the addresses of one request follow from its active lanes.
struct LanePattern {
  enum Shape : std::uint8_t {
    Lone,     ///< One active lane.
    Same,     ///< All active lanes at one address.
    Strided,  ///< Each active lane `Stride` bytes behind the one before.
    Rows,     ///< Strided in rows of `RowLanes`, the rows `RowStride` apart.
    Scattered ///< None of these.
  };
  Shape Kind = Scattered;
  std::int64_t Stride = 0;    ///< Bytes; may be negative; 0 within equal rows.
  unsigned RowLanes = 0;      ///< Of a full row; the first may be cut short.
  std::int64_t RowStride = 0; ///< Bytes from row to row.
  bool HasGaps = false;       ///< There are inactive lanes between active ones.

  /// Where a distance was made up, and what is known of it.
  struct MadeUp {
    bool Is = false;
    /// The distance is that many bytes for each unit of Symbol; 0: not known.
    std::int64_t BytesPerUnit = 0;
  };
  MadeUp StrideMadeUp, RowStrideMadeUp;
  std::string Symbol; ///< `pitch`; empty when nothing is known of it.
};

LanePattern lanePattern(const RequestSample &Sample);

/// Byte offsets that other data would have: the argument and the result are
/// relative to the same base.
using Layout = std::function<std::int64_t(std::int64_t)>;

/// What the hardware model is asked about a sample of \p A: moved by a multiple
/// of 4096 bytes so that no address is negative, after `NewLayout` has been
/// applied to its offsets.
WarpRequest toRequest(const Access &A, const RequestSample &Sample,
                      const Layout &NewLayout = nullptr);

/// Means over all requests of an access, by the weights of its samples.
/// Requests of which no sample is kept cost what Access::Predicted leaves for
/// them, in another layout no more than the samples do there; in bytes, they
/// are taken to be like these.
struct MeanTraffic {
  double Transactions = 0; ///< Sectors or segments; wavefronts when shared.
  double Ideal = 0;
  double BytesMoved = 0; ///< Global only.
  double BytesUsed = 0;  ///< Global only.
  unsigned Ways = 0;     ///< The largest; shared only.
};

MeanTraffic meanShared(const Architecture &Arch, const Access &A,
                       const Layout &NewLayout = nullptr);
MeanTraffic meanGlobal(const Architecture &Arch, const Access &A,
                       const Layout &NewLayout = nullptr);

/// What the requests would cost if each contiguous run of bytes that they
/// touch began at the best place: the waste that is left is not misalignment.
MeanTraffic meanGlobalAligned(const Architecture &Arch, const Access &A);

/// How far the first byte of the request lies behind a boundary of
/// `globalPeriod`, in bytes.
unsigned misalignment(const Architecture &Arch, const RequestSample &Sample);

/// Whether an access must fault, as addresses are no multiples of its bytes.
enum class AddressFault {
  None,   ///< Or it is not known.
  OfBase, ///< In all lanes, if the data is aligned as it is taken to be.
  OfLanes ///< In some, wherever the data is.
};
AddressFault faultOf(const Access &A);

/// The requests of one warp for several accesses, as one: what is left of
/// their waste when a cache keeps the lines between them. Their samples have
/// the same base.
MeanTraffic unionTraffic(std::span<const Access *const> Group);

/// The requests of one warp for \p A, as far as they are known: of those that
/// were kept, each with the turns of the innermost loop that follow by its
/// step, 32 at most, without those that others have.
std::vector<RequestSample> samplesOfTurns(const Access &A);

/// All of these, as one.
MeanTraffic unionOfTurns(const Access &A);

/// One character a lane for the line below the caret: `.` is inactive, `#` the
/// first lane to touch its sector, `-` one that shares it.
std::string sectorPattern(const Access &A);

/// The same for banks: `#` is a lane whose bank serves another word as well in
/// its phase, `-` a lane without a conflict.
std::string bankPattern(const Architecture &Arch, const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_LANEPATTERN_H
