//===- kernels/transactions/transactions.cu - One request per launch ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Launches one warp per line of a pattern file. Each launch makes exactly one
/// request of the memory under test, so that the counters of the launch are
/// those of the request.
///
/// usage: transactions patterns.txt [first [count]]
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

struct Request {
  unsigned Offset[32]; ///< Bytes, by lane.
  unsigned Mask;
  unsigned Never; ///< A value that memory does not hold.
  unsigned char *Global;
};

static constexpr unsigned SharedBytes = 48 * 1024;
static constexpr unsigned GlobalBytes = 1024 * 1024;

template <typename T> __device__ unsigned fold(T V) { return V; }
template <> __device__ unsigned fold(uint2 V) { return V.x ^ V.y; }
template <> __device__ unsigned fold(uint4 V) { return V.x ^ V.y ^ V.z ^ V.w; }

template <typename T> __device__ T fill(unsigned V) { return T(V); }
template <> __device__ uint2 fill(unsigned V) { return make_uint2(V, ~V); }
template <> __device__ uint4 fill(unsigned V) {
  return make_uint4(V, ~V, V + 1, V + 2);
}

enum Operation { Load, Store, Atomic };

template <typename T, bool Shared, Operation Op>
__global__ void request(Request R) {
  __shared__ __align__(128) unsigned char Bytes[Shared ? SharedBytes : 1];
  const unsigned Lane = threadIdx.x;
  if ((R.Mask >> Lane & 1) == 0)
    return;
  unsigned char *Base = Shared ? Bytes : R.Global;
  T *P = reinterpret_cast<T *>(Base + R.Offset[Lane]);
  // What follows the access never runs: it keeps the compiler from dropping it.
  if constexpr (Op == Atomic) {
    atomicAdd(P, Lane + 1);
  } else if constexpr (Op == Store) {
    *P = fill<T>(Lane);
    if (R.Never == Lane)
      R.Global[1] = Base[R.Offset[Lane ^ 1]];
  } else if (fold(*P) == R.Never) {
    R.Global[0] = 1;
  }
}

template <bool Shared, Operation Op>
static bool launchBytes(unsigned Bytes, const Request &R) {
  switch (Bytes) {
  case 1:
    request<uint8_t, Shared, Op><<<1, 32>>>(R);
    return true;
  case 2:
    request<uint16_t, Shared, Op><<<1, 32>>>(R);
    return true;
  case 4:
    request<uint32_t, Shared, Op><<<1, 32>>>(R);
    return true;
  case 8:
    request<uint2, Shared, Op><<<1, 32>>>(R);
    return true;
  case 16:
    request<uint4, Shared, Op><<<1, 32>>>(R);
    return true;
  }
  return false;
}

template <bool Shared>
static bool launch(const std::string &Op, unsigned Bytes, const Request &R) {
  if (Op == "load")
    return launchBytes<Shared, Load>(Bytes, R);
  if (Op == "store")
    return launchBytes<Shared, Store>(Bytes, R);
  if (Op != "atomic" || Bytes != 4)
    return false;
  request<uint32_t, Shared, Atomic><<<1, 32>>>(R);
  return true;
}

static void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

int main(int Argc, char **Argv) {
  if (Argc < 2) {
    std::fprintf(stderr, "usage: transactions patterns.txt [first [count]]\n");
    return 2;
  }
  const long First = Argc > 2 ? std::atol(Argv[2]) : 0;
  const long Count = Argc > 3 ? std::atol(Argv[3]) : 1L << 30;

  Request R = {};
  R.Never = 0xdeadbeef;
  check(cudaMalloc(&R.Global, GlobalBytes), "cudaMalloc");
  check(cudaMemset(R.Global, 0, GlobalBytes), "cudaMemset");

  std::ifstream In(Argv[1]);
  std::string Line;
  for (long I = 0; std::getline(In, Line); ++I) {
    if (I < First || I >= First + Count)
      continue;
    std::istringstream Words(Line);
    std::string Name, Space, Op;
    unsigned Bytes = 0;
    Words >> Name >> Space >> Op >> Bytes >> std::hex >> R.Mask;
    for (unsigned &Offset : R.Offset)
      Words >> std::dec >> Offset;
    const bool Shared = Space == "shared";
    const unsigned Room = Shared ? SharedBytes : GlobalBytes;
    if (!Words || *std::max_element(R.Offset, R.Offset + 32) + 16 > Room ||
        !(Shared ? launch<true>(Op, Bytes, R) : launch<false>(Op, Bytes, R))) {
      std::fprintf(stderr, "%s:%ld: cannot launch this line\n", Argv[1], I + 1);
      return 1;
    }
    check(cudaDeviceSynchronize(), Name.c_str());
  }
  return 0;
}
