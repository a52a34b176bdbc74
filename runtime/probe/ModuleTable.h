//===- runtime/probe/ModuleTable.h - Which code is loaded -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_MODULETABLE_H
#define CUDA_LINT_RUNTIME_PROBE_MODULETABLE_H

#include "cubin/Cubin.h"
#include "runtime/probe/LockOrder.h"

#include <deque>
#include <memory>

namespace cudalint::probe {

using cubin::Cubin;

/// The modules that are loaded, each content once. A record of CUPTI names its
/// module by a number of 32 bits. CUPTI's own is a sum over 25 bytes of the
/// cubin and its size, which two files of a program often share: so it is asked
/// to take the numbers of this table instead, which are unique. A CUPTI that
/// does not is understood where the name of the function decides.
class ModuleTable {
public:
  /// The number of the module of these bytes; never 0. No other content ever
  /// gets it, even after the module was unloaded.
  std::uint32_t number(std::string_view Bytes);

  /// Counts one more of the module of these bytes, which CUPTI itself would
  /// call \p CuptisNumber, or one less. The code of modules that are gone is
  /// kept, the oldest left out, up to \p KeptBytes in all.
  void loaded(std::string_view Bytes,
              std::optional<std::uint32_t> CuptisNumber);
  void unloaded(std::string_view Bytes, std::size_t KeptBytes = 0);

  /// The module that a record names by \p Number and that has \p Function;
  /// null where there is none, or more than one.
  std::shared_ptr<const Cubin> find(std::uint32_t Number,
                                    std::string_view Function) const;

  /// Whether a kernel of that name may wait for what others write; absent
  /// where its code is not loaded.
  std::optional<bool> mayWait(std::string_view Function) const;
  /// Bytes of the code that runs with it: the most that a module has.
  std::size_t codeBytes(std::string_view Function) const;

private:
  struct Module {
    std::uint64_t Hash = 0; // with the size, the content when Code is gone
    std::size_t Size = 0;
    std::shared_ptr<const Cubin> Code; // null: it is not loaded
    std::optional<std::uint32_t> CuptisNumber;
    unsigned Loads = 0;
  };
  using Modules = std::map<std::uint32_t, Module>;
  Modules::iterator place(std::string_view Bytes);

  mutable RankedMutex<LockRank::Modules> Mutex;
  Modules All;
  // Modules that were unloaded and whose code is kept, and its size.
  std::deque<std::uint32_t> Gone;
  std::size_t GoneBytes = 0;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_MODULETABLE_H
