//===- cubin/ResourceUsage.h - Registers and their like of a cubin  C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a cubin tells the driver of each kernel, as `cuobjdump -res-usage`
/// shows it and `ptxas -v` printed it when the kernel was compiled. It is in
/// the sections .nv.info, whose attributes CUDA's tools name (EIATTR_REGCOUNT
/// and so on) and nobody documents: what they mean is tested against ptxas.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_CUBIN_RESOURCEUSAGE_H
#define CUDA_LINT_CUBIN_RESOURCEUSAGE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint::cubin {

/// Of one kernel. What the file does not tell is empty.
struct ResourceUsage {
  std::string Kernel;                     ///< As the linker sees it.
  std::optional<std::uint64_t> Registers; ///< Per thread.
  /// Static, of a block: without what is reserved for the system.
  std::optional<std::uint64_t> SharedBytes;
  std::optional<std::uint64_t> LocalBytes; ///< Stack frame, per thread.
  /// Bytes per thread, of all instructions that spill, each once. CUDA 13 marks
  /// them; of older code they are known only where there is no frame.
  std::optional<std::uint64_t> SpillStores, SpillLoads;
  std::optional<std::uint64_t> Barriers;
};

/// Of all kernels of \p Cubin, an ELF file of which nothing is trusted; none of
/// what is no cubin. In the order of their sections.
std::vector<ResourceUsage> readResourceUsage(std::string_view Cubin);

} // namespace cudalint::cubin

#endif // CUDA_LINT_CUBIN_RESOURCEUSAGE_H
