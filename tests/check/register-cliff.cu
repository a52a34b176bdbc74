// RUN-OPTIONS: --gpu gtx-1080-ti --registers 48 --checks=-*,register-cliff
// RUN-OPTIONS(one): --gpu h200 --registers 33 --checks=-*,register-cliff
// RUN-OPTIONS(unknown): --gpu h200 --checks=-*,register-cliff

__global__ void scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

// Written for its block.
__global__ void fixed(float *data) {
  __shared__ float tile[641];
  tile[threadIdx.x] = data[blockIdx.x * 641 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 641 + threadIdx.x] = tile[640 - threadIdx.x];
}

void silent(float *data) {
  // Another size of its block is no remedy, and 8 registers are many.
  fixed<<<29, 641>>>(data);
  // One block, resident at once.
  scale<<<1, 704>>>(data);
  // 40 warps of 64 on Pascal, 48 of 64 on Hopper: more than half.
  scale<<<4096, 256>>>(data);
}

void fires(float *data) {
  // The puzzle of 48 x 641 x 2 = 61536 < 65536: 40 warps fit, 42 do not.
  scale<<<29, 641>>>(data);
  //~^ warning register-cliff: 'scale' in blocks of 641 threads is limited by its registers, to 1 block on an SM: 48 registers x 21 warps: 2 blocks need 42 warps of registers, 40 fit; at 640 threads, or at 40 registers (41 to 48 cost the same), two fit
  // 33 registers cost 40: 48 warps fit, two blocks are 64.
  scale<<<4096, 1024>>>(data);
  //~one^ note register-cliff: 33 registers x 32 warps: 2 blocks need 64 warps of registers, 48 fit; ask for 32 registers by __launch_bounds__(1024, 2), unless it spills then: at 32 registers
}
