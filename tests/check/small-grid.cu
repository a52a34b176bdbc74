// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(pascal): --gpu gtx-1080-ti
// RUN-OPTIONS(arch): --gpu sm_90

__global__ void scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void silent(float *data, int n) {
  scale<<<132, 256>>>(data);
  scale<<<dim3(12, 12), 256>>>(data);
  scale<<<n, 256>>>(data);
  scale<<<1, 32>>>(data);
}

void fires(float *data) {
  scale<<<28, 256>>>(data);
  //~^ warning small-grid: grid of 28 blocks leaves 104 of the 132 SMs of h200 without work
  scale<<<27, 256>>>(data);
  //~^ warning small-grid: grid of 27 blocks leaves 105 of the 132 SMs
  //~pascal^^ note small-grid: grid of 27 blocks leaves 1 of the 28 SMs of gtx-1080-ti
  scale<<<1, 256>>>(data);
  //~^ note small-grid: grid of 1 block leaves 131
  //~pascal^^ note small-grid: grid of 1 block leaves 27
}
