//===- bench/EvaluatorBenchmark.cpp - Speed of the evaluator --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How long the analysis of one kernel takes once it is parsed, by its number
/// of memory accesses: the growth must be linear. And what one question to the
/// hardware model costs.
///
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Frontend.h"
#include "analyzer/ir/Canonicalise.h"
#include "analyzer/ir/KernelEvaluator.h"
#include "hardware/WarpTransactions.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <benchmark/benchmark.h>

#include <random>

using namespace cudalint;

static const Architecture &hopper() { return *findArchitecture({9, 0}); }

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The language's own words: nothing of the toolkit is needed.
static constexpr const char *Header = R"(
#pragma clang system_header
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
};
#include <__clang_cuda_builtin_vars.h>
)";

/// Statements of two accesses each, all with another pattern, so that none are
/// merged: strided loads, tiles in shared memory, a swizzle, a guard.
static std::string straightKernel(std::int64_t Accesses) {
  std::string S = "__global__ void k(float *o, const float *a, int n) {\n"
                  "  __shared__ float s[4096];\n"
                  "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n";
  for (std::int64_t K = 0; K < Accesses / 2; ++K) {
    const std::string C = std::to_string(K), R = std::to_string(K % 31 + 2);
    switch (K % 4) {
    case 0:
      S += "s[(t * " + R + " + " + C + ") & 4095] = a[i * " + R + " + " + C +
           " * 4096];\n";
      break;
    case 1:
      S += "o[i + " + C + " * n] = s[t / " + R + " * 32 + t % " + R + "];\n";
      break;
    case 2:
      S += "s[t / 32 * 32 + (t % 32 ^ " + R + ")] = a[i + " + C + " * n];\n";
      break;
    default:
      S += "if (t % " + R + " == 0) o[i * 2 + " + C + "] = s[t + " + R + "];\n";
    }
  }
  return S + "}\n";
}

/// As many accesses in loops: one over tiles whose number is not known, one of
/// 16 turns that is run turn by turn.
static std::string loopKernel(std::int64_t Accesses) {
  std::string S = "__global__ void k(float *o, const float *a, int n) {\n"
                  "  __shared__ float s[8192];\n"
                  "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n";
  for (std::int64_t K = 0; K < Accesses / 4; ++K) {
    const std::string C = std::to_string(K), R = std::to_string(K % 31 + 2);
    S += "for (int j = 0; j < n; j += 32) {\n  s[t + " + R + "] = a[(i + " + C +
         ") * n + j];\n  for (int m = 0; m < 16; ++m)\n    o[i + m * " + R +
         "] = s[t * " + R + " + m];\n}\n";
  }
  return S + "}\n";
}

namespace {

/// A kernel, parsed.
struct Parsed {
  llvm::LLVMContext Context;
  SourceFacts Facts;
  std::unique_ptr<llvm::Module> Module;

  explicit Parsed(const std::string &Source) {
    FrontendOptions Options;
    Options.Arch = &hopper();
    Options.StandInHeader = Header;
    const CompileJob Job = {.File = "kernel.cu",
                            .Folder = {},
                            .Arguments = {},
                            .Files = overDisk({{"kernel.cu", Source}}, "")};
    std::string Stopped;
    FrontendResult R = parseCuda(
        Job, Options, Context,
        [&](clang::ASTContext &AST, auto &) {
          Facts = collectSourceFacts(AST);
        },
        Stopped);
    Module = std::move(R.Module);
    if (!Module || R.Status != UnitStatus::Ok)
      llvm::report_fatal_error(llvm::StringRef(R.Diagnostics));
  }

  const llvm::Function &kernel() const {
    for (const llvm::Function &F : *Module)
      if (F.getCallingConv() == llvm::CallingConv::PTX_Kernel)
        return F;
    llvm::report_fatal_error("no kernel");
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The evaluator
//===----------------------------------------------------------------------===//

static void evaluate(benchmark::State &State,
                     std::string (*Source)(std::int64_t)) {
  Parsed P(Source(State.range(0)));
  canonicalise(*P.Module);
  LaunchShape Shape;
  Shape.BlockSource = LaunchSource::Launch;
  std::size_t Accesses = 0;
  for (auto _ : State) {
    const KernelEvaluation E =
        evaluateKernel(P.kernel(), Shape, hopper(), P.Facts);
    Accesses = E.Accesses.size();
    benchmark::DoNotOptimize(Accesses);
  }
  State.SetItemsProcessed(State.iterations() *
                          static_cast<std::int64_t>(Accesses));
  State.counters["accesses"] = static_cast<double>(Accesses);
  State.SetComplexityN(static_cast<std::int64_t>(Accesses));
}

static void evaluateStraightCode(benchmark::State &State) {
  evaluate(State, straightKernel);
}
BENCHMARK(evaluateStraightCode)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Arg(20000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

static void evaluateLoops(benchmark::State &State) {
  evaluate(State, loopKernel);
}
BENCHMARK(evaluateLoops)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Arg(20000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

/// Much to evaluate between few requests, and a guard that each block decides:
/// the runs of up to 64 blocks share the time that one may take.
static void evaluateGuardedBlocks(benchmark::State &State) {
  Parsed P(R"(
__global__ void k(float *p) {
  float x = 0;
  for (int i = 0; i < 4096; ++i)
    for (int j = 0; j < i; ++j)
      x = x * 0.5f + j;
  if (threadIdx.x < blockIdx.x * 3)
    p[threadIdx.x] = x;
}
)");
  canonicalise(*P.Module);
  const LaunchShape Shape = {.BlockSource = LaunchSource::Launch,
                             .Grid = {State.range(0), 1, 1}};
  for (auto _ : State)
    benchmark::DoNotOptimize(
        evaluateKernel(P.kernel(), Shape, hopper(), P.Facts).Accesses.size());
}
BENCHMARK(evaluateGuardedBlocks)
    ->Arg(1)
    ->Arg(64)
    ->Arg(65)
    ->Unit(benchmark::kMillisecond);

/// The passes of LLVM that come before, on a fresh copy each time.
static void canonicaliseStraightCode(benchmark::State &State) {
  Parsed P(straightKernel(State.range(0)));
  for (auto _ : State) {
    State.PauseTiming();
    std::unique_ptr<llvm::Module> Copy = llvm::CloneModule(*P.Module);
    State.ResumeTiming();
    canonicalise(*Copy);
  }
  State.SetComplexityN(State.range(0));
}
BENCHMARK(canonicaliseStraightCode)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Arg(20000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

//===----------------------------------------------------------------------===//
// The hardware model
//===----------------------------------------------------------------------===//

static WarpRequest strided(unsigned Bytes, std::uint64_t Stride) {
  WarpRequest R;
  R.BytesPerLane = Bytes;
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Address[L] = 4096 + L * Stride * Bytes;
  return R;
}

static WarpRequest scattered(unsigned Bytes) {
  WarpRequest R;
  R.BytesPerLane = Bytes;
  std::mt19937_64 Draw(1);
  for (std::uint64_t &A : R.Address)
    A = Draw() % 65536 / Bytes * Bytes;
  return R;
}

static void askGlobal(benchmark::State &State, const WarpRequest &R) {
  for (auto _ : State) {
    WarpRequest Request = R;
    benchmark::DoNotOptimize(Request);
    benchmark::DoNotOptimize(globalTraffic(hopper(), Request));
  }
}
static void askShared(benchmark::State &State, const WarpRequest &R) {
  for (auto _ : State) {
    WarpRequest Request = R;
    benchmark::DoNotOptimize(Request);
    benchmark::DoNotOptimize(sharedTraffic(hopper(), Request));
  }
}
BENCHMARK_CAPTURE(askGlobal, consecutive, strided(4, 1));
BENCHMARK_CAPTURE(askGlobal, strided, strided(4, 32));
BENCHMARK_CAPTURE(askGlobal, scattered, scattered(4));
BENCHMARK_CAPTURE(askShared, consecutive, strided(4, 1));
BENCHMARK_CAPTURE(askShared, strided, strided(4, 32));
BENCHMARK_CAPTURE(askShared, scattered, scattered(4));
BENCHMARK_CAPTURE(askShared, wide, strided(16, 3));
