// RUN-OPTIONS: --gpu h200

__global__ void scale(float *data) { data[threadIdx.x] *= 2; }

extern "C" __device__ int vprintf(const char *, void *);
__global__ void shows(const float *data) {
  if (data[8 * threadIdx.x] < 0)
    vprintf("negative\n", nullptr);
}

void silent(float *data, int n) {
  shows<<<2, 8>>>(data);
  scale<<<1024, 256>>>(data);
  scale<<<1024, dim3(16, 16)>>>(data);
  scale<<<1024, dim3(8, 4)>>>(data);
  scale<<<n, n>>>(data);
  scale<<<1, 1>>>(data); // Serial on purpose.
}

void fails(float *data) {
  scale<<<0, 100>>>(data);
  //~^ error invalid-launch: grid.x is 0
}

void fires(float *data) {
  scale<<<1024, 8>>>(data);
  //~^ warning partial-warp-block: block of 8 threads is smaller than a warp: 24 of its 32 lanes never work (75 %); use at least 32 threads
  scale<<<1024, dim3(10, 10)>>>(data);
  //~^ warning partial-warp-block: block of 10x10 (100 threads) fills 3 of 4 warps: 28 of 128 lanes never work (21.9 %); use 96 or 128 threads
  scale<<<1024, 673>>>(data);
  //~^ note partial-warp-block: fills 21 of 22 warps
}
