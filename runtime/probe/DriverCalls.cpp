//===- runtime/probe/DriverCalls.cpp - What the program asks --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/DriverCalls.h"

#include "runtime/probe/Injection.h"

namespace cudalint::probe {

/// Null is the stream of the thread in the calls that end in _ptsz.
static CUstream streamOf(CUpti_CallbackId Id, CUstream Stream) {
  switch (Id) {
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz:
    return Stream ? Stream : CU_STREAM_PER_THREAD;
  default:
    return Stream;
  }
}

static std::array<unsigned, 3> clusterOf(const CUlaunchConfig &Config) {
  for (unsigned I = 0; Config.attrs && I != Config.numAttrs; ++I)
    if (const CUlaunchAttribute &Each = Config.attrs[I];
        Each.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      return {Each.value.clusterDim.x, Each.value.clusterDim.y,
              Each.value.clusterDim.z};
  return {0, 0, 0};
}

/// The driver refuses a launch with less.
static unsigned unsignedOf(int Value) {
  return Value > 0 ? static_cast<unsigned>(Value) : 0;
}

/// The calls that end with `params` of the same fields.
template <class Params> static LaunchShape shapeOf(const Params &P) {
  return {.Function = P.f,
          .Grid = {P.gridDimX, P.gridDimY, P.gridDimZ},
          .Block = {P.blockDimX, P.blockDimY, P.blockDimZ},
          .DynamicSharedBytes = P.sharedMemBytes};
}

/// The calls with a grid of two dimensions, whose block was set before.
template <class Params> static LaunchShape gridOf(const Params &P) {
  return {.Function = P.f,
          .Grid = {unsignedOf(P.grid_width), unsignedOf(P.grid_height), 1}};
}

static void onLaunchBegin(Probe &P, CUpti_CallbackId Id,
                          const CUpti_CallbackData &Data) noexcept {
  switch (Id) {
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
    auto &Call =
        *static_cast<const cuLaunchKernel_params *>(Data.functionParams);
    return P.launching(Data.context, Data.symbolName, shapeOf(Call),
                       streamOf(Id, Call.hStream), Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
    auto &Call = *static_cast<const cuLaunchCooperativeKernel_params *>(
        Data.functionParams);
    return P.launching(Data.context, Data.symbolName, shapeOf(Call),
                       streamOf(Id, Call.hStream), Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
    auto &Call =
        *static_cast<const cuLaunchKernelEx_params *>(Data.functionParams);
    if (!Call.config)
      return;
    const CUlaunchConfig &C = *Call.config;
    return P.launching(Data.context, Data.symbolName,
                       {.Function = Call.f,
                        .Grid = {C.gridDimX, C.gridDimY, C.gridDimZ},
                        .Block = {C.blockDimX, C.blockDimY, C.blockDimZ},
                        .DynamicSharedBytes = C.sharedMemBytes,
                        .Cluster = clusterOf(C)},
                       streamOf(Id, C.hStream), Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunch: {
    auto &Call = *static_cast<const cuLaunch_params *>(Data.functionParams);
    return P.gridLaunching(Data.context, Data.symbolName, {.Function = Call.f},
                           nullptr, Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid: {
    auto &Call = *static_cast<const cuLaunchGrid_params *>(Data.functionParams);
    return P.gridLaunching(Data.context, Data.symbolName, gridOf(Call), nullptr,
                           Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync: {
    auto &Call =
        *static_cast<const cuLaunchGridAsync_params *>(Data.functionParams);
    return P.gridLaunching(Data.context, Data.symbolName, gridOf(Call),
                           Call.hStream, Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice: {
    auto &Call =
        *static_cast<const cuLaunchCooperativeKernelMultiDevice_params *>(
            Data.functionParams);
    if (!Call.launchParamsList)
      return;
    return P.togetherLaunching(Data.context, Data.symbolName,
                               {Call.launchParamsList, Call.numDevices},
                               Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
  case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz: {
    auto &Call =
        *static_cast<const cuGraphLaunch_params *>(Data.functionParams);
    return P.graphLaunching(Data.context, Call.hGraph,
                            streamOf(Id, Call.hStream), Data.correlationId);
  }
  default:
    return;
  }
}

static constexpr CUpti_CallbackId LaunchCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice,
    CUPTI_DRIVER_TRACE_CBID_cuLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
};

static constexpr CUpti_CallbackId UploadCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphUpload,
    CUPTI_DRIVER_TRACE_CBID_cuGraphUpload_ptsz,
};
static constexpr CUpti_CallbackId InstantiateCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz,
};
/// All that make an executable graph, change its kernels or upload it.
static constexpr CUpti_CallbackId GraphCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecChildGraphNodeSetParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled,
    CUPTI_DRIVER_TRACE_CBID_cuGraphUpload,
    CUPTI_DRIVER_TRACE_CBID_cuGraphUpload_ptsz,
};

/// Of one of InstantiateCalls, after it succeeded: the graph, if it uploads it.
static CUgraphExec uploadedBy(const CUpti_CallbackData &Data) {
  auto &Call = *static_cast<const cuGraphInstantiateWithParams_params *>(
      Data.functionParams);
  if (!Call.instantiateParams || !Call.phGraphExec ||
      !(Call.instantiateParams->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD))
    return nullptr;
  return *Call.phGraphExec;
}

/// With these go counts.
static constexpr CUpti_CallbackId UnloadCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuModuleUnload,
    CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload,
};

static constexpr CUpti_CallbackId StreamEnds[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy,
    CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy_v2,
};

/// Between them, calls that wait are forbidden to the program and to us.
static constexpr CUpti_CallbackId CaptureBegins[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz,
};
static constexpr CUpti_CallbackId CaptureEnds[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
    CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz,
};

/// The calls that begin and end a capture have it first.
static CUstream capturedStream(CUpti_CallbackId Id,
                               const CUpti_CallbackData &Data) {
  return streamOf(
      Id, static_cast<const cuStreamEndCapture_params *>(Data.functionParams)
              ->hStream);
}

/// These wait for the whole context, or for one stream.
static constexpr CUpti_CallbackId WaitCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize_v2,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
};

static std::optional<CUstream>
waitedFor(CUpti_CallbackId Id, const CUpti_CallbackData &Data) noexcept {
  switch (Id) {
  case CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize:
  case CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz:
    return streamOf(
        Id, static_cast<const cuStreamSynchronize_params *>(Data.functionParams)
                ->hStream);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2:
    return nullptr; // the default stream
  default:
    return std::nullopt;
  }
}

template <std::size_t N>
static bool isOneOf(const CUpti_CallbackId (&Calls)[N], CUpti_CallbackId Id) {
  for (CUpti_CallbackId Each : Calls)
    if (Each == Id)
      return true;
  return false;
}

void onDriverCall(Probe &P, CUpti_CallbackId Id,
                  const CUpti_CallbackData &Data) noexcept {
  bool Entering = Data.callbackSite == CUPTI_API_ENTER;
  bool Succeeded =
      !Entering && Data.functionReturnValue &&
      *static_cast<const CUresult *>(Data.functionReturnValue) == CUDA_SUCCESS;
  if (isOneOf(LaunchCalls, Id)) {
    if (Entering)
      onLaunchBegin(P, Id, Data);
    else
      P.launched(Succeeded);
  } else if (Id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart) {
    if (Entering)
      chosenRange().profilerStarted();
  } else if (Id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop) {
    if (Entering)
      chosenRange().profilerStopped();
  } else if (Id == CUPTI_DRIVER_TRACE_CBID_cuFuncSetBlockShape) {
    auto &Call =
        *static_cast<const cuFuncSetBlockShape_params *>(Data.functionParams);
    if (Succeeded)
      P.blockShapeSet(
          Data.context, Call.hfunc,
          {unsignedOf(Call.x), unsignedOf(Call.y), unsignedOf(Call.z)});
  } else if (Id == CUPTI_DRIVER_TRACE_CBID_cuFuncSetSharedSize) {
    auto &Call =
        *static_cast<const cuFuncSetSharedSize_params *>(Data.functionParams);
    if (Succeeded)
      P.sharedSizeSet(Data.context, Call.hfunc, Call.bytes);
  } else if (isOneOf(GraphCalls, Id)) {
    if (Entering && isOneOf(UploadCalls, Id))
      P.graphUploaded(
          static_cast<const cuGraphUpload_params *>(Data.functionParams)
              ->hGraph);
    if (Entering)
      return P.graphChanging(Data.context);
    P.graphChanged();
    if (isOneOf(InstantiateCalls, Id) && Succeeded)
      P.graphUploaded(uploadedBy(Data));
  } else if (isOneOf(UnloadCalls, Id)) {
    // A library has a module for each context.
    if (Entering)
      P.unloading();
    else if (Succeeded)
      P.unloaded(
          Id == CUPTI_DRIVER_TRACE_CBID_cuModuleUnload
              ? static_cast<const cuModuleUnload_params *>(Data.functionParams)
                    ->hmod
              : nullptr);
  } else if (isOneOf(StreamEnds, Id)) {
    // Both have this one parameter.
    if (Entering)
      P.streamEnding(
          Data.context,
          static_cast<const cuStreamDestroy_v2_params *>(Data.functionParams)
              ->hStream);
    else
      P.streamEnded();
  } else if (isOneOf(CaptureBegins, Id)) {
    if (Entering)
      P.captureBeginning(Data.context, capturedStream(Id, Data));
    else if (!Succeeded)
      P.captureEnded(capturedStream(Id, Data));
  } else if (isOneOf(CaptureEnds, Id)) {
    // Also one that failed: it is over.
    if (!Entering)
      P.captureEnded(capturedStream(Id, Data));
  } else if (isOneOf(WaitCalls, Id) && Data.correlationData) {
    if (Entering)
      *Data.correlationData = P.launches();
    else if (Succeeded)
      P.synchronized(Data.context, waitedFor(Id, Data), *Data.correlationData);
  }
}

} // namespace cudalint::probe
