//===- tests/gpu/ProbeProgram.cu - What the probe is tried on -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program with many ways to launch and to end: `ProbeProgram MODE [COUNT]`.
// It prints a sum that depends on the kernels' results, so that a run under
// the probe can be compared with a plain one.
//
//===----------------------------------------------------------------------===//

#include "GpuProgram.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_pipeline.h>
#include <dlfcn.h>
#include <map>
#include <nvrtc.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// Counts that can be said by hand, a warp has 32 lanes: the load touches 4
/// sectors per request, the store with a stride of two floats 8.
__global__ void stride(const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X = In[I];       // ideal: 4 sectors per request
  Out[2 * I] = X + 1.0f; // 8 sectors per request
}

/// Every space and every kind of access.
__global__ void spaces(const float *In, float *Out, unsigned *Counts) {
  float *Sums = reinterpret_cast<float *>(Counts + 96);
  __shared__ float Tile[32 * 33];
  __shared__ unsigned Histogram[32];
  __shared__ __align__(16) float Staged[Threads];
  int T = threadIdx.x;
  int I = blockIdx.x * blockDim.x + T;
  if (T < 32)
    Histogram[T] = 0;
  Tile[(T % 32) * 32 + T / 32] = In[I];           // 32 wavefronts
  __pipeline_memcpy_async(&Staged[T], &In[I], 4); // global to shared
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  atomicAdd(&Histogram[T % 32], 1u);                  // shared atomic
  atomicAdd(&Counts[I % 32], 1u);                     // a reduction
  atomicAdd(&Sums[I % 32], 1.0f);                     // a sum of floats
  unsigned Old = atomicAdd(&Counts[32 + I % 32], 1u); // needs its result
  if (I < 5)
    Counts[64 + I] = Old != 0xffffffffu; // few active lanes
  float Local[32];
  for (int K = 0; K != 32; ++K)
    Local[K] = In[(I + K) % Elements];
  int Pick = static_cast<int>(In[I]) & 31;
  Local[Pick] += 1.0f;
  const float *Either = Pick & 1 ? &Staged[T] : &In[I]; // a generic load
  __syncthreads();
  Out[I] = Tile[(T % 32) * 32 + T / 32] + *Either + Local[(Pick + 7) & 31] +
           static_cast<float>(Histogram[T % 32] > 0);
}

/// Lanes that part: odd ones take the long way.
__global__ void diverge(float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X = Out[I];
  if (threadIdx.x & 1)
    for (int K = 0; K < (threadIdx.x & 31); ++K)
      X = X * 1.5f + sinf(X);
  Out[I] = X;
}

__global__ void spin(long long Clocks, float *Out) {
  long long Start = clock64();
  while (clock64() - Start < Clocks)
    ;
  if (Out)
    Out[threadIdx.x] += 1.0f;
}

struct Buffers {
  float *In = nullptr;
  float *Out = nullptr;
  unsigned *Counts = nullptr;

  Buffers() {
    check(cudaMalloc(&In, Elements * sizeof(float)));
    check(cudaMalloc(&Out, 2 * Elements * sizeof(float)));
    check(cudaMalloc(&Counts, 128 * sizeof(unsigned)));
    std::vector<float> Host(Elements);
    for (int I = 0; I != Elements; ++I)
      Host[I] = static_cast<float>(I % 97);
    check(cudaMemcpy(In, Host.data(), Elements * sizeof(float),
                     cudaMemcpyHostToDevice));
    check(cudaMemset(Out, 0, 2 * Elements * sizeof(float)));
    check(cudaMemset(Counts, 0, 128 * sizeof(unsigned)));
  }

  void print(const char *What) const {
    check(cudaDeviceSynchronize());
    std::vector<float> Host(2 * Elements);
    check(cudaMemcpy(Host.data(), Out, Host.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    double Sum = 0;
    for (float X : Host)
      Sum += X;
    std::printf("%s %.3f\n", What, Sum);
    std::fflush(stdout);
  }
};

static void launchAll(const Buffers &B, int Count, cudaStream_t Stream = 0) {
  for (int I = 0; I != Count; ++I) {
    stride<<<Blocks, Threads, 0, Stream>>>(B.In, B.Out);
    spaces<<<Blocks, Threads, 0, Stream>>>(B.In, B.Out, B.Counts);
    diverge<<<Blocks, Threads, 0, Stream>>>(B.Out);
  }
  check(cudaGetLastError());
}

static void runThreads(int Count) {
  std::vector<std::thread> Pool;
  Buffers B[4];
  for (int T = 0; T != 4; ++T)
    Pool.emplace_back([&B, T, Count] {
      cudaStream_t Stream;
      check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking));
      launchAll(B[T], Count, Stream);
      check(cudaStreamSynchronize(Stream));
      check(cudaStreamDestroy(Stream));
    });
  for (std::thread &T : Pool)
    T.join();
  for (const Buffers &Each : B)
    Each.print("threads");
}

/// One thread, two streams that are gone at the end.
static void runStreams(int Count) {
  Buffers B[2];
  for (const Buffers &Each : B) {
    cudaStream_t Stream;
    check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking));
    launchAll(Each, Count, Stream);
    check(cudaStreamDestroy(Stream));
  }
  for (const Buffers &Each : B)
    Each.print("streams");
}

/// Threads that launch to one stream and are gone at the end.
static void runWorkers(int Count) {
  Buffers B[2];
  for (const Buffers &Each : B)
    std::thread([&] { launchAll(Each, Count); }).join();
  for (const Buffers &Each : B)
    Each.print("workers");
}

static void runGraph(int Count) {
  Buffers B;
  cudaStream_t Stream;
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  check(cudaStreamCreate(&Stream));
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  launchAll(B, 2, Stream);
  check(cudaStreamEndCapture(Stream, &Graph));
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  for (int I = 0; I != Count; ++I)
    check(cudaGraphLaunch(Exec, Stream));
  check(cudaStreamSynchronize(Stream));
  B.print("graph");
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
}

static void runReset(int Count) {
  {
    Buffers B;
    launchAll(B, Count);
    B.print("before");
  }
  check(cudaDeviceReset());
  Buffers B;
  launchAll(B, Count);
  B.print("after");
}

/// A module that is compiled, loaded, run and unloaded while running.
static void runModule(int Count) {
  static const char *Source =
      "extern \"C\" __global__ void loaded(float *Out) {\n"
      "  int I = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  Out[I] += 2.0f;\n"
      "}\n";
  Buffers B;
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
  for (int Round = 0; Round != 3; ++Round) {
    CUmodule Module;
    CUfunction Function;
    check(cuModuleLoadData(&Module, Cubin.data()));
    check(cuModuleGetFunction(&Function, Module, "loaded"));
    void *Arguments[] = {const_cast<float **>(&B.Out)};
    for (int I = 0; I != Count; ++I)
      check(cuLaunchKernel(Function, Blocks, 1, 1, Threads, 1, 1, 0, nullptr,
                           Arguments, nullptr));
    check(cuCtxSynchronize());
    check(cuModuleUnload(Module));
  }
  B.print("module");
}

/// Two contexts of the driver beside the primary one.
static void runContexts(int Count) {
  check(cuInit(0));
  CUdevice Device;
  check(cuDeviceGet(&Device, 0));
  CUcontext Contexts[2];
  for (CUcontext &Context : Contexts) {
#if CUDA_VERSION >= 13000
    check(cuCtxCreate(&Context, nullptr, 0, Device));
#else
    check(cuCtxCreate(&Context, 0, Device));
#endif
    Buffers B;
    launchAll(B, Count);
    B.print("context");
  }
  check(cuCtxDestroy(Contexts[0]));
}

/// All GPUs, one after the other and at last the first again.
static void runGpus(int Count) {
  int Gpus = 0;
  check(cudaGetDeviceCount(&Gpus));
  for (int I = 0; I <= Gpus; ++I) {
    check(cudaSetDevice(I % Gpus));
    Buffers B;
    launchAll(B, Count);
    B.print("gpu");
  }
}

/// All GPUs at once, each from a thread of its own.
static void runGpusAtOnce(int Count) {
  int Gpus = 0;
  check(cudaGetDeviceCount(&Gpus));
  std::vector<std::thread> Pool;
  for (int I = 0; I != Gpus; ++I)
    Pool.emplace_back([I, Count] {
      check(cudaSetDevice(I));
      Buffers B;
      launchAll(B, Count);
      check(cudaDeviceSynchronize());
    });
  for (std::thread &T : Pool)
    T.join();
}

/// A program that takes kernel records of CUPTI, as a built-in profiler does;
/// tells on the error stream what it got.
static unsigned Records;

static void runRecords(int Count) {
  void *Library = nullptr;
  for (const char *Name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
    if (!Library)
      Library = dlopen(Name, RTLD_NOW);
  if (!Library)
    std::_Exit(95);
  using Wanted = void (*)(unsigned char **, std::size_t *, std::size_t *);
  using Full =
      void (*)(CUcontext, unsigned, unsigned char *, std::size_t, std::size_t);
  auto Register = reinterpret_cast<int (*)(Wanted, Full)>(
      dlsym(Library, "cuptiActivityRegisterCallbacks"));
  auto Enable =
      reinterpret_cast<int (*)(int)>(dlsym(Library, "cuptiActivityEnable"));
  auto Flush = reinterpret_cast<int (*)(unsigned)>(
      dlsym(Library, "cuptiActivityFlushAll"));
  check(cudaFree(nullptr));
  int Failed = Register(
      [](unsigned char **Buffer, std::size_t *Size, std::size_t *Most) {
        *Size = 1 << 16;
        *Buffer = static_cast<unsigned char *>(std::aligned_alloc(8, *Size));
        *Most = 0;
      },
      [](CUcontext, unsigned, unsigned char *Buffer, std::size_t,
         std::size_t Valid) {
        Records += Valid != 0;
        std::free(Buffer);
      });
  Failed |= Enable(10); // CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
  Buffers B;
  launchAll(B, Count);
  B.print("records");
  Failed |= Flush(1);
  std::fprintf(stderr, "%s, %s records\n", Failed ? "refused" : "accepted",
               Records ? "with" : "without");
}

static void runFork(int Count) {
  // A child that never uses CUDA, made before the parent does.
  std::fflush(nullptr);
  if (pid_t Child = fork(); Child == 0)
    std::exit(7);
  else
    waitpid(Child, nullptr, 0);
  // A child that uses CUDA of its own; the parent has not begun.
  if (pid_t Child = fork(); Child == 0) {
    Buffers B;
    launchAll(B, Count);
    B.print("child");
    std::exit(0);
  } else {
    waitpid(Child, nullptr, 0);
  }
  Buffers B;
  launchAll(B, Count);
  B.print("parent");
  // A child of a process that uses CUDA may only end or exec.
  int Status = 0;
  if (pid_t Child = fork(); Child == 0)
    std::exit(3);
  else
    waitpid(Child, &Status, 0);
  std::printf("child ended %d\n", WEXITSTATUS(Status));
  std::fflush(nullptr);
  if (pid_t Child = fork(); Child == 0) {
    execl("/proc/self/exe", "ProbeProgram", "exit", "1", nullptr);
    std::_Exit(127);
  } else {
    waitpid(Child, &Status, 0);
  }
  std::printf("exec ended %d\n", WEXITSTATUS(Status));
}

static void onTerminate(int) {
  static const char Text[] = "handled\n";
  ssize_t Ignored = write(STDOUT_FILENO, Text, sizeof Text - 1);
  (void)Ignored;
  _exit(42);
}

/// Ends the process in the way that is asked for. Returns false when \p How is
/// none of these.
static bool endBy(const std::string &How) {
  if (How == "abort")
    std::abort();
  if (How == "throw")
    throw std::runtime_error("uncaught");
  if (How == "terminate" || How == "interrupt")
    kill(getpid(), How == "terminate" ? SIGTERM : SIGINT);
  if (How == "handled") {
    std::signal(SIGTERM, onTerminate);
    kill(getpid(), SIGTERM);
  }
  if (How == "kill")
    kill(getpid(), SIGKILL);
  if (How == "crash")
    *static_cast<volatile int *>(nullptr) = 1;
  if (How == "quick")
    std::quick_exit(5);
  if (How == "_exit")
    _exit(6);
  return How == "exit" || How == "quiet";
}

static void runMany(int Count) {
  Buffers B;
  auto Start = std::chrono::steady_clock::now();
  for (int I = 0; I != Count; ++I)
    stride<<<Blocks, Threads>>>(B.In, B.Out);
  B.print("many");
  std::chrono::duration<double, std::micro> Time =
      std::chrono::steady_clock::now() - Start;
  std::fprintf(stderr, "%.2f us per launch\n", Time.count() / Count);
}

int main(int Argc, char **Argv) {
  std::string Mode = Argc > 1 ? Argv[1] : "exit";
  int Count = Argc > 2 ? std::atoi(Argv[2]) : 3;
  static const std::map<std::string, void (*)(int)> Modes = {
      {"contexts", runContexts}, {"fork", runFork},
      {"gpus", runGpus},         {"gpus-at-once", runGpusAtOnce},
      {"graph", runGraph},       {"many", runMany},
      {"records", runRecords},   {"module", runModule},
      {"reset", runReset},       {"streams", runStreams},
      {"threads", runThreads},   {"workers", runWorkers}};
  if (auto Found = Modes.find(Mode); Found != Modes.end()) {
    Found->second(Count);
    return 0;
  }
  if (Mode == "none")
    return 4;
  if (Mode == "hang") {
    spin<<<1, 32>>>(1LL << 60, nullptr);
    check(cudaDeviceSynchronize());
  }
  Buffers B;
  launchAll(B, Count);
  if (Mode != "quiet") // otherwise ends while the kernels may still run
    B.print("result");
  if (!endBy(Mode)) {
    std::fprintf(stderr, "no such mode: %s\n", Mode.c_str());
    return 2;
  }
  return 11;
}
