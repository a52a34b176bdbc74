//===- runtime/probe/DriverApi.cpp - The driver's own answers -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/DriverApi.h"

#include "runtime/probe/LockOrder.h"

#include <dlfcn.h>

namespace cudalint::probe {

DriverApi::DriverApi() {
  void *Library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!Library)
    return;
#define CUDA_LINT_LOOK_UP(Name)                                                \
  Name = reinterpret_cast<decltype(Name)>(::dlsym(Library, #Name));
  CUDA_LINT_DRIVER_FUNCTIONS(CUDA_LINT_LOOK_UP)
#undef CUDA_LINT_LOOK_UP
}

Device DriverApi::device(unsigned Index) const {
  expectNoTableLock();
  Device Out;
  // The ordinal of a device is its handle.
  auto Handle = static_cast<CUdevice>(Index);
  char Name[256] = "";
  if (cuDeviceGetName && cuDeviceGetName(Name, sizeof Name, Handle) == 0)
    Out.Name = Name;
  // As nvidia-smi writes it; of a part of a GPU (MIG), that of the part.
  CUuuid Uuid = {};
  if (cuDeviceGetUuid_v2 && cuDeviceGetUuid_v2(&Uuid, Handle) == 0) {
    Out.Uuid = "GPU-";
    for (std::size_t I = 0; I != sizeof Uuid.bytes; ++I) {
      if (I == 4 || I == 6 || I == 8 || I == 10)
        Out.Uuid += '-';
      static constexpr char Digits[] = "0123456789abcdef";
      const auto Byte = static_cast<unsigned char>(Uuid.bytes[I]);
      Out.Uuid += {Digits[Byte >> 4], Digits[Byte & 15]};
    }
  }
  auto Ask = [&](CUdevice_attribute Attribute) -> unsigned {
    int Value = 0;
    if (!cuDeviceGetAttribute ||
        cuDeviceGetAttribute(&Value, Attribute, Handle) != 0 || Value < 0)
      return 0;
    return static_cast<unsigned>(Value);
  };
  Out.Major = Ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  Out.Minor = Ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  Out.Multiprocessors = Ask(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return Out;
}

/// Blocks of an SM, those that most SMs have: where clusters do not fit into a
/// group of SMs without a rest, some have fewer. On an H200 all of 15 kernels
/// in clusters of 1 to 16 ran with this many on their fullest SM, where the
/// answer for blocks alone was up to twice that.
std::optional<unsigned>
DriverApi::blocksInClusters(const LaunchShape &Shape) const {
  CUdevice Device = 0;
  int SMs = 0, Clusters = 0;
  if (!cuOccupancyMaxActiveClusters || !cuCtxGetDevice ||
      cuCtxGetDevice(&Device) != 0 || !cuDeviceGetAttribute ||
      cuDeviceGetAttribute(&SMs, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                           Device) != 0 ||
      SMs <= 0)
    return std::nullopt;
  CUlaunchAttribute Cluster = {};
  Cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  Cluster.value.clusterDim = {Shape.Cluster[0], Shape.Cluster[1],
                              Shape.Cluster[2]};
  CUlaunchConfig Config = {};
  Config.gridDimX = Shape.Grid[0];
  Config.gridDimY = Shape.Grid[1];
  Config.gridDimZ = Shape.Grid[2];
  Config.blockDimX = Shape.Block[0];
  Config.blockDimY = Shape.Block[1];
  Config.blockDimZ = Shape.Block[2];
  Config.sharedMemBytes = Shape.DynamicSharedBytes;
  Config.attrs = &Cluster;
  Config.numAttrs = 1;
  if (cuOccupancyMaxActiveClusters(&Clusters, Shape.Function, &Config) != 0 ||
      Clusters < 0)
    return std::nullopt;
  const std::uint64_t Blocks = std::uint64_t{Shape.Cluster[0]} *
                               Shape.Cluster[1] * Shape.Cluster[2] *
                               static_cast<unsigned>(Clusters);
  const auto All = static_cast<std::uint64_t>(SMs);
  return static_cast<unsigned>((Blocks + All - 1) / All);
}

LaunchResources DriverApi::resources(const LaunchShape &Shape) const {
  expectNoTableLock();
  LaunchResources Out;
  CUfunction Function = Shape.Function;
  auto Ask = [&](CUfunction_attribute Attribute) -> std::optional<unsigned> {
    int Value = 0;
    if (!cuFuncGetAttribute)
      return std::nullopt;
    if (cuFuncGetAttribute(&Value, Attribute, Function) != 0) {
      // The runtime launches a CUkernel: its function has the attributes.
      CUfunction Loaded = nullptr;
      if (!cuKernelGetFunction ||
          cuKernelGetFunction(&Loaded, reinterpret_cast<CUkernel>(Function)) !=
              0 ||
          cuFuncGetAttribute(&Value, Attribute, Loaded) != 0)
        return std::nullopt;
    }
    if (Value < 0)
      return std::nullopt;
    return static_cast<unsigned>(Value);
  };
  Out.Registers = Ask(CU_FUNC_ATTRIBUTE_NUM_REGS);
  Out.StaticSharedBytes = Ask(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  Out.LocalBytes = Ask(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  LaunchShape Its = Shape;
  if (Its.Cluster[0] == 0)
    Its.Cluster = {Ask(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH).value_or(0),
                   Ask(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT).value_or(0),
                   Ask(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH).value_or(0)};
  if (Its.Cluster[0] != 0) {
    Out.ClusterBlocks = Its.Cluster[0] * Its.Cluster[1] * Its.Cluster[2];
    Out.BlocksPerMultiprocessor = blocksInClusters(Its);
    return Out;
  }
  std::uint64_t Threads =
      std::uint64_t{Shape.Block[0]} * Shape.Block[1] * Shape.Block[2];
  int Blocks = 0;
  if (cuOccupancyMaxActiveBlocksPerMultiprocessor && Threads <= 1024 &&
      cuOccupancyMaxActiveBlocksPerMultiprocessor(
          &Blocks, Function, static_cast<int>(Threads),
          Shape.DynamicSharedBytes) == 0 &&
      Blocks >= 0)
    Out.BlocksPerMultiprocessor = static_cast<unsigned>(Blocks);
  return Out;
}

std::string DriverApi::stickyError() const {
  expectNoTableLock();
  CUresult Result = cuCtxSynchronize ? cuCtxSynchronize() : CUDA_SUCCESS;
  const char *Name = nullptr;
  if (Result == CUDA_SUCCESS || !cuGetErrorName ||
      cuGetErrorName(Result, &Name) != CUDA_SUCCESS || !Name)
    return {};
  return Name;
}

bool DriverApi::isCapturing(CUstream Stream) const {
  expectNoTableLock();
  CUstreamCaptureStatus Status = CU_STREAM_CAPTURE_STATUS_NONE;
  return cuStreamIsCapturing && cuStreamIsCapturing(Stream, &Status) == 0 &&
         Status != CU_STREAM_CAPTURE_STATUS_NONE;
}

bool DriverApi::isBusy(CUstream Stream) const {
  expectNoTableLock();
  return cuStreamQuery && cuStreamQuery(Stream) == CUDA_ERROR_NOT_READY;
}

void DriverApi::load(CUfunction Function) const {
  expectNoTableLock();
  // Of CUDA 12.4.
  if (!cuFuncLoad || cuFuncLoad(Function) == 0)
    return;
  CUfunction Its = nullptr;
  if (cuKernelGetFunction &&
      cuKernelGetFunction(&Its, reinterpret_cast<CUkernel>(Function)) == 0)
    cuFuncLoad(Its);
}

CUmodule DriverApi::moduleOf(CUfunction Function) const {
  expectNoTableLock();
  CUmodule Out = nullptr;
  if (!cuFuncGetModule || cuFuncGetModule(&Out, Function) != 0)
    return nullptr;
  return Out;
}

CUcontext DriverApi::contextOf(CUstream Stream) const {
  expectNoTableLock();
  CUcontext Out = nullptr;
  if (!cuStreamGetCtx || cuStreamGetCtx(Stream, &Out) != 0)
    return nullptr;
  return Out;
}

const char *DriverApi::nameOf(CUfunction Function) const {
  expectNoTableLock();
  const char *Out = nullptr;
  if (cuFuncGetName && cuFuncGetName(&Out, Function) == 0)
    return Out;
  if (cuKernelGetName &&
      cuKernelGetName(&Out, reinterpret_cast<CUkernel>(Function)) == 0)
    return Out;
  return nullptr;
}

unsigned DriverApi::devices() const {
  expectNoTableLock();
  int Out = 0;
  if (!cuDeviceGetCount || cuDeviceGetCount(&Out) != 0 || Out < 0)
    return 0;
  return static_cast<unsigned>(Out);
}

std::vector<GraphKernel> DriverApi::kernels(CUgraph Graph) const {
  expectNoTableLock();
  std::vector<GraphKernel> Out;
  if (cuGraphGetNodes && cuGraphNodeGetType && cuGraphKernelNodeGetParams_v2 &&
      cuGraphChildGraphNodeGetGraph && cuFuncGetName && cuKernelGetName)
    collect(Graph, 0, Out);
  return Out;
}

void DriverApi::collect(CUgraph Graph, unsigned Depth,
                        std::vector<GraphKernel> &Out) const {
  std::size_t Count = 0;
  if (Depth == 16 || cuGraphGetNodes(Graph, nullptr, &Count) != 0)
    return;
  std::vector<CUgraphNode> Nodes(Count);
  if (!Count || cuGraphGetNodes(Graph, Nodes.data(), &Count) != 0)
    return;
  Nodes.resize(Count);
  for (CUgraphNode Node : Nodes) {
    CUgraphNodeType Type = CU_GRAPH_NODE_TYPE_EMPTY;
    if (cuGraphNodeGetType(Node, &Type) != 0)
      continue;
    if (Type == CU_GRAPH_NODE_TYPE_GRAPH) {
      CUgraph Child = nullptr;
      if (cuGraphChildGraphNodeGetGraph(Node, &Child) == 0)
        collect(Child, Depth + 1, Out);
    }
    if (Type != CU_GRAPH_NODE_TYPE_KERNEL)
      continue;
    CUDA_KERNEL_NODE_PARAMS P = {};
    if (cuGraphKernelNodeGetParams_v2(Node, &P) != 0)
      continue;
    const char *Name = nullptr;
    if (P.func ? cuFuncGetName(&Name, P.func) != 0
               : cuKernelGetName(&Name, P.kern) != 0)
      continue;
    CUfunction Function =
        P.func ? P.func : reinterpret_cast<CUfunction>(P.kern);
    Out.push_back({Name ? Name : "",
                   {.Function = Function,
                    .Grid = {P.gridDimX, P.gridDimY, P.gridDimZ},
                    .Block = {P.blockDimX, P.blockDimY, P.blockDimZ},
                    .DynamicSharedBytes = P.sharedMemBytes}});
  }
}

DriverApi::Current::Current(const DriverApi &Driver, CUcontext Context)
    : Driver(Driver) {
  expectNoTableLock();
  Pushed = Driver.cuCtxPushCurrent_v2 && Driver.cuCtxPopCurrent_v2 &&
           Driver.cuCtxPushCurrent_v2(Context) == 0;
}

DriverApi::Current::~Current() {
  CUcontext Old = nullptr;
  if (Pushed)
    Driver.cuCtxPopCurrent_v2(&Old);
}

} // namespace cudalint::probe
