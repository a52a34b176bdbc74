//===- bench/bounds_kernels.cu - One busy resource each -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels that keep one resource of a GPU busy: see check_bounds.py.
///
//===----------------------------------------------------------------------===//

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void copy(float4 *o, const float4 *a) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  o[i] = a[i];
}

__global__ void saxpy(float *y, const float *x, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

__global__ void strided(float *o, const float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = a[(size_t)i * 8];
}

template <int Pitch> __global__ void columns(float *o) {
  __shared__ float s[32 * Pitch];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  float v = 0;
  for (int k = 0; k < 64; ++k)
    v += s[(t % 32) * Pitch + (t / 32 + k) % 32];
  o[blockIdx.x * blockDim.x + t] = v;
}

template <typename T> __global__ void multiplyAdd(T *o, T a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = i, y = i + 1, z = i + 2, w = i + 3;
  for (int k = 0; k < 256; ++k) {
    x = x * a + a;
    y = y * a + a;
    z = z * a + a;
    w = w * a + a;
  }
  o[i] = x + y + z + w;
}

__global__ void halves(__half2 *o, __half2 a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 x = a, y = a, z = a, w = a;
  for (int k = 0; k < 256; ++k) {
    x = __hfma2(x, a, a);
    y = __hfma2(y, a, x);
    z = __hfma2(z, a, y);
    w = __hfma2(w, a, z);
  }
  o[i] = __hadd2(__hadd2(x, y), __hadd2(z, w));
}

__global__ void multiply(float *c, const float *a, const float *b) {
  __shared__ float sa[32][32], sb[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  int col = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  float v = 0;
  for (int k = 0; k < 1024; k += 32) {
    sa[y][x] = a[row * 1024 + k + x];
    sb[y][x] = b[(k + y) * 1024 + col];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      v += sa[y][j] * sb[j][x];
    __syncthreads();
  }
  c[row * 1024 + col] = v;
}

__global__ void transpose(float *o, const float *a) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  o[x * 4096 + y] = a[y * 4096 + x];
}

__global__ void cached(float *o, const float *a) {
  int t = threadIdx.x;
  float v = 0;
  for (int k = 0; k < 256; ++k)
    v += a[(t + k * 32) & 4095];
  o[blockIdx.x * blockDim.x + t] = v;
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 1u << 30);
  cudaMalloc(&b, 1u << 30);
  cudaMalloc(&c, 1u << 30);
  copy<<<262144, 256>>>((float4 *)b, (float4 *)a);
  saxpy<<<1048576, 256>>>(b, a, 2.f);
  strided<<<131072, 256>>>(b, a);
  columns<32><<<1320, 1024>>>(b);
  columns<33><<<1320, 1024>>>(b);
  multiplyAdd<<<10560, 256>>>(b, 1.5f);
  multiplyAdd<<<10560, 256>>>((double *)b, 1.5);
  halves<<<10560, 256>>>((__half2 *)b, __float2half2_rn(0.5f));
  multiply<<<dim3(32, 32), dim3(32, 32)>>>(c, a, b);
  transpose<<<dim3(128, 512), dim3(32, 8)>>>(b, a);
  cached<<<10560, 256>>>(b, a);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
