//===- analyzer/ir/SharedRequests.h - Accesses in one request --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiled code may have fewer instructions than the source has accesses:
/// those of two branches become one, or of the same address read again. What
/// they request in one turn is one request then.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_SHAREDREQUESTS_H
#define CUDA_LINT_ANALYZER_IR_SHAREDREQUESTS_H

#include "analyzer/ir/AccessPlan.h"
#include "analyzer/ir/CollectedAccess.h"
#include "analyzer/ir/WarpInterpreter.h"

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace cudalint {

/// Accesses by their instructions and parts, as in Request.
using JoinedAccesses = std::set<std::pair<const llvm::Instruction *, unsigned>>;

/// Whether the lanes have one value in both, and it is known.
bool sameIn(LaneMask Lanes, const LaneValue &A, const LaneValue &B);

/// Puts together the requests of one warp's run.
class SharedRequests {
public:
  /// \p Add is given each request once it is whole; \p Joined grows by what is
  /// in a request of another access.
  SharedRequests(LaneArithmetic &A, const AccessPlan &Plan,
                 JoinedAccesses &Joined,
                 std::function<void(const Request &)> Add)
      : A(A), Plan(Plan), Joined(Joined), Add(std::move(Add)) {}

  /// \p Part is as an instruction whose pool IsShared.
  void add(const Request &Part);
  void finish();

  /// \p Part, which IsOfAllBranches, as made by the lanes of all of them.
  Request ofAllBranches(Request Part) const;

private:
  /// A request as far as it is known, and whose it is.
  struct Pending {
    Request Whole;
    std::set<const llvm::Instruction *> By;
    bool IsUnclear = false; ///< Part of a request that is not known as a whole.
  };

  LaneArithmetic &A;
  const AccessPlan &Plan;
  JoinedAccesses &Joined;
  std::function<void(const Request &)> Add;
  std::map<unsigned, Pending> ByPool;

  bool join(const Request &Part, Pending &Waiting);
  void makeSure(Request &R) const;
  void add(Pending &Waiting);
};

/// What is in requests of others, and has none of its own.
std::vector<RemovedAccess> joinedInto(const std::vector<CollectedAccess> &Found,
                                      const JoinedAccesses &Joined,
                                      const AccessPlan &Plan);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_SHAREDREQUESTS_H
