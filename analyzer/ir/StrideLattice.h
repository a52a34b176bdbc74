//===- analyzer/ir/StrideLattice.h - What a block leaves between *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether the lanes of a block, in all turns of all loops, are whole strides
/// apart from each other, as for a[i * stride] with an i of any kind, also
/// where only the run knows the stride: what lies between is nobody's there,
/// and neither other lanes nor a tile make use of it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_STRIDELATTICE_H
#define CUDA_LINT_ANALYZER_IR_STRIDELATTICE_H

#include "analyzer/ir/WarpInterpreter.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cudalint {

/// Where the lanes of one access are, of the requests that were added.
class StrideLattice {
public:
  /// A symbol in the words of any run: what it is, its name, of which constant;
  /// of one without a name, the how-manyeth such it is in the address.
  using Factor = std::tuple<SymbolKind, std::string, const void *, std::int64_t,
                            std::int64_t>;
  /// The factors of a product, sorted; none: 1.
  using Product = std::vector<Factor>;
  /// Bytes: a sum of products, each with what it is multiplied by, never 0.
  using Sum = std::map<Product, std::int64_t>;

  /// A request of the warps from \p First to \p Last. \p A holds the symbols of
  /// its address.
  void add(LaneArithmetic &A, const Request &R, unsigned First, unsigned Last);

  /// The stride, and then where the lanes are but for whole strides: equal for
  /// accesses that leave the same to nobody. Empty: they are not apart so, or
  /// less than two elements are.
  std::vector<Sum> place() const;

private:
  /// One product: so many bytes, times what only the run knows.
  struct Stride {
    std::int64_t Bytes = 0;
    Product Of;
    bool divides(const Product &P, std::int64_t Times) const;
    /// What remains of \p S without whole strides.
    Sum remainder(const Sum &S) const;
  };
  std::optional<Stride> Step;
  Sum At; ///< Of all lanes, without whole strides.
  bool IsApart = true;
  unsigned Added = 0;

  void addLanes(const LaneArithmetic &A, const LaneValue &Address,
                const Request &R);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_STRIDELATTICE_H
