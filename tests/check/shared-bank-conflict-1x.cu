// RUN-OPTIONS: --gpu sm_10

// What a text of 2008 says of compute capability 1.x: 16 banks, half-warps,
// two wavefronts for a warp at best.

__global__ void silent(float *out) {
  __shared__ float data[256 * 3];
  data[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  // The same word is a broadcast; three words are odd.
  out[threadIdx.x] = data[threadIdx.x] + data[3] + data[3 * threadIdx.x];
}

// Rows of 17: written at row * 17 + column, read down a column.
__global__ void rowsOf17(float *out) {
  __shared__ float data[16 * 17];
  data[threadIdx.x / 16 * 17 + threadIdx.x % 16] = out[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16)
    out[threadIdx.x] = data[17 * threadIdx.x];
}

__global__ void stride4(float *out) {
  __shared__ float data[1024];
  data[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = data[4 * threadIdx.x];
  //~^ warning shared-bank-conflict: takes 8 wavefronts per request, ideal 2: 4-way bank conflict, neighbouring lanes are 4 words apart; leave one element free after every 16, index i + i / 16 instead of i, where the index costs no more registers, in an array of 256 bytes more: no access to it conflicts then
}

__global__ void stride16(float *out) {
  __shared__ float data[4096];
  data[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = data[16 * threadIdx.x];
  //~^ shared-bank-conflict: takes 32 wavefronts per request, ideal 2: 16-way bank conflict
}

// A request of more than a word is served word by word.
__global__ void doubles(double *out) {
  __shared__ double data[256];
  data[threadIdx.x] = out[threadIdx.x];
  //~^ shared-bank-conflict: 2-way bank conflict
  __syncthreads();
  out[threadIdx.x] = data[255 - threadIdx.x];
  //~^ shared-bank-conflict: keep the words of the vector in arrays of their own
}

// Half a warp in 16 banks: an odd length has no conflict here either.
__global__ void pitched(float *out, int pitch) {
  extern __shared__ float rows[];
  rows[threadIdx.x * pitch] = out[threadIdx.x];
  //~^ runtime-stride: if and only if pitch is even
  __syncthreads();
  out[threadIdx.x] = rows[threadIdx.x * pitch + 1];
  //~^ runtime-stride: if and only if pitch is even
}

void run(float *out, int pitch) {
  pitched<<<1024, 256, 16384>>>(out, pitch);
  silent<<<1024, 256>>>(out);
  rowsOf17<<<1024, 256>>>(out);
  stride4<<<1024, 256>>>(out);
  stride16<<<1024, 256>>>(out);
  doubles<<<1024, 256>>>((double *)out);
}
