//===- analyzer/ir/WiderRequests.h - Accesses in one word -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One instruction of the compiled code may hold several turns of a loop, or
/// several neighbours. In which turns it happens, the lanes' addresses tell;
/// what it holds happens no second time.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_WIDERREQUESTS_H
#define CUDA_LINT_ANALYZER_IR_WIDERREQUESTS_H

#include "analyzer/ir/AccessPlan.h"
#include "analyzer/ir/WarpInterpreter.h"

#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace cudalint {

/// The turns of a loop, or the neighbours, that a wider instruction makes with
/// another access, in one warp's run.
class WiderRequests {
public:
  explicit WiderRequests(const AccessPlan &Plan) : Plan(Plan) {}

  /// Whether \p Part, which IsWider, may happen: nothing wider that was noted
  /// has it, and it has not happened as often as there are instructions of it.
  bool mayHappen(const Request &Part) const;
  /// \p Part IsWider. \p Happens: it does, as its addresses are aligned.
  void note(const Request &Part, bool Happens);
  /// Whether a request that was noted has all that \p Part accesses.
  bool cover(const Request &Part) const;

private:
  /// Loads, or stores, between which nothing keeps the compiler from making one
  /// of them, at addresses that differ by constants.
  using Run = std::tuple<AccessOp, unsigned, unsigned>;
  /// By these constants: a loop may read several rows, or arrays, in turn.
  using Noted = std::map<std::int64_t, Request>;
  std::pair<Run, std::int64_t> placeOf(const Request &Part) const;
  /// Whether one of more than \p Least bytes was noted that has all of it.
  bool isInWider(const Request &Part, unsigned Least) const;

  /// A part, and the loop, as it was entered, whose turns are written out.
  using Entry =
      std::tuple<const llvm::Instruction *, unsigned, unsigned, unsigned>;
  static std::optional<Entry> entryOf(const Request &Part);

  const AccessPlan &Plan;
  std::map<Run, Noted> ByRun;
  std::map<Entry, unsigned> Times;
};

/// Accesses that are neighbours in some turns alone: in a reduction whose step
/// doubles, s[i] and s[i + step] are one word in the first turn.
class NeighbourRequests {
public:
  /// \p AddWide is given a request for all of a word, and as which part, and
  /// tells whether it happens; \p AddRest each request that is in none;
  /// \p AddHeld each that is in another.
  NeighbourRequests(
      const AccessPlan &Plan,
      std::function<bool(const Request &, const CompiledPart &)> AddWide,
      std::function<void(const Request &)> AddRest,
      std::function<void(const Request &)> AddHeld)
      : Plan(Plan), AddWide(std::move(AddWide)), AddRest(std::move(AddRest)),
        AddHeld(std::move(AddHeld)) {}

  /// \p R isAmongNeighbours.
  void add(const Request &R);
  void finish();

private:
  using Turn = std::vector<Request>;
  const AccessPlan &Plan;
  std::map<std::pair<AccessOp, unsigned>, Turn> ByRun;
  std::function<bool(const Request &, const CompiledPart &)> AddWide;
  std::function<void(const Request &)> AddRest, AddHeld;

  void flush(Turn &Waiting);
  bool makeWord(const std::vector<std::pair<std::int64_t, Request *>> &Near,
                Request &Of);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_WIDERREQUESTS_H
