// RUN-OPTIONS: --gpu h200 --checks=-*,whole-power

#include "Inputs/vendor-power.cuh"

// Silent cases first: what looks like the fault and is none.

// What only the run knows, and what few instructions do not do.
__global__ void exponents(float *data, double *doubles, float e, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = powf(data[i], e) + pow(data[i], n) + powf(data[i], 2.2f);
  data[i] += powf(data[i], 100) + powf(data[i], 1.0f / 3.0f);
  data[i] += powf(2.0f, data[i]);
  // As fast as what would take its place, or nothing was measured.
  data[i] += powf(data[i], 0.5f) + powf(data[i], 1) + powf(data[i], -2.0f);
  for (int k = 2; k < 4; ++k)
    doubles[i] += pow(doubles[i], k);
}

// nvcc 13.0: a 1, and a number.
__global__ void folded(float *data, double *doubles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += powf(data[i], 0) + powf(3.0f, 2.0f);
  doubles[i] += pow(doubles[i], 0.0) + pow(10.0, 3.0);
}

// Host code.
double onHost(double x) { return pow(x, 2.0) + powf(x, 3.0f); }

// Both, and nothing of the device calls it.
__host__ __device__ double onBoth(double x) { return pow(x, 2.0); }
constexpr double byItself(double x) { return pow(x, 2.0); }
double callsThem(double x) { return onBoth(x) + byItself(x); }

// Never instantiated, never compiled, never evaluated.
template <class T> __global__ void unused(T *data) {
  data[threadIdx.x] = pow(data[threadIdx.x], T(2));
}
template <int N> __device__ float chosen(float x) {
  if constexpr (N == 2)
    return x * x;
  else
    return powf(x, N);
}
__global__ void neverRuns(float *data) {
  data[threadIdx.x] = chosen<2>(data[threadIdx.x]);
  if constexpr (sizeof(float) == 8)
    data[threadIdx.x] = powf(data[threadIdx.x], 2);
  data[threadIdx.x] += sizeof(powf(data[threadIdx.x], 2));
}

// Of a system header.
__global__ void vendors(float *data) {
  data[threadIdx.x] = vendorSquare(data[threadIdx.x]);
  data[threadIdx.x] += VENDOR_SQUARE(data[threadIdx.x]);
}

// The user's own of that name.
namespace mine {
__device__ float pow(float x, int n) { return n == 2 ? x * x : x; }
__global__ void ownPower(float *data) {
  data[threadIdx.x] = mine::pow(data[threadIdx.x], 2);
}
} // namespace mine

// Then those that fire, with the expectation below their line.

__global__ void floats(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  float y = powf(x, 2.0f);
  //~^ warning whole-power: 'powf' with the exponent 2 takes some 75 instructions: nvcc makes nothing simpler of it; write 1 multiplication
  y += powf(x, 3);
  //~^ whole-power: write 2 multiplications
  y += pow(x, 4.0f);
  //~^ whole-power: 'pow' with the exponent 4 takes some 75 instructions: nvcc makes nothing simpler of it; write 2 multiplications
  y += std::pow(x, 5.0f);
  //~^ whole-power: write 3 multiplications
  data[i] = y;
}

// An int beside a float makes it double.
__global__ void widened(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = pow(data[i], 2);
  //~^ whole-power: 'pow' with the exponent 2 takes some 195 instructions: it is the double function, and nvcc makes nothing simpler of it; write 1 multiplication
}

__global__ void doubles(double *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = data[i];
  double y = pow(x, 2.0);
  //~^ whole-power: 'pow' with the exponent 2 takes some 195 instructions: it is the double function, and nvcc makes nothing simpler of it; write 1 multiplication
  y += std::pow(x, 3);
  //~^ whole-power: write 2 multiplications
  const int cube = 3;
  y += pow(x, cube);
  //~^ whole-power: with the exponent 3
  data[i] = y;
}

// Of both, and reached from a kernel; in a template, once.
__host__ __device__ double square(double x) {
  return pow(x, 2.0);
  //~^ whole-power: with the exponent 2
}
template <class T> __device__ T squareOf(T x) {
  return pow(x, T(2));
  //~^ whole-power: with the exponent 2
}
template <class F> __global__ void apply(float *data, double *doubles, F f) {
  data[threadIdx.x] = f(squareOf(data[threadIdx.x]));
  doubles[threadIdx.x] = square(squareOf(doubles[threadIdx.x]));
}

void run(float *data, double *values, float e, int n) {
  auto cube = [] __device__(float x) { return powf(x, 3.0f); };
  //~^ whole-power: with the exponent 3
  exponents<<<1024, 256>>>(data, values, e, n);
  folded<<<1024, 256>>>(data, values);
  neverRuns<<<1024, 256>>>(data);
  vendors<<<1024, 256>>>(data);
  mine::ownPower<<<1024, 256>>>(data);
  floats<<<1024, 256>>>(data);
  widened<<<1024, 256>>>(data);
  doubles<<<1024, 256>>>(values);
  apply<<<1024, 256>>>(data, values, cube);
}
