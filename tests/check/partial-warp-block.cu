// RUN-OPTIONS: --gpu h200

__global__ void scale(float *data) { data[threadIdx.x] *= 2; }

extern "C" __device__ int vprintf(const char *, void *);
__global__ void shows(const float *data) {
  if (data[8 * threadIdx.x] < 0)
    vprintf("negative\n", nullptr);
}

template <int Channels>
__global__ void norm(float *data) { data[threadIdx.x] *= Channels; }

// A thread for each two channels, of which the caller has as many.
template <int Channels> void perChannel(float *data) {
  norm<Channels><<<1024, Channels / 2>>>(data);
}

template <int Size>
__global__ void sized(float *data) { data[threadIdx.x] *= Size; }

template <int Size>
__global__ void alone(float *data) { data[threadIdx.x] *= Size; }

void silent(float *data, int n) {
  shows<<<2, 8>>>(data);
  perChannel<200>(data);
  perChannel<256>(data);
  // Each size of those that it is made for.
  sized<100><<<1024, 100>>>(data);
  sized<120><<<1024, 120>>>(data);
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

__global__ void sums(float *sum, const float *data) {
  float x = 0;
  for (int i = 0; i < 1000; ++i)
    x += data[blockIdx.x * 1000 + i];
  sum[blockIdx.x] = x;
}

void fires(float *data) {
  // An SM for each block, which is done at once: not so where it has a loop.
  scale<<<16, 8>>>(data);
  //~^ note partial-warp-block: block of 8 threads is smaller than a warp
  sums<<<132, 1>>>(data, data + 132000);
  //~^ warning partial-warp-block: block of 1 thread is smaller than a warp
  scale<<<1024, 8>>>(data);
  //~^ warning partial-warp-block: block of 8 threads is smaller than a warp: 24 of its 32 lanes never work (75 %); use at least 32 threads
  scale<<<1024, dim3(10, 10)>>>(data);
  //~^ note partial-warp-block: block of 10x10 (100 threads) fills 3 of 4 warps: 28 of 128 lanes never work (21.9 %); use 16 threads in x, 160 in all
  // 13x13 pixels in 6 warps: 23 of 192 lanes idle; 104 threads in 4.
  scale<<<1024, dim3(13, 13)>>>(data);
  //~^ note partial-warp-block: 23 of 192 lanes never work (12 %)
  scale<<<1024, 104>>>(data);
  //~^ note partial-warp-block: 24 of 128 lanes never work (18.8 %)
  // A quarter of two warps.
  scale<<<1024, 48>>>(data);
  //~^ warning partial-warp-block: block of 48 threads fills 1 of 2 warps: 16 of 64 lanes never work (25 %)
  alone<1><<<1024, 100>>>(data);
  //~^ note partial-warp-block: block of 100 threads fills 3 of 4 warps
  alone<2><<<1024, 100>>>(data);
  //~^ note partial-warp-block: block of 100 threads fills 3 of 4 warps
  alone<3><<<1024, 128>>>(data);
  scale<<<1024, 673>>>(data);
  //~^ note partial-warp-block: fills 21 of 22 warps
}
