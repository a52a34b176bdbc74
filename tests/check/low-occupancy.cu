// RUN-OPTIONS: --gpu gtx-1080-ti --registers 32 --checks=-*,low-occupancy
// RUN-OPTIONS(gate): --gpu gtx-1080-ti --registers 32 --min-occupancy 70 --checks=-*,low-occupancy
// RUN-OPTIONS(tile): --gpu gtx-1080-ti --registers 168 --checks=-*,low-occupancy
// RUN-OPTIONS(unknown): --gpu gtx-1080-ti --checks=-*,low-occupancy

__global__ void plain(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

// 24 KB: four blocks of the 96 KB of an SM.
__global__ void staged(float *data) {
  __shared__ float tile[6 * 1024];
  tile[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x ^ 1];
}

// 36.03 KB: two blocks; 36 KB would still be two.
__global__ void wide(float *data) {
  __shared__ float tile[9 * 1024 + 8];
  tile[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x ^ 1];
}

__global__ void halved(float *data) {
  extern __shared__ float all[];
  all[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] = all[threadIdx.x ^ 1];
}

// 12 KB: eight blocks.
__global__ void swept(float *data) {
  __shared__ float tile[3 * 1024];
  tile[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x ^ 1];
}

// Written for blocks of 64 threads: in others, threads would work on what is
// another block's.
__global__ void fixed(float *data) {
  __shared__ float tile[6 * 1024];
  tile[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x ^ 1];
}

// 42 KB: two blocks of 8 warps, which are most of the 24 that are needed. Three
// blocks take 32 KB, or a block more warps.
__global__ void large(float *data) {
  __shared__ float tile[42 * 256];
  tile[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 256 + threadIdx.x] = tile[threadIdx.x ^ 1];
}

// 5.2 KB: 18 blocks of a warp, and 24 at 4 KB: a third more.
__global__ void small(float *data) {
  __shared__ float tile[1300];
  tile[threadIdx.x] = data[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x ^ 1];
}

// 4.3 KB: 22 blocks of a warp; 24 are less than a quarter more.
__global__ void smaller(float *data) {
  __shared__ float tile[1075];
  tile[threadIdx.x] = data[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x ^ 1];
}

void silent(float *data, int n) {
  smaller<<<4096, 32>>>(data);
  //~gate^ error low-occupancy: an SM has 96 KB; another size of the block alone is not enough, nor are a third fewer registers or three quarters less shared memory
  // Of the sizes that are tried, 256 has all 64 warps.
  for (int threads = 64; threads <= 256; threads *= 4)
    swept<<<2048, threads>>>(data);
  //~gate^ error low-occupancy: 16 of 64 warps
  // All 64 warps.
  plain<<<4096, 256>>>(data);
  // 32 blocks of one warp, at most: 32 warps are more than 24.
  plain<<<4096, 32>>>(data);
  //~gate^ error low-occupancy: 32 of 64 warps
  // 4 x 8 warps, and no small step gains.
  staged<<<4096, 256>>>(data);
  //~gate^ error low-occupancy: 50 %, less than the 70 % of --min-occupancy
  // All of the grid is resident: 112 places for 100 blocks.
  staged<<<100, 96>>>(data);
  //~gate^ error low-occupancy: 12 of 64 warps
  // The block is not known.
  plain<<<4096, n>>>(data);
  //~gate^ note low-occupancy: its block is not known
  // The size of the dynamic memory is not known.
  halved<<<4096, 64, n>>>(data);
  //~gate^ note low-occupancy: its dynamic shared memory is not known
}

void fires(float *data) {
  fixed<<<4096, 64>>>(data);
  //~^ warning low-occupancy: 5 blocks need 120 KB, an SM has 96 KB; at 8 KB of shared memory twelve fit (24 of 64 warps instead of 8)
  //~gate^^ error low-occupancy: 8 of 64 warps
  //~tile^^^ note low-occupancy: 8 of 64 warps
  large<<<4096, 256>>>(data);
  //~^ note low-occupancy: an SM has 96 KB; at 32 KB of shared memory three fit (24 of 64 warps instead of 16)
  //~gate^^ error low-occupancy: 16 of 64 warps
  small<<<4096, 32>>>(data);
  //~^ note low-occupancy: at 4 KB of shared memory 24 fit (24 of 64 warps instead of 18)
  //~gate^^ error low-occupancy: 18 of 64 warps
  // 4 x 2 = 8 of the 24 warps.
  staged<<<4096, 64>>>(data);
  //~^ warning low-occupancy: 'staged' in blocks of 64 threads has 8 of 64 warps resident on an SM of gtx-1080-ti, 24 cover the latency of dependent instructions: 24 KB of shared memory a block: 5 blocks need 120 KB, an SM has 96 KB
  //~gate^^ error low-occupancy: 12.5 %
  //~tile^^^ note low-occupancy: 8 of 64 warps
  // 2 x 8 = 16 of 24: independent instructions may well cover the rest.
  wide<<<4096, 256>>>(data);
  //~^ note low-occupancy: 16 of 64 warps
  //~gate^^ error low-occupancy: 25 %
  // 3 x 22 = 66 warps do not fit, 3 x 21 do.
  plain<<<57, 673>>>(data);
  //~^ note low-occupancy: 'plain' in blocks of 673 threads has 44 of 64 warps resident on an SM of gtx-1080-ti: 22 warps a block: 3 blocks need 66 warps, 64 fit; at 672 threads three fit (63 of 64 warps instead of 44); at 672 threads the 58 blocks of as many threads in all take 1 round instead of 2
  //~gate^^ error low-occupancy: 68.8 %
  // A little more than a third of the 96 KB.
  halved<<<4096, 512, 32800>>>(data);
  //~^ note low-occupancy: at 32 KB of shared memory three fit (48 of 64 warps instead of 32)
  //~gate^^ error low-occupancy: 32 of 64 warps
}

void fails(float *data) {
  plain<<<1024, 2048>>>(data);
  //~gate^ error low-occupancy: 'plain' in blocks of 2048 has no warp resident on gtx-1080-ti, because the launch fails: 0 %, less than the 70 % of --min-occupancy
}
