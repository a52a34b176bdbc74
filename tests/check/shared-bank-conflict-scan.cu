// RUN-OPTIONS: --gpu h200 --checks=-*,shared-bank-conflict

// A scan by strides up and down: each access has more than ten patterns, and
// all of them count for what the remedy saves. By hand: 1024 elements, 64
// wavefronts for both copies, 3 * 191 up and 3 * 185 down; then 3 * 36 up, and
// 35 + 2 * 61 down.
__global__ void scan(float *out, const float *in) {
  __shared__ float sums[1024];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * 1024 + t];
  sums[t + 512] = in[blockIdx.x * 1024 + t + 512];
  for (int step = 1; step < 1024; step *= 2) {
    __syncthreads();
    const int from = step * (2 * t + 1) - 1, to = step * (2 * t + 2) - 1;
    if (to < 1024)
      sums[to] += sums[from];
    //~^ shared-bank-conflict: 1192 wavefronts of a block become 329
  }
  for (int step = 512; step > 0; step /= 2) {
    __syncthreads();
    const int from = step * (2 * t + 2) - 1, to = step * (2 * t + 3) - 1;
    if (to < 1024)
      sums[to] += sums[from];
    //~^ shared-bank-conflict: 1192 wavefronts of a block become 329
  }
  __syncthreads();
  out[blockIdx.x * 1024 + t] = sums[t];
  out[blockIdx.x * 1024 + t + 512] = sums[t + 512];
}

void run(float *out, const float *in, int blocks) {
  scan<<<blocks, 512>>>(out, in);
}
