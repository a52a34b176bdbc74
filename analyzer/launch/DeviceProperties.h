//===- analyzer/launch/DeviceProperties.h - Of the target -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a program is told that asks the CUDA runtime or driver for properties
/// of its GPU. All of it stands in `hardware/`: of an architecture alone, all
/// but the number of its SMs is known.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_DEVICEPROPERTIES_H
#define CUDA_LINT_ANALYZER_LAUNCH_DEVICEPROPERTIES_H

#include "hardware/Architecture.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace cudalint {

/// A property, or one of the dimensions that it has.
struct DeviceProperty {
  /// Of cudaDeviceProp, as in the source: `maxGridSize`.
  llvm::StringRef Field;
  /// Of that field, where it is an array.
  std::optional<unsigned> Element;
  /// The number of its cudaDeviceAttr, and of its CUdevice_attribute.
  std::int64_t Attribute = 0;
  std::int64_t Value = 0;
};

/// Those of \p Gpu that are known.
std::vector<DeviceProperty> devicePropertiesOf(const Target &Gpu);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_DEVICEPROPERTIES_H
