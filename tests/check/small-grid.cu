// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(pascal): --gpu gtx-1080-ti
// RUN-OPTIONS(arch): --gpu sm_90

__global__ void scale(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

// An element for each thread: more threads would have nothing to do.
__global__ void once(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

__global__ void four(float *data) {
  for (int i = 0; i < 4; ++i)
    data[(blockIdx.x * 4 + i) * blockDim.x + threadIdx.x] *= 2;
}

void silent(float *data, int n) {
  scale<<<132, 256>>>(data, n);
  scale<<<dim3(12, 12), 256>>>(data, n);
  scale<<<n, 256>>>(data, n);
  scale<<<1, 32>>>(data, n);
  // 3 % of the SMs are idle.
  scale<<<128, 256>>>(data, n);
  once<<<12, 256>>>(data);
  four<<<12, 256>>>(data);
}

// As many blocks as there are SMs.
void silentOnAll(float *data, int n) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  scale<<<properties.multiProcessorCount, 256>>>(data, n);
}

int sms;
void setUp() {
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
}

// Each target has its own number of them.
void firesByProperty(float *data, int n) {
  setUp();
  scale<<<sms / 4, 256>>>(data, n);
  //~^ warning small-grid: grid of 33 blocks leaves 99 of the 132 SMs of h200
  //~pascal^^ warning small-grid: grid of 7 blocks leaves 21 of the 28 SMs
  // Only where there are few SMs is the first of them taken.
  if (sms < 64)
    scale<<<24, 256>>>(data, n);
    //~pascal^ note small-grid: grid of 24 blocks leaves 4 of the 28 SMs
  else
    scale<<<264, 256>>>(data, n);
}

void fires(float *data, int n) {
  scale<<<28, 256>>>(data, n);
  //~^ warning small-grid: grid of 28 blocks leaves 104 of the 132 SMs of h200 without work
  scale<<<24, 256>>>(data, n);
  //~^ warning small-grid: grid of 24 blocks leaves 108 of the 132 SMs
  //~pascal^^ note small-grid: grid of 24 blocks leaves 4 of the 28 SMs of gtx-1080-ti
  scale<<<1, 256>>>(data, n);
  //~^ note small-grid: grid of 1 block leaves 131
  //~pascal^^ note small-grid: grid of 1 block leaves 27
}

// The size that the program has by default, and input may change.
void byDefault(float *data, int argc, char **argv) {
  int n = 1000;
  if (argc > 1)
    n = atoi(argv[1]);
  const int threads = n < 256 ? n : 256;
  scale<<<(n + 255) / 256, 256>>>(data, n);
  //~^ note small-grid: grid of 4 blocks, as it is unless input changes it, leaves 128 of the 132 SMs
  //~pascal^^ note small-grid: grid of 4 blocks, as it is unless input changes it, leaves 24 of the 28 SMs
  scale<<<(n + threads - 1) / threads, threads>>>(data, n);
  //~^ note small-grid: grid of 4 blocks, as it is unless input changes it, leaves 128 of the 132 SMs
  //~pascal^^ note small-grid: grid of 4 blocks, as it is unless input changes it, leaves 24 of the 28 SMs
}
