// RUN-OPTIONS: --gpu h200

// A pitch that moves whole warps does no harm.
__global__ void rows(float *out, const float *in, int pitch) {
  out[blockIdx.x * pitch + threadIdx.x] = in[blockIdx.x * pitch + threadIdx.x];
}

// The launch gives the number: no run-time stride.
__global__ void known(float *out, const float *in, int n) {
  out[threadIdx.x] = in[threadIdx.x * n];
}

__global__ void column(float *out, const float *in, int n) {
  out[threadIdx.x] = in[threadIdx.x * n];
  //~^ warning runtime-stride: touches up to 32 sectors per request, ideal 4, unless n is 1: neighbouring lanes are 4 bytes times n apart
}

__global__ void shared(float *out, int pitch) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * pitch];
  //~^ note runtime-stride: has bank conflicts if and only if pitch is even, with up to 32 wavefronts instead of 1 when pitch % 32 == 0; choose an odd pitch
}

void run(float *out, const float *in, int n) {
  rows<<<1024, 256>>>(out, in, n);
  known<<<1024, 256>>>(out, in, 1);
  column<<<1024, 256>>>(out, in, n);
  shared<<<1024, 256, 32768>>>(out, n);
}
