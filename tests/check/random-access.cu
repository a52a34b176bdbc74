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

// The ranks of those that say yes are one behind the other, however they were
// added up.
__global__ void scanned(float *out, const float *in, const int *keep) {
  __shared__ int sums[256];
  const int t = threadIdx.x;
  sums[t] = keep[blockIdx.x * 256 + t];
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    const int before = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += before;
  }
  __syncthreads();
  out[sums[t ^ 1]] = in[t];
}

// Rows of a matrix lie one behind the other, and how long they are is no number
// like any other.
__global__ void rows(float *out, const float *values, const int *begin) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 4;
  const int first = begin[row] + threadIdx.x % 4, end = begin[row + 1];
  if (first < end)
    out[row] = values[first];
  atomicAdd(&out[end - begin[row]], 1.0f);
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

// What was only brought there is what it was, and so are pairs side by side.
__global__ void brought(float *out, const float *in, const int *index) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = index[blockIdx.x * 256 + t];
  __syncthreads();
  out[blockIdx.x * 256 + t] = in[s[255 - t]];
  //~^ note random-access: touches 32 sectors per request if the data is random
}

__global__ void guarded(float *out, const float *in, const int *index, int n) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t < n ? min(index[t], n - 1) : 0;
  __syncthreads();
  out[t] = in[s[255 - t]];
  //~^ note random-access: touches 32 sectors per request if the data is random
}

__global__ void besides(float *out, const float *in, const int *index) {
  const int t = threadIdx.x;
  out[t] = in[index[t + 1]] -
           in[index[t]];
  //~^^ note random-access: touches 32 sectors per request if the data is random
  //~^^ note random-access: touches 32 sectors per request if the data is random
}

__global__ void edges(float *out, const float *in, const int *ends) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = in[ends[2 * i]] -
           in[ends[2 * i + 1]];
  //~^^ note random-access: touches 32 sectors per request if the data is random
  //~^^ note random-access: touches 32 sectors per request if the data is random
}

void run(float *out, const float *in, const int *index) {
  silent<<<1024, 256>>>(out, in, index);
  fires<<<1024, 256>>>(out, in, index);
  scanned<<<1024, 256>>>(out, in, index);
  rows<<<1024, 256>>>(out, in, index);
  brought<<<1024, 256>>>(out, in, index);
  edges<<<1024, 256>>>(out, in, index);
  guarded<<<1024, 256>>>(out, in, index, 1 << 20);
  besides<<<1024, 256>>>(out, in, index);
}
