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
    //~^^ slow-division: if all fit, divide 32-bit unsigned integers here and in line 80, in 10 to 20 slots
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

// What no 32 bits hold.

__global__ void shiftRegister(int *data, size_t n, size_t slots) {
  unsigned long long random = threadIdx.x + 1;
  for (size_t i = 0; i < n; ++i) {
    random = random << 1 ^ ((long long)random < 0 ? 7 : 0);
    data[random % slots] = 1;
    //~^ warning slow-division: the remainder of 64-bit integers takes a warp some 97 issue slots, as what is divided does not fit 32 bits
    //~^^ slow-division: '__umul64hi(value, n)' is as good an index where the value is spread over 64 bits
  }
}

// All that turns in the loop is an update that may have to be tried again.
__global__ void exchanged(int *sums, size_t n, size_t slots) {
  for (size_t i = threadIdx.x; i < n; i += 256) {
    unsigned long long hash = i * 0x9e3779b97f4a7c15ull;
    int *sum = sums + (hash ^ hash >> 29) % slots;
    //~^ slow-division: some 97 issue slots, as
    int old = *sum, assumed;
    do {
      assumed = old;
      old = atomicCAS(sum, assumed, assumed ^ int(hash));
    } while (assumed != old);
  }
}

__global__ void scattered(float *data, long n, long slots) {
  for (long i = threadIdx.x; i < n; i += 256) {
    long mixed = i ^ i << 21;
    data[mixed / slots] = 1;
    //~^ note slow-division: a division of 64-bit integers takes a warp some 106 issue slots, as what is divided does not fit 32 bits
  }
}

// A number, and no index: any other would not do.
__global__ void modulo(unsigned *out, const unsigned *limbs, int n,
                       unsigned long long by) {
  unsigned long long rest = 0;
  for (int i = 0; i < n; ++i)
    rest = (rest << 32 | limbs[i]) % by;
    //~^ note slow-division: the remainder of 64-bit integers takes a warp some 97 issue slots, as what is divided does not fit 32 bits
  if (rest == 1)
    out[threadIdx.x] = n;
}

__global__ void rotated(int *data, const unsigned long long *keys, size_t n,
                        size_t slots) {
  for (size_t i = threadIdx.x; i < n; i += 256) {
    data[(keys[i] << 31 | keys[i] >> 33) % slots] = 1;
    //~^ slow-division: some 97 issue slots, as
    data[(i * 0x9e3779b97f4a7c15ull >> 40) % slots] = 1;
    //~^ slow-division: some 30 issue slots where both fit 32 bits, else 97
  }
}

// A step of a sorting network, and bytes of an index: they may fit.
__global__ void partner(float *data, size_t n, size_t step, size_t columns) {
  for (size_t i = threadIdx.x; i < n; i += 256) {
    data[(i ^ step) % columns] += 1;
    //~^ slow-division: some 30 issue slots where both fit 32 bits, else 97
    data[(i << 3) % columns] += 1;
    //~^ slow-division: some 30 issue slots where both fit 32 bits, else 97
  }
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
  modulo<<<1, 256>>>((unsigned *)data, (const unsigned *)data, m, n);
  outer<<<1, 256>>>(data, n, n);
  rowsAndColumns<<<1, 256>>>(data, data, n, n);
  inFunction<<<1, 256>>>(data, n, n);
  quotients<<<1, 256>>>(numbers, n);
  shiftRegister<<<1, 256>>>((int *)data, n, n);
  exchanged<<<1, 256>>>((int *)data, n, n);
  rotated<<<1, 256>>>((int *)data, numbers, n, n);
  scattered<<<1, 256>>>(data, n, n);
  partner<<<1, 256>>>(data, n, n, n);
}
