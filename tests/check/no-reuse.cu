// RUN-OPTIONS: --gpu h200 --checks=-*,no-reuse

// Silent cases first: what looks like the fault and is none.

// Each byte once.
__global__ void stream(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 256; ++k)
    sum += in[i + k * 65536];
  out[i] = sum;
}

// Neighbours, some of which others load, too.
__global__ void stencil(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 9; ++k)
    sum += in[i + k];
  out[i] = sum;
}

// A table that stays in L1.
__global__ void table(float *out, const float *in) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 128; ++k)
    sum += in[k * 32 + threadIdx.x % 32];
  out[i] = sum;
}

// All lanes at one address: a request for each of them anyway.
__global__ void broadcast(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 65536; ++k)
    sum += in[k];
  out[i] = sum;
}

// One warp, all by itself, again and again.
__global__ void passes(float *out, const float *in) {
  int i = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int pass = 0; pass < 64; ++pass)
    for (int k = 0; k < 1024; ++k)
      sum += in[k * 32 + threadIdx.x];
  out[i] = sum;
}

// What data decides.
__global__ void gather(float *out, const float *in, const int *index) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += in[index[k * 32 + threadIdx.x % 32]];
  out[i] = sum;
}

// Tiles.
__global__ void tiled(float *c, const float *a, const float *b, int n) {
  __shared__ float ofA[16][16], ofB[16][16];
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    ofA[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    ofB[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += ofA[threadIdx.y][k] * ofB[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Then those that fire, with the expectation below their line.

// A block of 32 rows and columns takes 32 * 1024 floats of b, 128 KB, and each
// of its 32 warps all of them.
__global__ void plain(float *c, const float *a, const float *b, int n) {
  int row = blockIdx.y * 32 + threadIdx.y;
  int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  //~^ note no-reuse: the warps of a block load each byte of 'b' 32 times, 4096 KB for 128 KB, and its threads use it 32 times; load a tile of it
  c[row * n + column] = sum;
}

// 16 columns are half a warp: 8 warps for 16 rows.
__global__ void half(float *c, const float *a, const float *b, int n) {
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  //~^ no-reuse: the warps of a block load each byte of 'b' 8 times, 512 KB for 64 KB, and its threads use it 16 times; load a tile of it
  c[row * n + column] = sum;
}

void run(float *c, const float *a, const float *b, const int *index) {
  stream<<<256, 256>>>(c, a);
  stencil<<<256, 256>>>(c, a);
  table<<<256, 1024>>>(c, a);
  broadcast<<<256, 256>>>(c, a);
  passes<<<256, 32>>>(c, a);
  gather<<<256, 1024>>>(c, a, index);
  tiled<<<dim3(64, 64), dim3(16, 16)>>>(c, a, b, 1024);
  plain<<<dim3(32, 32), dim3(32, 32)>>>(c, a, b, 1024);
  half<<<dim3(64, 64), dim3(16, 16)>>>(c, a, b, 1024);
}
