// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(old): --gpu sm_21 --checks=-*,lone-thread-loop

// The tree that it should be.
__global__ void tree(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

// A few values: as short as a tree.
__global__ void few(float *out, const float *in) {
  __shared__ float part[4];
  if (threadIdx.x < 4)
    part[threadIdx.x] = in[blockIdx.x * 4 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < 4; ++i)
      total += part[i];
    out[blockIdx.x] = total;
  }
}

// One lane in each warp.
__global__ void warps(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    float total = 0;
    for (int i = 0; i < 32; ++i)
      total += part[threadIdx.x + i];
    out[blockIdx.x * 8 + threadIdx.x / 32] = total;
  }
}

// As many values as a warp has lanes.
__global__ void warpful(float *out, const float *in) {
  __shared__ float part[32];
  if (threadIdx.x % 4 == 0)
    part[threadIdx.x / 4] = in[blockIdx.x * 32 + threadIdx.x / 4];
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < 32; ++i)
      total += part[i];
    //~^ note lone-thread-loop: load of 'part[i]' runs 8 times in one thread, for 32 values, while the other 127 threads of the block have nothing to do; if it is a sum, let each lane of one warp take a value, and add by shuffles
    //~old^^ lone-thread-loop: if it is a sum, add in a tree, 5 steps for 32 values
    out[blockIdx.x] = total;
  }
}

__global__ void medium(float *out, const float *in) {
  __shared__ float part[64];
  part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < 64; ++i)
      total += part[i];
    //~^ note lone-thread-loop: load of 'part[i]' runs 16 times in one thread, for 64 values, while the other 63 threads of the block have nothing to do; if it is a sum, add with shuffles in each warp, then one value of each warp; a tree in shared memory, 6 steps for 64 values, can take longer than the loop when many blocks run
    //~old^^ lone-thread-loop: if it is a sum, add in a tree, 6 steps for 64 values
    out[blockIdx.x] = total;
  }
}

__global__ void lone(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < 256; ++i)
      total += part[i];
    //~^ note lone-thread-loop: load of 'part[i]' runs 256 times in one thread while the other 255 threads of the block have nothing to do; if it is a sum, add with shuffles in each warp, then one value of each warp; a tree in shared memory, 8 steps for 256 values, can take longer than the loop when many blocks run
    //~old^^ lone-thread-loop: if it is a sum, add in a tree, 8 steps for 256 values
    out[blockIdx.x] = total;
  }
}

// Dynamic shared memory, as in the notes on summing cubes.
__global__ void dynamic(int *out, const int *in) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < blockDim.x; ++i)
      shared[0] += shared[i];
    //~^ note lone-thread-loop: runs 255 times in one thread
    //~old^^ lone-thread-loop: if it is a sum, add in a tree, 8 steps for 255 values
    out[blockIdx.x] = shared[0];
  }
}

// 1023 turns, some 50 clocks each, beside what takes a warp a million slots at
// the least.
__global__ void aside(float *out, const float *in) {
  __shared__ float part[1024];
  float x = in[blockIdx.x * 1024 + threadIdx.x];
  for (int i = 0; i < 1000000; ++i)
    x = x * x + 0.5f;
  part[threadIdx.x] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 1; i < 1024; ++i)
      total += part[i];
    //~^ note lone-thread-loop: runs 1023 times in one thread
    //~old^^ lone-thread-loop: if it is a sum, add in a tree, 10 steps for 1023 values
    out[blockIdx.x] = total;
  }
}

// The same beside ten.
__global__ void mainly(float *out, const float *in) {
  __shared__ float sums[1024];
  float x = in[blockIdx.x * 1024 + threadIdx.x];
  for (int i = 0; i < 10; ++i)
    x = x * x + 0.5f;
  sums[threadIdx.x] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 1; i < 1024; ++i)
      total += sums[i];
    //~^ warning lone-thread-loop: runs 1023 times in one thread
    //~old^^ lone-thread-loop: if it is a sum, add in a tree, 10 steps for 1023 values
    out[blockIdx.x] = total;
  }
}

void run(float *out, const float *in) {
  aside<<<1024, 1024>>>(out, in);
  mainly<<<1024, 1024>>>(out, in);
  tree<<<1024, 256>>>(out, in);
  few<<<1024, 256>>>(out, in);
  warps<<<1024, 256>>>(out, in);
  warpful<<<1024, 128>>>(out, in);
  medium<<<1024, 64>>>(out, in);
  lone<<<1024, 256>>>(out, in);
  dynamic<<<1024, 256, 1024>>>((int *)out, (const int *)in);
}
