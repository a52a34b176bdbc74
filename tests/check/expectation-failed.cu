// RUN-OPTIONS: --gpu h200 --registers 40 --checks=-*,expectation-failed

// Silent cases first: what is promised and kept.

__global__ void kept(const float *in, double *out) { // cuda-lint: expect(registers <= 40)
  __shared__ float tile[32][33];
  // cuda-lint: expect(shared-bank-conflict <= 1-way)
  tile[threadIdx.x % 32][threadIdx.x / 32] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[0][threadIdx.x % 32]; // cuda-lint: expect(sectors_per_request <= 8)
}
void run(const float *in, double *out) {
  // Of other GPUs.
  // cuda-lint: expect(blocks_per_sm >= 32, gpu = sm_80)
  // cuda-lint: expect(blocks_per_sm >= 5), expect(occupancy >= 60 %)
  kept<<<1024, 256>>>(in, out);
}
// expect(registers <= 1): no comment for us.
#define TEXT "cuda-lint: expect(registers <= 1)"

// Then those that fire, with the expectation below their line.

__global__ void broken(const float *in, double *out) { // cuda-lint: expect(registers < 40)
  //~^ error expectation-failed: expected registers < 40, but 'broken(const float *, double *)' has 40 registers
  __shared__ float tile[32][32];
  // cuda-lint: expect(shared-bank-conflict <= 2-way)
  //~^ error expectation-failed: expected shared-bank-conflict <= 2-way, but a store of 4 bytes has 32-way
  tile[threadIdx.x % 32][threadIdx.x / 32] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[0][threadIdx.x % 32]; // cuda-lint: expect(sectors_per_request <= 4)
  //~^ error expectation-failed: but a store of 8 bytes has 8 sectors per request
}
void launch(const float *in, double *out) {
  broken<<<1024, 256>>>(in, out); // cuda-lint: expect(occupancy >= 90 %, gpu = h200)
  //~^ error expectation-failed: has 75 % of the warps
  // cuda-lint: expect(speed >= 9)
  //~^ error expectation-failed: this is no expectation: expected shared-bank-conflict, wavefronts_per_request
}

// What is not known.
__global__ void random(const int *index, float *out) {
  out[index[threadIdx.x]] = 1; // cuda-lint: expect(sectors_per_request <= 4)
  //~^ note expectation-failed: not known of a store of 4 bytes
}
