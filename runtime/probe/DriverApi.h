//===- runtime/probe/DriverApi.h - The driver's own answers -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_DRIVERAPI_H
#define CUDA_LINT_RUNTIME_PROBE_DRIVERAPI_H

#include "runtime/probe/Profile.h"

#include <cuda.h>
#include <vector>

namespace cudalint::probe {

/// The functions of the driver that the probe calls, by the names that the
/// library exports.
#define CUDA_LINT_DRIVER_FUNCTIONS(X)                                          \
  X(cuCtxGetDevice)                                                            \
  X(cuCtxPushCurrent_v2)                                                       \
  X(cuCtxPopCurrent_v2)                                                        \
  X(cuCtxSynchronize)                                                          \
  X(cuDeviceGetCount)                                                          \
  X(cuDeviceGetAttribute)                                                      \
  X(cuDeviceGetName)                                                           \
  X(cuDeviceGetUuid_v2)                                                        \
  X(cuFuncGetAttribute)                                                        \
  X(cuFuncGetModule)                                                           \
  X(cuFuncGetName)                                                             \
  X(cuFuncLoad)                                                                \
  X(cuGetErrorName)                                                            \
  X(cuGraphChildGraphNodeGetGraph)                                             \
  X(cuGraphGetNodes)                                                           \
  X(cuGraphKernelNodeGetParams_v2)                                             \
  X(cuGraphNodeGetType)                                                        \
  X(cuKernelGetFunction)                                                       \
  X(cuKernelGetName)                                                           \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                               \
  X(cuOccupancyMaxActiveClusters)                                              \
  X(cuStreamGetCtx)                                                            \
  X(cuStreamIsCapturing)                                                       \
  X(cuStreamQuery)

/// A launch as a call or a node of a graph describes it.
struct LaunchShape {
  CUfunction Function = nullptr; // also a CUkernel, as the driver allows
  std::array<unsigned, 3> Grid = {1, 1, 1};
  std::array<unsigned, 3> Block = {1, 1, 1}; // zeros: it is not known
  unsigned DynamicSharedBytes = 0;
  /// Blocks of a cluster, as the launch has it; zeros: it does not say.
  std::array<unsigned, 3> Cluster = {0, 0, 0};

  bool operator==(const LaunchShape &) const = default;
};

struct GraphKernel {
  std::string Name;
  LaunchShape Shape;
};

/// libcuda, which is loaded already: it has loaded us. A function that an
/// older driver lacks answers nothing.
class DriverApi {
public:
  DriverApi();

  Device device(unsigned Index) const;
  LaunchResources resources(const LaunchShape &Shape) const;

  /// The name of the error that a kernel has left in the current context, which
  /// every call returns from then on; empty if there is none. Waits.
  std::string stickyError() const;

  /// Whether what is sent to \p Stream is recorded, not run.
  bool isCapturing(CUstream Stream) const;

  /// Whether \p Stream of the current context has work. False also where that
  /// is not known. Waits for nothing.
  bool isBusy(CUstream Stream) const;

  /// Loads the code of \p Function, which may be a CUkernel, into the current
  /// context, as its first launch would. CUPTI tells that in a callback of its
  /// own, before this returns, unless the driver cannot do it.
  void load(CUfunction Function) const;

  /// Of these, null: it is not known.
  CUmodule moduleOf(CUfunction Function) const;
  CUcontext contextOf(CUstream Stream) const;
  /// As the linker sees it; valid as long as the handle. \p Function may be a
  /// CUkernel.
  const char *nameOf(CUfunction Function) const;
  unsigned devices() const;

  /// The kernels of \p Graph and of the graphs in it.
  std::vector<GraphKernel> kernels(CUgraph Graph) const;

  /// Makes \p Context that of this thread as long as it lives.
  class Current {
  public:
    Current(const DriverApi &Driver, CUcontext Context);
    Current(const Current &) = delete;
    Current &operator=(const Current &) = delete;
    ~Current();

  private:
    const DriverApi &Driver;
    bool Pushed = false;
  };

private:
  std::optional<unsigned> blocksInClusters(const LaunchShape &Shape) const;
  void collect(CUgraph Graph, unsigned Depth,
               std::vector<GraphKernel> &Out) const;

#define CUDA_LINT_MEMBER(Name) decltype(&::Name) Name = nullptr;
  CUDA_LINT_DRIVER_FUNCTIONS(CUDA_LINT_MEMBER)
#undef CUDA_LINT_MEMBER
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_DRIVERAPI_H
