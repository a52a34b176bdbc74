//===- analyzer/pipeline/AccessTable.cpp - What each lane touches ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/AccessTable.h"

#include "report/Names.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

/// `src/a.cu` is what a user means by `a.cu`.
static bool isSameFile(std::string_view Full, std::string_view Asked) {
  if (!Full.ends_with(Asked))
    return false;
  return Full.size() == Asked.size() ||
         Full[Full.size() - Asked.size() - 1] == '/';
}

bool isAccessAt(const Access &A, const Location &Asked) {
  auto isThere = [&](const Location &L) {
    return L.Line == Asked.Line && isSameFile(L.File, Asked.File);
  };
  return isThere(A.Where) || isThere(A.UserWhere) ||
         std::ranges::any_of(A.InlinedAt, isThere);
}

static WarpRequest requestOf(const Access &A, const RequestSample &Sample) {
  constexpr std::int64_t Base = std::int64_t(1) << 40;
  WarpRequest Request;
  Request.ActiveMask = Sample.ActiveMask;
  Request.BytesPerLane = A.Bytes;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    Request.Address[Lane] =
        static_cast<std::uint64_t>(Base + Sample.Offset[Lane]);
  return Request;
}

static std::string sharedRows(const Access &A, const RequestSample &Sample,
                              const Architecture &Arch) {
  std::string Text = fmt::format("  {:>4}  {:>8}  {:>5}  {:>4}  {:>8}\n",
                                 "lane", "offset", "phase", "bank", "word");
  WarpRequest Request = requestOf(A, Sample);
  // Words count from that of offset 0.
  WarpRequest Origin;
  Origin.Address.fill(std::uint64_t(1) << 40);
  std::uint64_t First = bankTable(Arch, Origin).front().Word;
  for (const LaneBank &Row : bankTable(Arch, Request))
    Text += fmt::format("  {:>4}  {:>8}  {:>5}  {:>4}  {:>8}\n", Row.Lane,
                        Sample.Offset[Row.Lane], Row.Phase, Row.Bank,
                        static_cast<std::int64_t>(Row.Word - First));
  return Text;
}

static std::int64_t sectorOf(std::int64_t Offset) {
  return Offset >> 5; // Arithmetic: offset -1 is in sector -1.
}
static_assert(SectorBytes == 1u << 5);

static std::string globalRows(const Access &A, const RequestSample &Sample) {
  std::string Text =
      fmt::format("  {:>4}  {:>8}  {}\n", "lane", "offset", "sectors");
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane) {
    if (!(Sample.ActiveMask >> Lane & 1))
      continue;
    std::int64_t First = sectorOf(Sample.Offset[Lane]);
    std::int64_t Last = sectorOf(Sample.Offset[Lane] + A.Bytes - 1);
    Text += fmt::format("  {:>4}  {:>8}  {}", Lane, Sample.Offset[Lane], First);
    Text += First == Last ? "\n" : fmt::format("-{}\n", Last);
  }
  return Text;
}

/// "3.53 wavefronts per request if the data is random, 1 if neighbours agree,
/// at most 32; ", of lanes that are counted "if each lane is as likely counted
/// as not".
static std::string expectationWords(const Expectation &X, MemorySpace Space) {
  std::string Text =
      fmt::format("{:.3g} {} per request if {}", X.PerRequest,
                  Space == MemorySpace::Shared ? "wavefronts" : "sectors",
                  X.IsCounted ? "each lane is as likely counted as not"
                              : "the data is random");
  // Two standard errors are exceeded once in 20 times.
  if (!X.IsExact)
    Text += fmt::format(" (within {:.1g})", 2 * X.StandardError);
  Text += fmt::format(", {:.3g} if neighbours agree", X.IfEqual);
  if (X.Least < X.IfEqual)
    Text += fmt::format(", at least {:.3g}", X.Least);
  if (X.Most > X.IfEqual)
    Text += fmt::format(", at most {:.3g}", X.Most);
  return Text + "; ";
}

std::string accessTable(const Access &A, const Architecture &Arch) {
  std::string Text = fmt::format(
      "{}:{}:{}: {} {} of {} bytes per lane, block {}x{}x{}: ", A.Where.File,
      A.Where.Line, A.Where.Column, nameOf(A.Space), nameOf(A.Op), A.Bytes,
      A.Block[0], A.Block[1], A.Block[2]);
  if (A.Expected)
    Text += expectationWords(*A.Expected, A.Space);
  if (!A.Predicted)
    return Text + fmt::format("unknown{}{}{}\n",
                              A.WhyUnknown.empty() ? "" : ": ", A.WhyUnknown,
                              A.CauseWhere.Line
                                  ? fmt::format(" ({}:{})", A.CauseWhere.File,
                                                A.CauseWhere.Line)
                                  : "");
  bool Shared = A.Space == MemorySpace::Shared;
  Text +=
      fmt::format("{:.4g} {} per request, ideal {:.4g}, {:.4g} lanes\n",
                  A.Predicted->PerRequest, Shared ? "wavefronts" : "sectors",
                  A.Predicted->Ideal, A.Predicted->Lanes);
  for (const std::string &Assumption : A.Assumptions)
    Text += fmt::format("  assumes {}\n", Assumption);
  if (A.Samples.empty())
    return Text;
  const RequestSample &Sample = A.Samples.front();
  if (Sample.MadeUp && Sample.MadeUp->Symbol.empty())
    Text += "  offsets are an example: only the run knows all distances\n";
  else if (Sample.MadeUp)
    Text += fmt::format("  offsets are an example, with '{}' = {}\n",
                        Sample.MadeUp->Symbol, Sample.MadeUp->Value);
  // Hardware serves these sizes only; a wider access is several requests.
  bool IsOneRequest = A.Bytes == 1 || A.Bytes == 2 || A.Bytes == 4 ||
                      A.Bytes == 8 || A.Bytes == 16;
  if (Shared && IsOneRequest)
    return Text + sharedRows(A, Sample, Arch);
  return Text + globalRows(A, Sample);
}

} // namespace cudalint
