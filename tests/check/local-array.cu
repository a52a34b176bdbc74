// RUN-OPTIONS: --gpu h200 --ptxas-log %S/Inputs/local-array.log --checks=-*,local-array
// RUN-OPTIONS(unknown): --gpu h200 --checks=-*,local-array

// Of the second run nothing is expected: there are no figures.

// Loops of known length: the compiler unrolls them, the log says so.
__global__ void unrolled(float *out, const float *in) {
  float part[16];
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += part[i] * part[15 - i];
  out[threadIdx.x] = sum;
}

// All of its local memory is spills.
__global__ void spilled(float *out, const float *in) {
  float part[16];
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += part[i] * part[15 - i];
  out[threadIdx.x] = sum;
}

// A table and a parameter are indexed where they are: in constant memory.
__global__ void table(float *out, const int *index) {
  const float primes[4] = {2, 3, 5, 7};
  out[threadIdx.x] = primes[index[threadIdx.x] & 3];
}

struct Weights {
  float w[16];
};
__device__ float at(Weights weights, int i) { return weights.w[i]; }
__global__ void parameter(Weights weights, float *out, const int *index) {
  out[threadIdx.x] = at(weights, index[threadIdx.x]);
}

// No arrays: a compiler picks what is meant, and keeps it in registers.
struct Vector {
  float x, y, z;
};
__global__ void component(float *out, const int *index) {
  Vector v = {out[0], out[1], out[2]};
  (&v.x)[index[threadIdx.x] % 3] = 2;
  out[threadIdx.x] = v.x + v.y + v.z;
}
__global__ void scalar(float *out, const int *index) {
  float x = 0;
  float *p = index[0] ? &x : out;
  p[threadIdx.x * (index[0] == 0)] = 3;
  out[threadIdx.x] = x;
}
template <class F> __device__ void each(int n, F f) {
  for (int i = 0; i < n; ++i)
    f(i);
}
__global__ void captured(float *out, int n) {
  float sum = 0;
  each(n, [&](int i) { sum += out[i]; });
  out[threadIdx.x] = sum;
}

// The compiler gave this one a stack.
__global__ void bytes(float *out, const int *index) {
  unsigned long long x = index[0];
  ((unsigned char *)&x)[index[threadIdx.x] & 7] = 5;
  //~^ warning local-array: the private variable 'x' of 8 bytes lives in local memory (8 bytes of 'bytes' on h200)
  out[threadIdx.x] = x;
}

// The same, where the compiler did not unroll.
__global__ void loop(float *out, const float *in) {
  float part[16];
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  //~^ warning local-array: the private array 'part' of 64 bytes lives in local memory (64 bytes of 'loop' on h200): the loop that counts its index here is not unrolled
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += part[i] * part[15 - i];
  out[threadIdx.x] = sum;
}

__global__ void pick(float *out, const float *in, const int *index) {
  float part[16];
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  out[threadIdx.x] = part[index[threadIdx.x] % 16];
  //~^ warning local-array: its index here is known only at run time
}

__global__ void bounded(float *out, const float *in, int n) {
  float part[16];
  for (int i = 0; i < n; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  //~^ warning local-array: its index here is known only at run time
  out[threadIdx.x] = part[0];
}

// The array is indexed, not the whole object.
struct State {
  float sum;
  float part[16];
};
__global__ void member(float *out, const float *in, const int *index) {
  State state;
  state.sum = in[threadIdx.x];
  for (int i = 0; i < 16; ++i)
    state.part[i] = in[i * 1024 + threadIdx.x];
  out[threadIdx.x] = state.part[index[threadIdx.x] % 16] + state.sum;
  //~^ warning local-array: the private array 'state.part' of 64 bytes lives in local memory (72 bytes of 'member' on h200): its index here is known only at run time
}

// The function is inlined twice, and the compiler gave both copies one place.
__device__ float picked(const float *in, int index) {
  float part[16];
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  return part[index % 16];
  //~^ warning local-array: the private array 'part' of 64 bytes lives in local memory (64 bytes of 'twice' on h200)
}
__global__ void twice(float *out, const float *in, const int *index) {
  out[threadIdx.x] = picked(in, index[0]) + picked(in + 7, index[1]);
}

// What a function takes as a pointer has the name that it has where it lives.
__device__ void derive(const float *in, float *slopes, const int *index) {
  for (int i = 0; i < 16; ++i)
    slopes[index[i] & 15] = in[i];
  //~^ warning local-array: the private array 'forces' of 64 bytes lives in local memory (64 bytes of 'filled' on h200)
}
__global__ void filled(float *out, const float *in, const int *index) {
  float forces[16];
  derive(in, forces, index);
  out[threadIdx.x] = forces[index[threadIdx.x] & 15];
}

// Of 9 accesses to 'few' and some n * 128 to 'many', the latter count.
__device__ float first(const float *in, const int *index) {
  float few[8];
  for (int i = 0; i < 8; ++i)
    few[i] = in[i];
  return few[index[0] & 7];
  //~^ note local-array: the private array 'few' of 32 bytes
}
__global__ void two(float *out, const float *in, const int *index, int n) {
  float many[64], sum = first(in, index);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 64; ++i) {
      many[index[i] & 63] = in[i];
      //~^ warning local-array: the private array 'many' of 256 bytes
      sum += many[index[k] & 63];
    }
  out[threadIdx.x] = sum;
}

// nvcc copies a table of bytes for each thread.
__device__ int inverse(int i) {
  const unsigned char table[64] = {1, 171, 205, 183, 57, 163, 197, 239, 241};
  return table[i & 63];
  //~^ local-array: lives in local memory (64 bytes of 'tabled' on h200): its index here is known only at run time, and registers have no index; declare it 'static const', one for all threads: it holds nothing but constants
}
__global__ void tabled(int *out, const int *index) {
  out[threadIdx.x] = inverse(index[threadIdx.x]);
}

// That nothing changes it need not be said.
__global__ void weighted(float *out, const float *in, int width, int radius) {
  float weights[9] = {1, 0, -1, 2, 0, -2, 1, 0, -1};
  float sum = 0;
  for (int i = -radius, k = 0; i <= radius; i++, k++)
    for (int j = -radius, l = 0; j <= radius; j++, l++)
      sum += in[(i + blockIdx.x) * width + threadIdx.x + j] * weights[k * 3 + l];
      //~^ local-array: declare it 'static const', one for all threads: it holds nothing but constants
  out[blockIdx.x * width + threadIdx.x] = sum;
}

// A method names its member: the index that keeps the array from registers is
// that of the objects.
struct Wide {
  unsigned limbs[16];
  __device__ unsigned modulo(unsigned by) const {
    unsigned long long rest = 0;
#pragma unroll
    for (int i = 15; i >= 0; --i)
      rest = (rest << 32 | limbs[i]) % by;
      //~^ local-array: the private array 'several' of 512 bytes lives in local memory
    return rest;
  }
};
__global__ void moduli(unsigned *out, const Wide *in, int n) {
  Wide several[8];
  for (int i = 0; i < n; ++i)
    several[i] = in[i];
  for (int i = 0; i < n; ++i)
    out[i * 1024 + threadIdx.x] = several[i].modulo(threadIdx.x + 1);
}

// One that is stored into is each thread's own.
__global__ void marked(int *out, const int *index) {
  unsigned char table[64] = {1, 171, 205, 183, 57, 163, 197, 239, 241};
  table[index[threadIdx.x] & 63] = 0;
  //~^ local-array: make the indices constants
  out[threadIdx.x] = table[index[threadIdx.x + 1] & 63];
}

// What is passed by value has an index where it is passed, but nvcc copies it
// for a loop.
struct Limits {
  float each[16];
  int count;
};
__device__ inline float limitOf(const Limits &all, int i) {
  return all.each[i];
  //~^ warning local-array: the parameter 'limits' of 68 bytes is copied to local memory (68 bytes of 'limitedByCall' on h200): its index here is known only at run time, in a loop or a function that is not inlined; declare it 'const __grid_constant__ limits', which is read where it is passed
}
__global__ void limitedByCall(float *out, Limits limits, const int *index) {
  for (int i = 0; i < limits.count; ++i)
    out[i * 256 + threadIdx.x] = limitOf(limits, index[i] & 15);
}
__global__ void limited(float *out, Limits limits, const int *index) {
  out[threadIdx.x] = limits.each[index[threadIdx.x] & 15];
}
__global__ void limitedInPlace(float *out, const __grid_constant__ Limits limits,
                               const int *index) {
  for (int i = 0; i < limits.count; ++i)
    out[i * 256 + threadIdx.x] = limitOf(limits, index[i] & 15);
}
