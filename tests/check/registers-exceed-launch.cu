// RUN-OPTIONS: --gpu h200 --registers 80 --checks=-*,registers-exceed-launch
// RUN-OPTIONS(old): --gpu sm_13 --registers 60 --checks=-*,registers-exceed-launch
// RUN-OPTIONS(unknown): --gpu h200 --checks=-*,registers-exceed-launch

__global__ void scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void silent(float *data, int n) {
  // 80 registers x 24 warps are 61440 of 65536.
  scale<<<4096, 256>>>(data);
  scale<<<4096, n>>>(data);
}

void fires(float *data) {
  // 80 registers x 1024 threads are 81920.
  scale<<<4096, 1024>>>(data);
  //~^ error registers-exceed-launch: 'scale' in blocks of 1024 threads cannot run on h200: the launch fails with error 701
  // 60 registers x 512 threads are 30720 of 16384.
  scale<<<4096, 512>>>(data);
  //~old^ error registers-exceed-launch: 60 registers
}
