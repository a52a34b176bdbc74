// RUN-OPTIONS: --gpu h200 --registers 40 --checks=-*,large-block-barriers

// One barrier, outside of every loop.
__global__ void once(float *data) {
  __shared__ float row[1024];
  row[threadIdx.x] = data[blockIdx.x * 1024 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 1024 + threadIdx.x] = row[threadIdx.x ^ 1];
}

__global__ void relax(float *data, int steps) {
  __shared__ float row[1024];
  row[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < steps; ++i) {
    __syncthreads();
    float next = row[threadIdx.x] + row[threadIdx.x ^ 1];
    __syncthreads();
    row[threadIdx.x] = next;
  }
  data[blockIdx.x * blockDim.x + threadIdx.x] = row[threadIdx.x];
}

void silent(float *data, int steps) {
  once<<<4096, 1024>>>(data);
  // Six blocks at a time.
  relax<<<4096, 256>>>(data, steps);
}

void fires(float *data, int steps) {
  // 40 registers: 48 warps, one block of 32.
  relax<<<4096, 1024>>>(data, steps);
  //~^ note large-block-barriers: 'relax' in blocks of 1024 threads has an SM of h200 to itself, so that nothing runs while its 32 warps wait at the barriers in a loop (line 15): 40 registers x 32 warps: 2 blocks need 64 warps of registers, 48 fit; blocks of 512 threads
}
