//===- runtime/ncu/RawPage.h - What ncu knows of launches -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `ncu --page raw --csv`: the names of all metrics in the first line, their
/// units in the second, and a launch in each of the others. What is taken, and
/// of which columns:
///
///   Kernel Name, Device, CC, Grid Size, Block Size
///   device__attribute_display_name, device__attribute_multiprocessor_count
///   launch__registers_per_thread
///   launch__shared_mem_per_block_static, _dynamic
///   launch__occupancy_limit_{blocks,registers,shared_mem,warps,barriers}
///   sm__warps_active.avg.pct_of_peak_sustained_active
///   dram__bytes_read.sum, dram__bytes_write.sum
///   lts__t_sectors.sum, lts__t_sectors.avg.pct_of_peak_sustained_elapsed
///   gpu__time_duration.sum
///
/// Only the kernel's name and the shapes must be there. ncu 2022.3 has
/// launch__grid_dim_{x,y,z}, launch__block_dim_{x,y,z}, launch__device_id and
/// device__attribute_compute_capability_{major,minor} in the place of the last
/// four of the first line.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_NCU_RAWPAGE_H
#define CUDA_LINT_RUNTIME_NCU_RAWPAGE_H

#include "runtime/join/Profile.h"

#include <string_view>
#include <vector>

namespace cudalint::ncu {

struct RawLaunch {
  ProfileDevice Device;
  ProfileLaunch Launch; ///< Of one launch.
};

/// Whether \p Line is the first of such a page.
bool isRawHead(std::string_view Line);

/// In the order of the launches. Throws Fault.
std::vector<RawLaunch> readRawPage(std::string_view Text);

} // namespace cudalint::ncu

#endif // CUDA_LINT_RUNTIME_NCU_RAWPAGE_H
