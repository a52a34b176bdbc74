// RUN-OPTIONS: --gpu h200 --checks=-*,divergent-barrier

// Silent: what looks like the fault and is none.

// The whole block has one opinion.
__global__ void uniform(float *data, int flag) {
  __shared__ float tile[256];
  if (blockIdx.x == 0) {
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[255 - threadIdx.x];
  }
  if (flag)
    __syncthreads();
  data[blockIdx.x * 256 + threadIdx.x] += 1;
}

// Who has ended is not waited for.
__global__ void earlyReturn(float *data) {
  __shared__ float tile[256];
  if (threadIdx.x >= 100)
    return;
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[99 - threadIdx.x];
}

// All that is left of the kernel is in the branch: the others end.
__global__ void guarded(float *data, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    tile[threadIdx.x] = data[i];
    __syncthreads();
    data[i] = tile[0];
  }
}

// The bound is met at the end of a block, or nobody knows where.
__global__ void bounded(float *data, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    __syncthreads();
  tile[threadIdx.x] = data[i];
  __syncthreads();
  data[i] = tile[255 - threadIdx.x];
}

// What is loaded may be the same everywhere.
__global__ void byData(float *data, const int *flags) {
  if (flags[threadIdx.x])
    __syncthreads();
  data[threadIdx.x] = 1;
  __syncthreads();
  data[threadIdx.x] += 1;
}

// Warps with different roles, which wait equally often.
__global__ void roles(float *data) {
  __shared__ float tile[64];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
  } else {
    data[threadIdx.x] = 0;
    __syncthreads();
    data[threadIdx.x] = tile[threadIdx.x - 32];
  }
  __syncthreads();
  data[threadIdx.x] += 1;
}

// One warp alone, behind which there is no barrier for the others.
__global__ void lastWarp(float *data) {
  __shared__ float tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    tile[threadIdx.x] += tile[threadIdx.x + 32];
    __syncthreads();
    data[threadIdx.x] = tile[31 - threadIdx.x];
  }
}

// A block in which the condition holds for all.
__global__ void small(float *data) {
  if (threadIdx.x < 16)
    __syncthreads();
  data[threadIdx.x] = 1;
  __syncthreads();
  data[threadIdx.x] += 1;
}

// The loop turns equally often for all, however often that is.
__global__ void uniformLoop(float *data, int n) {
  __shared__ float tile[256];
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = data[k * 256 + threadIdx.x];
    __syncthreads();
    data[k * 256 + threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();
  }
}

// So does one that all leave by a bound that is rounded up.
__global__ void rounded(float *data, int n) {
  __shared__ float tile[256];
  for (int k = threadIdx.x; k < (n + 255) / 256 * 256; k += 256) {
    tile[threadIdx.x] = k < n ? data[k] : 0;
    __syncthreads();
    if (k < n)
      data[k] = tile[255 - threadIdx.x];
    __syncthreads();
  }
}

// Warps are no block.
__global__ void warps(float *data) {
  if (threadIdx.x < 16)
    __nvvm_bar_warp_sync(0xffff);
  data[threadIdx.x] = 1;
}

// Then those that fire.

__global__ void halfWarp(float *data) {
  if (threadIdx.x < 16)
    __syncthreads();
    //~^ error divergent-barrier: 16 of the 32 lanes of a warp reach this barrier and the others go on without it in blocks of 64
  data[threadIdx.x] = 1;
  __syncthreads();
  data[threadIdx.x ^ 1] += 1;
}

__global__ void wholeWarp(float *data) {
  if (threadIdx.x < 32)
    __syncthreads();
    //~^ error divergent-barrier: thread 0 waits here and thread 32 does not in blocks of 64: they meet at the barrier of line 141 after 1 and 0 barriers
  data[threadIdx.x] = 1;
  __syncthreads();
  data[threadIdx.x ^ 1] += 1;
}

__global__ void ownTurns(float *data) {
  for (int k = 0; k < threadIdx.x; ++k) {
    data[threadIdx.x] += k;
    __syncthreads();
    //~^ divergent-barrier: 31 of the 32 lanes of a warp
  }
  data[threadIdx.x] = 1;
}

__global__ void warpTurns(float *data) {
  for (int k = threadIdx.x / 32; k < 3; k += 2) {
    data[threadIdx.x] += k;
    __syncthreads();
    //~^ divergent-barrier: thread 0 waits here and thread 32 does not
  }
  __syncthreads();
  data[threadIdx.x] = 1;
}

__global__ void lastBlock(float *data, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    tile[threadIdx.x] = data[i];
    __syncthreads();
    //~^ divergent-barrier: 8 of the 32 lanes of a warp reach this barrier and the others go on without it in the last block of the grid, of 256 threads
  }
  data[threadIdx.x] = tile[threadIdx.x ^ 1];
}

__device__ void wait(float *shared, int row) {
  if (row % 2) {
    shared[row] = 0;
    __syncthreads();
    //~^ divergent-barrier: 16 of the 32 lanes of a warp reach this barrier and the others go on without it in blocks of 16x16: the branch in line
  }
}

__global__ void inFunction(float *data) {
  __shared__ float tile[16];
  wait(tile, threadIdx.y);
  data[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.y];
}

void run(float *data, const int *flags, int n, int flag) {
  uniform<<<4, 256>>>(data, flag);
  earlyReturn<<<4, 256>>>(data);
  guarded<<<4, 256>>>(data, 1000);
  guarded<<<4, 256>>>(data, n);
  bounded<<<4, 256>>>(data, 1024);
  bounded<<<n / 256, 256>>>(data, n);
  byData<<<4, 256>>>(data, flags);
  roles<<<4, 64>>>(data);
  lastWarp<<<4, 64>>>(data);
  small<<<4, 16>>>(data);
  uniformLoop<<<4, 256>>>(data, n);
  rounded<<<4, 256>>>(data, n);
  warps<<<4, 64>>>(data);
  halfWarp<<<4, 64>>>(data);
  wholeWarp<<<4, 64>>>(data);
  ownTurns<<<4, 64>>>(data);
  warpTurns<<<4, 64>>>(data);
  lastBlock<<<4, 256>>>(data, 1000);
  inFunction<<<4, dim3(16, 16)>>>(data);
}
