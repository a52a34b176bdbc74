//===- tests/unit/analyzer/frontend/ToolkitHeaderTests.cpp - Tests --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What nvcc accepts with the headers of an installed toolkit; each of these
/// was an error to Clang alone, or would be with another set of flags.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/frontend/Parsing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;

namespace cudalint::test::ToolkitHeaderTests {

namespace {
class ToolkitHeaders : public testing::Test {
protected:
  void SetUp() override {
    if (const ToolkitLookup Found = findToolkit(""); Found.Path.empty())
      GTEST_SKIP() << Found.Error;
  }
};
} // namespace

static void expectClean(const std::string &Code,
                        std::vector<std::string> Arguments = {}) {
  ParseSetting Options;
  Options.CompilerArguments = std::move(Arguments);
  Parsed P = parseWithToolkit(Code, Options);
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  EXPECT_EQ(P.Result.Diagnostics, "");
  EXPECT_EQ(P.Visits, 1);
}

TEST_F(ToolkitHeaders, HostCodeUsesMathWithoutStd) {
  expectClean(R"cuda(
int main() {
  int n = max(1, 2) + min(3u, 4) + max(5L, 6L);
  double d = max(1.0f, 2.0) + min(1.0, 2.0);
  constexpr int c = max(3, 4);
  static_assert(c == 4, "");
  return isfinite(1.0f) + isnan(d) + isinf(2.0f) + n;
}
template <class T> __host__ __device__ T top(T a) { return max(a, T(3)); }
__global__ void k(int *p) { p[0] = top(p[1]) + max(p[2], 3u); }
int host = top(2);
)cuda");
}

TEST_F(ToolkitHeaders, CommonStandardHeadersAreThere) {
  expectClean("int main() {\n"
              "  printf(\"%d\\n\", (int)sqrt(4.0)); assert(clock() > 0);\n"
              "  void *p = malloc(4); memset(p, 0, 4); free(p);\n"
              "  srand(time(0)); return 0;\n"
              "}\n");
}

TEST_F(ToolkitHeaders, LoadsAndStoresWithCacheHints) {
  expectClean(R"cuda(
__global__ void k(float *f, float4 *v, unsigned char *b) {
  __stcs(f + threadIdx.x, 1.0);
  __stcg(v, __ldcs(v + 1));
  __stwt(f, __ldca(f + 1) + __ldlu(f) + __ldcv(f) + __ldcg(f) + __ldg(f));
  __stwb(b, __ldca(b + 1));
}
)cuda");
}

TEST_F(ToolkitHeaders, UsersMayNameThingsLikeCurandsMacros) {
  expectClean("const int THREAD_NUM = 256, MEXP = 1, TBL_SIZE = 2;\n"
              "enum { LARGE_SIZE, QUALIFIERS };\n");
}

TEST_F(ToolkitHeaders, BarriersAndPipelinesInSharedMemory) {
  expectClean(R"cuda(
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
__global__ void k(int *p) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto group = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(group, &state);
  if (group.thread_rank() == 0)
    init(&bar, group.size());
  bar.arrive_and_wait();
}
)cuda");
}

TEST_F(ToolkitHeaders, LibrariesOfTheToolkit) {
  expectClean(R"cuda(
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda/std/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>
#include <mma.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
namespace cg = cooperative_groups;
__global__ void k(float *p, half2 *h, __nv_bfloat16 *b) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = Reduce(storage).Sum(p[threadIdx.x]);
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  sum += cg::reduce(tile, sum, cg::plus<float>());
  h[threadIdx.x] = __hadd2(h[threadIdx.x], h[threadIdx.x + 1]);
  p[threadIdx.x] = sum + __bfloat162float(b[0]) + tile.shfl_down(sum, 1);
}
void sort(thrust::device_vector<int> &v) {
  thrust::sort(v.begin(), v.end());
}
)cuda");
}

TEST_F(ToolkitHeaders, ManagedVariablesAndValuedMacros) {
  expectClean("__managed__ int shared_by_both;\n"
              "__global__ void k(int *p) { p[0] = shared_by_both; }\n"
              "int main() { return shared_by_both; }\n"
              "#if !__CUDACC__ || __CUDACC_VER_MAJOR__ < 7\n#error\n#endif\n"
              "#ifndef __NVCC__\n#error\n#endif\n");
}

TEST_F(ToolkitHeaders, AtomicsBuiltIntoNvcc) {
  expectClean("__global__ void k(int *p) {\n"
              "  int v = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED);\n"
              "  __nv_atomic_fetch_add(p, v, __NV_ATOMIC_SEQ_CST,\n"
              "                        __NV_THREAD_SCOPE_BLOCK);\n"
              "}\n");
}

TEST_F(ToolkitHeaders, KernelsAreFoundWithNvccsCommandLine) {
  expectClean("__global__ void k(float *p) { p[threadIdx.x] = N; }\n",
              {"-DN=1", "-gencode", "arch=compute_90,code=sm_90", "-Xcompiler",
               "-Wall,-fPIC", "--expt-relaxed-constexpr",
               "--expt-extended-lambda", "-rdc=true", "-lineinfo",
               "-use_fast_math", "-O3", "-G", "-Xptxas", "-v", "-m64", "-c",
               "-o", "x.o"});
}

TEST_F(ToolkitHeaders, OldArchitecturesAreParsedWithTheOldestOfTheToolkit) {
  Architecture Fermi{};
  Fermi.CC = {2, 0};
  ParseSetting Options;
  Options.Arch = &Fermi;
  Parsed P = parseWithToolkit(
      "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n", Options);
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1kPf"));
}

} // namespace cudalint::test::ToolkitHeaderTests
