// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(old): --gpu sm_13

__global__ void fill(float *out) { out[threadIdx.x] = 0; }

__global__ void __launch_bounds__(128) bounded(float *out) {
  out[threadIdx.x] = 0;
}

void fits(float *out, int n) {
  fill<<<1024, 512>>>(out);
  fill<<<dim3(1024, 1), dim3(8, 8, 8)>>>(out);
  fill<<<n, n>>>(out);
  bounded<<<1024, 128>>>(out);
}

void runs(float *out, int n) {
  fill<<<1024, 1024>>>(out);
  //~old^ error invalid-launch: block.x is 1024, the limit is 512
  fill<<<dim3(1024, 1, 2), 128>>>(out);
  //~old^ error invalid-launch: grid.z is 2, the limit is 1
}

// The limit of the GPU that it runs on decides, not the linter.
void checked(float *out) {
  int most;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, 0);
  for (int n = 32; n <= 2048; n *= 2)
    if (n <= most)
      fill<<<1024, n>>>(out);
}

// What never runs does not fail.
void chosen(float *out) {
  int mode = 1;
  switch (mode) {
  case 0:
    fill<<<1, 4096>>>(out);
    break;
  case 1:
    fill<<<1024, 128>>>(out);
  }
  if (mode == 2)
    fill<<<1, 4096>>>(out);
}

void fails(float *out, int n) {
  if (n > 1) // That is not about the block.
    fill<<<1024, 4096>>>(out);
  //~^ error invalid-launch: block.x is 4096, the limit is 1024
  //~old^^ error invalid-launch: block.x is 4096
  fill<<<1024, 2048>>>(out);
  //~^ error invalid-launch: launch of 'fill(float *)' fails on h200: block.x is 2048, the limit is 1024; launch blocks of at most 1024 threads, and more of them
  //~old^^ error invalid-launch: block.x is 2048, the limit is 512
  dim3 block(64, 64);
  fill<<<1024, block>>>(out);
  //~^ error invalid-launch: a block of 64x64 has 4096 threads, the limit is 1024; launch blocks of at most 1024 threads
  //~old^^ error invalid-launch: 4096 threads
  fill<<<dim3(n, 70000), 256>>>(out);
  //~^ error invalid-launch: grid.y is 70000, the limit is 65535; count these blocks along x, where a grid may have more than 65535
  //~old^^ error invalid-launch: grid.y is 70000
  fill<<<1024, 0>>>(out);
  //~^ error invalid-launch: block.x is 0, at least 1 is needed
  //~old^^ error invalid-launch: block.x is 0
  fill<<<1024, 100, -16>>>(out);
  //~^ error invalid-launch: dynamic shared memory of -16 bytes is 18446744073709551600 as the size_t
  //~old^^ error invalid-launch: dynamic shared memory of -16 bytes
  bounded<<<1024, 256>>>(out);
  //~^ error invalid-launch: a block of 256 has 256 threads, its __launch_bounds__ promise at most 128
  //~old^^ error invalid-launch: promise at most 128
}

// A quotient that rounds to no block at all.
void roundedDown(float *out) {
  int n = 9, threads = 16;
  int blocks = n / threads;
  fill<<<blocks, threads>>>(out);
  //~^ error invalid-launch: grid.x is 0, at least 1 is needed; the division of integers rounds down: round it up
  //~old^^ error invalid-launch: grid.x is 0, at least 1 is needed; the division of integers rounds down: round it up
  fill<<<dim3(4, n / 16), threads>>>(out);
  //~^ error invalid-launch: grid.y is 0, at least 1 is needed; the division of integers rounds down: round it up
  //~old^^ error invalid-launch: grid.y is 0, at least 1 is needed; the division of integers rounds down: round it up
}

#if __CUDA_ARCH__ >= 900
__global__ void __attribute__((cluster_dims(2, 1, 1))) paired(float *out) {
  out[threadIdx.x] = 0;
}

void together(float *out) {
  paired<<<4, 32>>>(out);
  paired<<<3, 32>>>(out);
  //~^ invalid-launch: grid.x is 3, no multiple of the 2 blocks of its __cluster_dims__; launch a multiple of 2 blocks there, or let a cluster have 1 there
  void *args[] = {&out};
  cudaLaunchCooperativeKernel((const void *)fill, dim3(132), dim3(256), args, 0, 0);
  cudaLaunchCooperativeKernel((const void *)fill, dim3(132 * 8 + 1), dim3(256), args, 0, 0);
  //~^ invalid-launch: a cooperative launch of 1057 blocks, of which at most 1056 can be resident at once (8 on each of 132 SMs), fails with error 720 (cudaErrorCooperativeLaunchTooLarge)
}
#endif
