// RUN-OPTIONS: --gpu h200 --checks=-*,shared-bound-loop

// Silent cases first: what looks like the fault and is none.

// One value for all lanes and turn, which may be one load of 16 bytes for four.
__global__ void uniform(float *out, const float *in, int n) {
  __shared__ float part[256];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float x = in[blockIdx.x * 256 + threadIdx.x], sum = 0;
  for (int k = 0; k < n; ++k)
    sum += part[k] * x;
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Results of 4x4: 8 loads for 16 FMA.
__global__ void registerTile(float *c, const float *a, const float *b, int n) {
  __shared__ float ofA[16][64], ofB[16][64];
  int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  float sum[4][4] = {};
  for (int first = 0; first < n; first += 16) {
    for (int i = t; i < 1024; i += 256) {
      ofA[i / 64][i % 64] = a[(first + i / 64) * n + i % 64];
      ofB[i / 64][i % 64] = b[(first + i / 64) * n + i % 64];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += ofA[k][y + i] * ofB[k][x + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(y + i) * n + x + j] = sum[i][j];
}

// Nothing is multiplied.
__global__ void reduction(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 256; ++k)
    sum += part[k];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][33];
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] =
        in[(blockIdx.y * 32 + threadIdx.y + k) * n + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    out[(blockIdx.x * 32 + threadIdx.y + k) * n + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y + k];
}

// Each value is used once by anyone.
__global__ void squares(float *out, const float *in) {
  __shared__ float part[4096];
  for (int k = threadIdx.x; k < 4096; k += 256)
    part[k] = in[blockIdx.x * 4096 + k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += part[k * 256 + threadIdx.x] * part[k * 256 + threadIdx.x];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Much is computed with what is loaded.
__global__ void bodies(float4 *out, const float4 *in, int n) {
  __shared__ float4 tile[256];
  float4 me = in[blockIdx.x * 256 + threadIdx.x];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      float4 other = tile[k];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float by = dx * dx + dy * dy + dz * dz + 0.01f;
      by = other.w / (by * by * by);
      x += dx * by;
      y += dy * by;
      z += dz * by;
    }
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = {x, y, z, me.w};
}

// Global memory in the loop.
__global__ void rows(float *out, const float *matrix, const float *vector) {
  __shared__ float part[1024];
  for (int k = threadIdx.x; k < 1024; k += 256)
    part[k] = vector[k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += part[k] * matrix[k * 65536 + blockIdx.x * 256 + threadIdx.x];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Global memory around the loop, each value for one turn.
__global__ void streamed(float *out, const float *in) {
  __shared__ float query[16];
  if (threadIdx.x < 16)
    query[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float4 *rows = reinterpret_cast<const float4 *>(in);
  float sum = 0;
  for (int row = 0; row < 1024; ++row) {
    float key[16];
    for (int k = 0; k < 16; k += 4) {
      float4 four = rows[(row * 256 + threadIdx.x) * 4 + k / 4];
      key[k] = four.x;
      key[k + 1] = four.y;
      key[k + 2] = four.z;
      key[k + 3] = four.w;
    }
    for (int k = 0; k < 16; ++k)
      sum += query[k] * key[k];
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// What is loaded, data decides.
__global__ void gathered(float *out, const int *index, const float *table) {
  __shared__ float part[1024];
  __shared__ int at[1024];
  for (int k = threadIdx.x; k < 1024; k += 256) {
    part[k] = table[k];
    at[k] = index[k];
  }
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += part[at[k ^ threadIdx.x]] * part[k];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// A constant that is another one for each lane is what takes the time.
__constant__ float factors[1024];
__global__ void ofConstants(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 256; ++k)
    sum += part[k] * factors[k + threadIdx.x];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// One warp, and few blocks.
__global__ void lonely(float *out, const float *in) {
  __shared__ float part[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    part[k] = in[k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 512; ++k)
    sum += part[k] * part[k + threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void few(float *out, const float *in) {
  __shared__ float part[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    part[k] = in[k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 512; ++k)
    sum += part[k] * part[k + threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Three turns.
__global__ void threeTaps(float *out, const float *in) {
  __shared__ float part[258];
  __shared__ float taps[3];
  for (int k = threadIdx.x; k < 258; k += 256)
    part[k] = in[blockIdx.x * 256 + k];
  if (threadIdx.x < 3)
    taps[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += part[threadIdx.x + k] * taps[k];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Then those that fire, with the expectation below their line.

__global__ void product(float *c, const float *a, const float *b, int n) {
  __shared__ float ofA[32][33], ofB[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
  float sum = 0;
  for (int first = 0; first < n; first += 32) {
    ofA[y][x] = a[row * n + first + x];
    ofB[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += ofA[y][k] * ofB[k][x];
      //~^ shared-bound-loop: with 1.5 wavefronts for 1 FMA
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Of a launch with sizes that are not known.
__global__ void ofAnySize(float *c, const float *a, const float *b, int n) {
  __shared__ float ofA[16 * 16], ofB[16 * 16];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    ofA[y * 16 + x] = a[y * n + first + x];
    ofB[y * 16 + x] = b[(first + y) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += ofA[y * 16 + k] * ofB[k * 16 + x];
      //~^ note shared-bound-loop: keeps shared memory busy for 8 times the clocks of its arithmetic, with 2 wavefronts for 1 FMA
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// A window that moves: what one lane loads now, another one loads next.
__constant__ float taps[65];
__global__ void window(float *out, const float *in) {
  __shared__ float part[320];
  for (int k = threadIdx.x; k < 320; k += 256)
    part[k] = in[blockIdx.x * 256 + k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 65; ++k)
    sum += part[threadIdx.x + k] * taps[k];
    //~^ shared-bound-loop: for 4 times the clocks of its arithmetic, with 1 wavefront for 1 FMA
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

void run(float *data, float4 *quads, const int *index, int n) {
  uniform<<<1024, 256>>>(data, data, n);
  registerTile<<<1024, 256>>>(data, data, data, 1024);
  reduction<<<1024, 256>>>(data, data);
  transpose<<<dim3(32, 32), dim3(32, 8)>>>(data, data, 1024);
  squares<<<1024, 256>>>(data, data);
  bodies<<<1024, 256>>>(quads, quads, 262144);
  rows<<<256, 256>>>(data, data, data);
  streamed<<<1024, 256>>>(data, data);
  gathered<<<1024, 256>>>(data, index, data);
  ofConstants<<<1024, 256>>>(data, data);
  lonely<<<1024, 32>>>(data, data);
  few<<<8, 256>>>(data, data);
  threeTaps<<<1024, 256>>>(data, data);
  product<<<dim3(32, 32), dim3(32, 32)>>>(data, data, data, 1024);
  ofAnySize<<<1024, dim3(16, 16)>>>(data, data, data, n);
  window<<<1024, 256>>>(data, data);
}

// Conflicts alone keep it busy: they are told, and what is left is as fast as
// the arithmetic.
__global__ void rotated(float *out, const float *in) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < 2000; ++r)
    sum += tile[(x + r) % 32][y] * 1.5f;
  out[(blockIdx.x * 32 + y) * 32 + x] = sum;
}

void runRotated(float *out, const float *in) {
  rotated<<<1024, dim3(32, 32)>>>(out, in);
}
