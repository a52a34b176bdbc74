// RUN-OPTIONS: --gpu h200 --checks=-*,missing-barrier

// Silent: what looks like the fault and is none.

__global__ void apart(float *data) {
  __shared__ float tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[255 - threadIdx.x];
}

// What a thread stored itself.
__global__ void own(float *data) {
  __shared__ float tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = tile[threadIdx.x] * 2;
}

// Threads of one warp.
__global__ void inWarp(float *data) {
  __shared__ float tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  __nvvm_bar_warp_sync(0xffffffff);
  data[threadIdx.x] = tile[threadIdx.x ^ 1];
}

// All store the same.
__global__ void same(float *data, int n) {
  __shared__ int count;
  count = n;
  data[threadIdx.x] = count;
}

// Two tiles that take turns.
__global__ void twoTiles(float *data) {
  __shared__ float tile[2][256];
  for (int k = 0; k < 8; ++k) {
    tile[k % 2][threadIdx.x] = data[k * 256 + threadIdx.x];
    __syncthreads();
    data[k * 256 + threadIdx.x] = tile[k % 2][255 - threadIdx.x];
  }
}

// Data decides who stores, and where.
__global__ void byData(float *data, const int *index) {
  __shared__ float tile[256];
  tile[threadIdx.x] = 0;
  __syncthreads();
  tile[index[threadIdx.x]] = 1;
  if (data[threadIdx.x] > 0)
    tile[threadIdx.x] = 2;
  data[threadIdx.x] = tile[255 - threadIdx.x];
}

// Neighbours that no other warp stores to.
__global__ void halves(float *data) {
  __shared__ float tile[256];
  if (threadIdx.x < 128)
    tile[threadIdx.x + 128] = data[threadIdx.x];
  else
    data[threadIdx.x] = tile[threadIdx.x - 128];
}

// Nobody knows how many barriers there are.
__global__ void uncounted(float *data, int n) {
  __shared__ float tile[256];
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = data[k * 256 + threadIdx.x];
    __syncthreads();
    data[k * 256 + threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();
  }
}

// Spins on it.
__global__ void flag(float *data) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0)
    ready = 1;
  data[threadIdx.x] = ready;
}

__global__ void oneWarp(float *data) {
  __shared__ float tile[32];
  tile[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = tile[31 - threadIdx.x];
}

// Then those that fire.

__global__ void reverse(float *data) {
  __shared__ float tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = tile[255 - threadIdx.x];
  //~^ warning missing-barrier: load of 'tile[255 - threadIdx.x]' races with the store in line 93: no barrier is between the load by thread 255 and the store to 'tile[threadIdx.x]' by thread 0
}

__global__ void firstThread(float *data, const int *count) {
  __shared__ int n;
  if (threadIdx.x == 0)
    n = *count;
  data[threadIdx.x] = n;
  //~^ missing-barrier: load of 'n' races with the store in line 101: no barrier is between the load by thread 32 and the store to 'n' by thread 0
}

__global__ void tiles(float *data) {
  __shared__ float tile[256];
  for (int k = 0; k < 8; ++k) {
    tile[threadIdx.x] = data[k * 256 + threadIdx.x];
    __syncthreads();
    data[k * 256 + threadIdx.x] = tile[255 - threadIdx.x];
    //~^ missing-barrier: and the store to 'tile[threadIdx.x]' by thread
    //~^^ missing-barrier: put a __syncthreads() at the end of the loop's body, outside of conditions
  }
}

// Two of them are missing, and are told so.
__global__ void noBarrier(float *data) {
  __shared__ float tile[256];
  for (int k = 0; k < 8; ++k) {
    tile[threadIdx.x] = data[k * 256 + threadIdx.x];
    data[k * 256 + threadIdx.x] = tile[255 - threadIdx.x];
    //~^ missing-barrier: put a __syncthreads() in between, and put another at the end of the loop's body
  }
}

// A product that waits for its tile, and not for its use.
__global__ void product(float *out, const float *in) {
  __shared__ float tile[256];
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    tile[threadIdx.x] = in[k * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum += tile[i];
      //~^ missing-barrier: put a __syncthreads() at the end of the loop's body, outside of conditions
  }
  out[threadIdx.x] = sum;
}

// One warp fills the tile alone: the others come by fewer requests.
__global__ void filledByOne(float *out, const float *in) {
  __shared__ float tile[32];
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    if (threadIdx.x < 32)
      tile[threadIdx.x] = in[k * 32 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum += tile[i];
      //~^ missing-barrier: put a __syncthreads() at the end of the loop's body, outside of conditions
  }
  out[threadIdx.x] = sum;
}
__global__ void filledUnseen(float *out, const float *in) {
  __shared__ float tile[32];
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    if (threadIdx.x < 32)
      tile[threadIdx.x] = in[k * 32 + threadIdx.x];
    for (int i = 0; i < 32; ++i)
      sum += tile[i];
      //~^ missing-barrier: put a __syncthreads() in between
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A scan in place: what a thread replaces, its neighbour still has to load.
__global__ void scan(float *data) {
  __shared__ float part[256];
  part[threadIdx.x] = data[threadIdx.x];
  for (int apart = 1; apart < 256; apart *= 2) {
    __syncthreads();
    if (threadIdx.x >= apart)
      part[threadIdx.x] += part[threadIdx.x - apart];
      //~^ missing-barrier: load to a variable, and store behind a __syncthreads() that all threads reach
  }
  __syncthreads();
  data[threadIdx.x] = part[threadIdx.x];
}

__global__ void halvings(float *data) {
  __shared__ float part[256];
  part[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
      //~^ missing-barrier: load of 'part[threadIdx.x + half]'
      //~^^ missing-barrier: put a __syncthreads() at the end of the loop's body, outside of conditions
  data[threadIdx.x] = part[0];
  //~^ missing-barrier: load of 'part[0]'
}

void run(float *data, const int *index, int n) {
  apart<<<1, 256>>>(data);
  own<<<1, 256>>>(data);
  inWarp<<<1, 256>>>(data);
  same<<<1, 256>>>(data, n);
  twoTiles<<<1, 256>>>(data);
  byData<<<1, 256>>>(data, index);
  halves<<<1, 256>>>(data);
  uncounted<<<1, 256>>>(data, n);
  flag<<<1, 256>>>(data);
  oneWarp<<<1, 32>>>(data);
  reverse<<<1, 256>>>(data);
  firstThread<<<1, 256>>>(data, index);
  tiles<<<1, 256>>>(data);
  noBarrier<<<1, 256>>>(data);
  product<<<1, 256>>>(data, data);
  filledByOne<<<1, 256>>>(data, data);
  filledUnseen<<<1, 256>>>(data, data);
  scan<<<1, 256>>>(data);
  halvings<<<1, 256>>>(data);
}
