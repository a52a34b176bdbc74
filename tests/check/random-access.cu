// RUN-OPTIONS: --gpu h200 --checks=-*,random-access

// Silent cases first: what looks like the fault and is none.

__global__ void silent(float *out, const float *in, const int *index) {
  __shared__ float s[1024];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  // One number for all lanes.
  out[threadIdx.x] = in[index[blockIdx.x] * 256 + threadIdx.x];
  // Whatever the data is, each lane has its bank.
  out[threadIdx.x + 256] = s[(index[threadIdx.x] & 31) * 32 + threadIdx.x % 32];
  // Two sectors, of which lanes need both.
  out[threadIdx.x + 512] = in[index[threadIdx.x] & 15];
  // Places that lanes have for themselves, or they would lose values.
  s[index[threadIdx.x] & 1023] = 1;
  // Which lanes take part, not where.
  if (index[threadIdx.x] > 3)
    out[threadIdx.x + 768] = 1;
}

// Then those that fire, with the expectation below their line.

__global__ void fires(float *out, const float *in, const int *index) {
  __shared__ float s[4096];
  __shared__ int h[256];
  s[threadIdx.x] = in[threadIdx.x];
  h[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = in[index[threadIdx.x]];
  //~^ note random-access: touches 32 sectors per request if the data is random, 1 if neighbours agree, ideal 4
  out[threadIdx.x + 256] = s[index[threadIdx.x] & 4095];
  //~^ note random-access: takes 3.5 wavefronts per request if the data is random, 1 if neighbours agree, ideal 1
  atomicMax(&h[index[threadIdx.x] & 255], 7);
  //~^ note random-access: takes 3.5 wavefronts per request if the data is random, 32 if neighbours agree, ideal 1
  __syncthreads();
  out[threadIdx.x + 512] = h[threadIdx.x];
}

void run(float *out, const float *in, const int *index) {
  silent<<<1024, 256>>>(out, in, index);
  fires<<<1024, 256>>>(out, in, index);
}
