// RUN-OPTIONS: --gpu h200 --checks=-*,pointer-aliasing
// RUN-OPTIONS(less): --gpu h200 --checks=-*,pointer-aliasing --config="{CheckOptions: {pointer-aliasing.LeastPercent: 1}}"

// Silent cases first.

// Each of them is apart.
__global__ void promised(float *__restrict__ out, const float *__restrict__ in,
                         const float *__restrict__ factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    out[row * 65536 + i] = in[row * 65536 + i] * factor[i];
}

// A sum in a register, stored once.
__global__ void inRegister(float *sums, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int row = 0; row < n; ++row)
    sum += in[row * 65536 + i];
  sums[i] = sum;
}

// What is loaded is another address in each turn.
__global__ void moves(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    out[row * 65536 + i] = in[row * 65536 + i] + in[row];
}

// Loaded before: nothing is stored in between.
__global__ void loadedBefore(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * in[i];
}

// It may have changed: the same pointer writes there.
__global__ void own(float *data, float *other, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row) {
    data[row * 65536 + i] = data[0] + 1;
    other[row * 65536 + i] = 1;
  }
}

// Other threads may have written it behind the barrier.
__global__ void meets(float *out, const float *in, const float *factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row) {
    out[row * 65536 + i] = in[row * 65536 + i] * factor[i];
    __syncthreads();
  }
}

// Not known: how often.
__global__ void sometimes(float *out, const float *in, const float *factor,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    if (in[row] > 0)
      out[row * 65536 + i] = in[row * 65536 + i] * factor[i];
}

__global__ void unknownTurns(float *out, const float *in, const float *factor,
                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    out[row * 65536 + i] = in[row * 65536 + i] * factor[i];
}

// Then those that fire.

__global__ void scaled(float *out, const float *in, const float *factor,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    out[row * 65536 + i] = in[row * 65536 + i] * factor[i];
  //~^ note pointer-aliasing: load of 'factor[i]' is made again in each turn of a loop that does not change the address, 100 times by a warp: as far as the compiler knows, 'out' may lead to the same memory; declare the pointers of the kernel __restrict__ if no two of them lead to the same memory
  //~less^^ pointer-aliasing: load of 'factor[i]' is made again in each turn of a loop that does not change the address, 100 times by a warp
}

// Each pointer leads to memory of its own.
__global__ void apart(float *out, const float *in, const float *factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    out[row * 65536 + i] = in[row * 65536 + i] * factor[i];
  //~^ warning pointer-aliasing: load of 'factor[i]' is made again in each turn of a loop that does not change the address, 100 times by a warp
  //~less^^ warning pointer-aliasing: load of 'factor[i]' is made again in each turn of a loop that does not change the address, 100 times by a warp
}

__global__ void summed(float *sums, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    sums[i] += in[row * 65536 + i];
  //~^ pointer-aliasing: store to 'sums[i]' is made again in each turn of a loop that does not change the address, 100 times by a warp: as far as the compiler knows, 'in' may lead
  //~less^^ pointer-aliasing: store to 'sums[i]'
}

// In each of 40 turns, ten inner ones: 360 of 400 stores could be left out.
__global__ void inner(float *sums, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    for (int k = 0; k < 10; ++k)
      sums[row * 65536 + i] += in[k * 65536 + i];
  //~^ pointer-aliasing: store to 'sums[row * 65536 + i]' is made again in each turn of a loop that does not change the address, 400 times by a warp
  //~less^^ pointer-aliasing: store to 'sums[row * 65536 + i]' is made again in each turn of a loop that does not change the address, 400 times by a warp
}

__global__ void both(float *sum, float *difference, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = in[i] + in[i + 65536];
  difference[i] = in[i] - in[i + 65536];
  //~^ pointer-aliasing: load of 'in[i]' is made again right behind an access of the same address, 1 time by a warp: as far as the compiler knows, 'sum' may lead
  //~^^ pointer-aliasing: load of 'in[i + 65536]' is made again right behind an access of the same address, 1 time by a warp
  //~less^^^ pointer-aliasing: load of 'in[i]' is made again right behind an access of the same address, 1 time by a warp
  //~less^^^^ pointer-aliasing: load of 'in[i + 65536]' is made again right behind an access of the same address, 1 time by a warp
}

// One sector of 26 that a warp moves: not worth a word, if nobody asks for it.
__global__ void moved(float *x, float *y, const float *vx, const float *vy,
                      const float *dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += vx[i] * *dt;
  y[i] += vy[i] * *dt;
  //~less^ pointer-aliasing: load of '*dt' is made again right behind an access of the same address, 1 time by a warp
}

void run(float *p, float *q, const float *in, int n) {
  promised<<<256, 256>>>(p, in, in, 100);
  inRegister<<<256, 256>>>(p, in, 100);
  moves<<<256, 256>>>(p, in, 100);
  loadedBefore<<<256, 256>>>(p, in);
  own<<<256, 256>>>(p, q, 100);
  meets<<<256, 256>>>(p, in, in, 100);
  sometimes<<<256, 256>>>(p, in, in, 100);
  unknownTurns<<<256, 256>>>(p, in, in, n);
  scaled<<<256, 256>>>(p, in, in, 100);
  summed<<<256, 256>>>(p, in, 100);
  inner<<<256, 256>>>(p, in, 40);
  both<<<256, 256>>>(p, q, in);
  moved<<<256, 256>>>(p, q, in, in, in);
}

void allocate() {
  float *out, *in, *factor;
  cudaMalloc((void **)&out, 6553600 * sizeof(float));
  cudaMalloc((void **)&in, 6553600 * sizeof(float));
  cudaMalloc((void **)&factor, 65536 * sizeof(float));
  apart<<<256, 256>>>(out, in, factor, 100);
}
