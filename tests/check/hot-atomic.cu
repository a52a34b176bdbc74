// RUN-OPTIONS: --gpu h200 --checks=-*,hot-atomic

// Silent: what looks like the fault and is none.

// One thread of each block.
__global__ void blockSum(float *total, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(total, part[0]);
}

// An address for each thread.
__global__ void histogram(float *total, const int *bin, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  atomicAdd(&total[i], in[i]);
  atomicAdd(&total[bin[i]], in[i]);
}

// nvcc adds up the lanes of a warp; some blocks are no crowd of warps.
__global__ void count(int *total, const int *in) {
  atomicAdd(total, in[blockIdx.x * 256 + threadIdx.x]);
  atomicAdd(&total[1], 1);
}

// Data decides who takes part: mostly nobody, perhaps.
__global__ void rare(float *total, const float *in) {
  float v = in[blockIdx.x * 256 + threadIdx.x];
  if (v > 1000)
    atomicAdd(total, v);
}

// A few lanes, which are not many updates in all.
__global__ void fewBlocks(float *total, const float *in) {
  atomicAdd(total, in[threadIdx.x]);
}

// What was there is used: a place in a queue.
__global__ void queue(float *total, float *out) {
  out[threadIdx.x] = atomicAdd(total, 1.0f);
}

// A lock, and no sum.
__global__ void lock(int *mutex) {
  while (atomicCAS(mutex, 0, 1) != 0)
    ;
  atomicExch_block(mutex, 0);
}

// Shared memory has other costs.
__global__ void shared(float *total, const float *in) {
  __shared__ float part;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  atomicAdd(&part, in[blockIdx.x * 256 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(total, part);
}


// Integers that nvcc adds up, with an address for each block: a few warps each.
__global__ void countOfBlock(int *total, const int *in) {
  atomicAdd(&total[blockIdx.x], in[blockIdx.x * 256 + threadIdx.x]);
}

// Then those that fire.

// Blocks have an address each, and the lanes of a warp still one.
__global__ void perBlock(float *total, const float *in) {
  atomicAdd(&total[blockIdx.x], in[blockIdx.x * 256 + threadIdx.x]);
  //~^ warning hot-atomic: updates one address with 32 lanes of each warp, one after the other, 262144 times in the launch
}

// So have the turns of a loop.
__global__ void perTurn(float *total, const float *in, int n, int rows) {
  for (int row = 0; row < rows; ++row)
    atomicAdd(&total[row], in[row * n + blockIdx.x * 256 + threadIdx.x]);
  //~^ warning hot-atomic: updates one address with 32 lanes of each warp, one after the other
}

// Wherever it points, it points there for the whole warp.
__global__ void indirect(float **total, const float *in) {
  atomicAdd(total[threadIdx.x / 32], in[threadIdx.x]);
  //~^ warning hot-atomic: let all lanes of a warp combine what they have by shuffles, and one of them update it
}

__global__ void everyThread(float *total, const float *in) {
  atomicAdd(total, in[blockIdx.x * 256 + threadIdx.x]);
  //~^ warning hot-atomic: updates one address with 32 lanes of each warp, one after the other, 262144 times in the launch
}

__global__ void anyGrid(float *total, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&total[3], in[i]);
    //~^ hot-atomic: updates one address with 32 lanes of each warp, one after the other: the compiler
}

__global__ void inLoop(float *total, const float *in) {
  for (int k = 0; k < 8; ++k)
    atomicAdd(total, in[k * 256 + threadIdx.x]);
    //~^ hot-atomic: 131072 times in the launch
}

__global__ void eachWarp(int *total, const int *in) {
  atomicAdd(total, in[blockIdx.x * 256 + threadIdx.x]);
  //~^ note hot-atomic: updates one address with each warp of each block, 131072 times in the launch
}

__global__ void byShuffles(float *total, const float *in) {
  float mine = in[blockIdx.x * 256 + threadIdx.x];
  for (int apart = 16; apart > 0; apart /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, apart);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, mine);
    //~^ note hot-atomic: updates one address with each warp of each block, 131072 times
}

// The address is computed before and behind the branch, and is one.
__global__ void best(int *most, const int *in, const int *last) {
  int sum = 0;
  do {
    sum += in[threadIdx.x];
    if (threadIdx.x == 0)
      most[blockIdx.x] = 0;
    __syncthreads();
    atomicMax(&most[blockIdx.x], sum);
    __syncthreads();
  } while (last[blockIdx.x] > sum);
}

void run(float *total, int *counts, float **where, const float *in,
         const int *bin, int n) {
  blockSum<<<65536, 256>>>(total, in);
  histogram<<<1024, 256>>>(total, bin, in);
  perBlock<<<1024, 256>>>(total, in);
  countOfBlock<<<1024, 256>>>((int *)total, (const int *)in);
  perTurn<<<1024, 256>>>(total, in, n, n);
  count<<<1024, 256>>>(counts, bin);
  rare<<<1024, 256>>>(total, in);
  fewBlocks<<<8, 256>>>(total, in);
  queue<<<1024, 256>>>(total, total);
  lock<<<1024, 256>>>(counts);
  shared<<<1024, 256>>>(total, in);
  indirect<<<1024, 256>>>(where, in);
  everyThread<<<1024, 256>>>(total, in);
  anyGrid<<<n / 256, 256>>>(total, in, n);
  inLoop<<<64, 256>>>(total, in);
  best<<<1024, 256>>>(counts, bin, bin);
  eachWarp<<<16384, 256>>>(counts, bin);
  byShuffles<<<16384, 256>>>(total, in);
}
