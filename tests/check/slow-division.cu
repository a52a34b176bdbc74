// RUN-OPTIONS: --gpu h200 --checks=-*,slow-division

// Silent: what looks like the fault and is none.

// 32 bits.
__global__ void narrow(float *data, unsigned rows, int columns) {
  for (unsigned i = threadIdx.x; i < 100000; i += blockDim.x)
    data[i / rows] += data[i % rows];
  for (int i = threadIdx.x; i < 100000; i += blockDim.x)
    data[i / columns] += data[i % columns];
}

// By what the compiler knows.
__global__ void constants(float *data, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    data[i / 1000] += data[i % 24];
}
template <int Columns> __global__ void parameter(float *data, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    data[i / Columns] += data[i % Columns];
}

// By a power of two.
__global__ void shifted(float *data, size_t n, int shift) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    data[i / (size_t(1) << shift)] += 1;
}

// Once for all turns.
__global__ void invariant(float *data, size_t n, size_t columns) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    data[i] += n / columns;
}
__global__ void before(float *data, size_t n, size_t columns) {
  size_t row = (blockIdx.x * 256 + threadIdx.x) * n / columns;
  for (size_t i = 0; i < n; ++i)
    data[row + i] += 1;
}

// 64 bits that are 32.
__global__ void extended(float *data, unsigned n, unsigned columns) {
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
    data[size_t(i) / size_t(columns)] += 1;
}

// Seldom, or a few times.
__global__ void seldom(float *data, size_t n, size_t columns) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    if (data[i] < 0)
      data[i / columns] += 1;
}
__global__ void few(float *data, size_t columns) {
  for (size_t i = 0; i < 4; ++i)
    data[(i + threadIdx.x) / columns] += 1;
}

// In the outer loop.
__global__ void outer(float *data, size_t n, size_t columns) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
    size_t row = i / columns;
    for (size_t k = 0; k < columns; ++k)
      data[row * columns + k] += 1;
  }
}

// Data, which is no index.
__global__ void quotients(unsigned long long *data, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    data[i] = data[i] / data[i + n];
}

// Then those that fire.

__global__ void rowsAndColumns(float *out, const float *in, size_t n,
                               size_t columns) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
    size_t row = i / columns;
    //~^ warning slow-division: a division of 64-bit integers takes a warp some 30 issue slots where both fit 32 bits, else 97
    size_t column = i % columns;
    out[column * (n / columns) + row] = in[i];
  }
}

__device__ long wrapped(long i, long n) {
  return i % n;
  //~^ slow-division: the remainder of 64-bit integers takes a warp some 30 issue slots where both fit 32 bits, else 106
}

__global__ void inFunction(float *data, long n, long period) {
  for (long i = threadIdx.x; i < n; i += blockDim.x)
    data[wrapped(i, period)] += 1;
}

// A loop of one thread counts one by one; the loop above may turn once.
__global__ void counted(float *data, size_t n, size_t columns) {
  for (size_t i = 0; i < n; ++i)
    data[i / columns * 32 + threadIdx.x] += 1;
  //~^ slow-division: if all fit, divide 32-bit unsigned integers, in 10 to 20 slots, or count up what is divided
}

void run(float *data, unsigned long long *numbers, size_t n, int m) {
  narrow<<<1, 256>>>(data, m, m);
  constants<<<1, 256>>>(data, n);
  parameter<24><<<1, 256>>>(data, n);
  shifted<<<1, 256>>>(data, n, m);
  invariant<<<1, 256>>>(data, n, n);
  before<<<1, 256>>>(data, n, n);
  extended<<<1, 256>>>(data, m, m);
  seldom<<<1, 256>>>(data, n, n);
  few<<<1, 256>>>(data, n);
  outer<<<1, 256>>>(data, n, n);
  rowsAndColumns<<<1, 256>>>(data, data, n, n);
  inFunction<<<1, 256>>>(data, n, n);
  quotients<<<1, 256>>>(numbers, n);
}
