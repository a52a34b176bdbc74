//===- tests/gpu/GraphProgram.cu - Graphs under the probe -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `GraphProgram MODE [COUNT]`: ways to make and launch graphs. CUPTI's patched
// code and the addresses that an uploaded graph holds do not go together, so a
// probe that counts at the wrong moment ends these programs with error 700.
//
//===----------------------------------------------------------------------===//

#include "GpuProgram.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>

/// Counts that can be said by hand, see tests/gpu/ProbeProgram.cu.
__global__ void stride(const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X = In[I];        // ideal: 4 sectors per request
  Out[2 * I] += X + 1.0f; // 8 sectors per request
}

/// Takes milliseconds, and a tenth of a second while it is counted.
__global__ void longer(float *Out, int Count) {
  __shared__ float Tile[1024];
  Tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I != Count; ++I)
    Sum += Tile[(threadIdx.x * 2 + I) % 1024];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

namespace {
struct Work {
  static constexpr int LongBlocks = 528;

  float *In, *Out, *Long;
  cudaStream_t Stream, Other;

  Work() {
    check(cudaMalloc(&In, Elements * sizeof(float)));
    check(cudaMalloc(&Out, 2 * Elements * sizeof(float)));
    check(cudaMalloc(&Long, LongBlocks * 1024 * sizeof(float)));
    check(cudaMemset(In, 0, Elements * sizeof(float)));
    check(cudaMemset(Out, 0, 2 * Elements * sizeof(float)));
    check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&Other, cudaStreamNonBlocking));
  }

  void launch() { stride<<<Blocks, Threads, 0, Stream>>>(In, Out); }

  cudaGraph_t capture() {
    cudaGraph_t Graph;
    check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
    launch();
    launch();
    check(cudaStreamEndCapture(Stream, &Graph));
    return Graph;
  }

  cudaGraphExec_t make(unsigned long long Flags = 0) {
    cudaGraphExec_t Exec;
    check(cudaGraphInstantiateWithFlags(&Exec, capture(), Flags));
    return Exec;
  }

  void replay(cudaGraphExec_t Exec, int Count) {
    for (int I = 0; I != Count; ++I)
      check(cudaGraphLaunch(Exec, Stream));
    check(cudaStreamSynchronize(Stream));
  }

  void launchDirectly(int Count) {
    for (int I = 0; I != Count; ++I)
      launch();
    check(cudaStreamSynchronize(Stream));
  }

  /// How often the kernel ran.
  int launches() const {
    check(cudaDeviceSynchronize());
    float First = 0;
    check(cudaMemcpy(&First, Out, sizeof First, cudaMemcpyDeviceToHost));
    return static_cast<int>(First);
  }
};
} // namespace

static void runReplay(Work &W, int Count) { W.replay(W.make(), Count); }

static void runUploaded(Work &W, int Count) {
  cudaGraphExec_t Exec = W.make();
  check(cudaGraphUpload(Exec, W.Stream));
  W.replay(Exec, Count);
}

/// As before, but its kernel was launched before, which patches it.
static void runLaunchedAndUploaded(Work &W, int Count) {
  W.launchDirectly(1);
  runUploaded(W, Count);
}

static void runUploadedAtOnce(Work &W, int Count) {
  cudaGraph_t Graph = W.capture();
  cudaGraphInstantiateParams How = {};
  How.flags = cudaGraphInstantiateFlagUpload;
  How.uploadStream = W.Stream;
  cudaGraphExec_t Exec;
  check(cudaGraphInstantiateWithParams(&Exec, Graph, &How));
  W.replay(Exec, Count);
}

/// In turns with the same kernel launched directly.
static void runTurns(Work &W, int Count) {
  cudaGraphExec_t Exec = W.make();
  for (int I = 0; I != 3; ++I) {
    W.replay(Exec, Count);
    W.launchDirectly(Count);
  }
}

static void runUpdated(Work &W, int Count) {
  cudaGraphExec_t Exec = W.make();
  for (int I = 0; I != 3; ++I) {
    cudaGraphExecUpdateResultInfo Info;
    check(cudaGraphExecUpdate(Exec, W.capture(), &Info));
    W.replay(Exec, Count);
    W.launchDirectly(1);
  }
}

/// A graph that is made, launched and destroyed each time.
static void runMadeAnew(Work &W, int Count) {
  for (int I = 0; I != Count; ++I) {
    cudaGraphExec_t Exec = W.make();
    W.replay(Exec, 1);
    check(cudaGraphExecDestroy(Exec));
  }
}

static void runChild(Work &W, int Count) {
  cudaGraph_t Parent;
  cudaGraphNode_t Node, Next;
  check(cudaGraphCreate(&Parent, 0));
  check(cudaGraphAddChildGraphNode(&Node, Parent, nullptr, 0, W.capture()));
  check(cudaGraphAddChildGraphNode(&Next, Parent, &Node, 1, W.capture()));
  cudaGraphExec_t Exec;
  check(cudaGraphInstantiate(&Exec, Parent, 0));
  W.replay(Exec, Count);
}

/// One thread does this with graphs, again and again, while the other launches
/// kernels that take long. Prints how many launches of kernels are missing.
template <typename Act> static void runBeside(Work &W, int Count, Act Launch) {
  std::atomic<bool> Stop = false;
  int Launched = 0;
  std::thread Other([&] {
    for (; !Stop; ++Launched)
      Launch();
  });
  for (int I = 0; I != Count; ++I) {
    longer<<<Work::LongBlocks, 1024, 0, W.Other>>>(W.Long, 20000);
    check(cudaStreamSynchronize(W.Other));
  }
  Stop = true;
  Other.join();
  std::printf("%d launches of kernels missing\n", 2 * Launched - W.launches());
  check(cudaMemset(W.Out, 0, sizeof(float)));
}

static void runReplayBeside(Work &W, int Count) {
  cudaGraphExec_t Exec = W.make();
  runBeside(W, Count, [&] { W.replay(Exec, 1); });
}

static void runMadeBeside(Work &W, int Count) {
  runBeside(W, Count, [&] {
    cudaGraphExec_t Exec = W.make();
    W.replay(Exec, 1);
    check(cudaGraphExecDestroy(Exec));
  });
}

static void runUpdatedBeside(Work &W, int Count) {
  cudaGraphExec_t Exec = W.make();
  runBeside(W, Count, [&] {
    cudaGraph_t Graph = W.capture();
    cudaGraphExecUpdateResultInfo Info;
    check(cudaGraphExecUpdate(Exec, Graph, &Info));
    check(cudaGraphDestroy(Graph));
    W.replay(Exec, 1);
  });
}

int main(int Argc, char **Argv) {
  static const std::map<std::string, void (*)(Work &, int)> Modes = {
      {"anew", runMadeAnew},
      {"child", runChild},
      {"launched-uploaded", runLaunchedAndUploaded},
      {"made-beside", runMadeBeside},
      {"replay", runReplay},
      {"replay-beside", runReplayBeside},
      {"turns", runTurns},
      {"updated", runUpdated},
      {"updated-beside", runUpdatedBeside},
      {"uploaded", runUploaded},
      {"uploaded-at-once", runUploadedAtOnce}};
  auto Found = Modes.find(Argc > 1 ? Argv[1] : "replay");
  if (Found == Modes.end())
    return 2;
  Work W;
  Found->second(W, Argc > 2 ? std::atoi(Argv[2]) : 3);
  std::printf("%d\n", W.launches());
  return 0;
}
