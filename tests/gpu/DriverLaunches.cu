//===- tests/gpu/DriverLaunches.cu - By calls of the driver ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `DriverLaunches MODE [COUNT]`: launches that the runtime does not make, and a
// first kernel that waits. Prints the sum of the results.
//
//===----------------------------------------------------------------------===//

#define CUDA_ENABLE_DEPRECATED
#include "GpuProgram.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <nvrtc.h>
#include <string>
#include <vector>

static constexpr const char *Source =
    "extern \"C\" __global__ void loaded(float *Out) {\n"
    "  int Block = blockIdx.y * gridDim.x + blockIdx.x;\n"
    "  Out[Block * blockDim.x + threadIdx.x] += 2.0f;\n"
    "}\n";

/// A module of the current context.
static CUmodule load() {
  nvrtcProgram Program;
  if (nvrtcCreateProgram(&Program, Source, "loaded.cu", 0, nullptr, nullptr))
    std::_Exit(97);
  int Major = 0, Minor = 0;
  check(cudaDeviceGetAttribute(&Major, cudaDevAttrComputeCapabilityMajor, 0));
  check(cudaDeviceGetAttribute(&Minor, cudaDevAttrComputeCapabilityMinor, 0));
  std::string Arch = "-arch=sm_" + std::to_string(10 * Major + Minor);
  const char *Options[] = {Arch.c_str(), "-lineinfo"};
  if (nvrtcCompileProgram(Program, 2, Options))
    std::_Exit(96);
  std::size_t Size = 0;
  nvrtcGetCUBINSize(Program, &Size);
  std::vector<char> Cubin(Size);
  nvrtcGetCUBIN(Program, Cubin.data());
  nvrtcDestroyProgram(&Program);
  CUmodule Module;
  check(cuModuleLoadData(&Module, Cubin.data()));
  return Module;
}

static float *allocate() {
  float *Out = nullptr;
  check(cudaMalloc(&Out, Elements * sizeof(float)));
  check(cudaMemset(Out, 0, Elements * sizeof(float)));
  return Out;
}

static void print(const float *Out) {
  check(cudaDeviceSynchronize());
  std::vector<float> Host(Elements);
  check(cudaMemcpy(Host.data(), Out, Elements * sizeof(float),
                   cudaMemcpyDeviceToHost));
  double Sum = 0;
  for (float X : Host)
    Sum += X;
  std::printf("%.3f\n", Sum);
}

/// The calls that take the block from what was set before: a block, and twice
/// all blocks.
static void runGrid(int Count) {
  float *Out = allocate();
  CUfunction Function;
  check(cuModuleGetFunction(&Function, load(), "loaded"));
  check(cuFuncSetBlockShape(Function, Threads, 1, 1));
  check(cuFuncSetSharedSize(Function, 256));
  check(cuParamSetSize(Function, sizeof Out));
  check(cuParamSetv(Function, 0, &Out, sizeof Out));
  CUstream Stream;
  check(cuStreamCreate(&Stream, CU_STREAM_NON_BLOCKING));
  for (int I = 0; I != Count; ++I) {
    check(cuLaunch(Function));
    check(cuLaunchGrid(Function, Blocks / 2, 2));
    check(cuCtxSynchronize());
    check(cuLaunchGridAsync(Function, Blocks / 2, 2, Stream));
    check(cuCtxSynchronize());
  }
  check(cuStreamDestroy(Stream));
  print(Out);
}

/// One call launches on all GPUs, in contexts of the runtime. Where the driver
/// refuses that, it says so.
static void runTogether(int Count) {
  int Gpus = 0;
  check(cudaGetDeviceCount(&Gpus));
  std::vector<CUDA_LAUNCH_PARAMS> List(Gpus);
  std::vector<float *> Outs;
  std::vector<void *> Arguments(Gpus);
  for (int I = 0; I != Gpus; ++I) {
    check(cudaSetDevice(I));
    Outs.push_back(allocate());
  }
  for (int I = 0; I != Gpus; ++I) {
    check(cudaSetDevice(I));
    Arguments[I] = &Outs[I];
    CUDA_LAUNCH_PARAMS &P = List[I];
    check(cuModuleGetFunction(&P.function, load(), "loaded"));
    check(cuStreamCreate(&P.hStream, CU_STREAM_NON_BLOCKING));
    P.gridDimX = Blocks;
    P.blockDimX = Threads;
    P.gridDimY = P.gridDimZ = P.blockDimY = P.blockDimZ = 1;
    P.kernelParams = &Arguments[I];
  }
  for (int I = 0; I != Count; ++I)
    std::printf("answer %d\n",
                static_cast<int>(cuLaunchCooperativeKernelMultiDevice(
                    List.data(), static_cast<unsigned>(Gpus), 0)));
  for (int I = 0; I != Gpus; ++I) {
    check(cudaSetDevice(I));
    print(Outs[I]);
  }
}

/// Two warps wait for what the host writes after their launch.
__global__ void waiting(const volatile int *Flag, float *Out) {
  while (*Flag == 0)
    ;
  Out[threadIdx.x] += 1.0f;
}

/// The first kernel of the program, of a module that is loaded by its launch,
/// ends when another was launched, and that is the first launch of the other.
static void runFirst(int) {
  int *Flag = nullptr, *OfDevice = nullptr;
  check(cudaHostAlloc(&Flag, sizeof *Flag, cudaHostAllocMapped));
  *Flag = 0;
  check(cudaHostGetDevicePointer(&OfDevice, Flag, 0));
  float *Out = allocate();
  // The code of the other is loaded before: for that, the driver might wait.
  CUfunction After;
  int Registers = 0;
  check(cuModuleGetFunction(&After, load(), "loaded"));
  check(cuFuncGetAttribute(&Registers, CU_FUNC_ATTRIBUTE_NUM_REGS, After));
  cudaStream_t Streams[2];
  for (cudaStream_t &Each : Streams)
    check(cudaStreamCreateWithFlags(&Each, cudaStreamNonBlocking));
  check(cudaDeviceSynchronize());
  waiting<<<1, 64, 0, Streams[0]>>>(OfDevice, Out);
  check(cudaGetLastError());
  float *Rest = Out + 64;
  void *Arguments[] = {&Rest};
  check(cuLaunchKernel(After, 1, 1, 1, 64, 1, 1, 0, Streams[1], Arguments,
                       nullptr));
  *static_cast<volatile int *>(Flag) = 1;
  print(Out);
}

int main(int Argc, char **Argv) {
  static const std::map<std::string, void (*)(int)> Modes = {
      {"first", runFirst}, {"grid", runGrid}, {"together", runTogether}};
  auto Found = Modes.find(Argc > 1 ? Argv[1] : "");
  if (Found == Modes.end())
    return 2;
  Found->second(Argc > 2 ? std::atoi(Argv[2]) : 3);
  return 0;
}
