// RUN-OPTIONS: --gpu h200 --checks=-*,pageable-async-copy

#include "Inputs/vector.h"

__global__ void twice(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
void fill(float *);
float *make();

// Silent cases first: what looks like the fault and is none.

void pinned(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 1 << 20);
  cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, s);
  twice<<<1024, 256, 0, s>>>(d);
  cudaMemcpyAsync(h, d, 1 << 20, cudaMemcpyDeviceToHost, s);
}

// Pinned or not.
void either(float *d, cudaStream_t s, bool pin) {
  float *h;
  if (pin)
    cudaMallocHost(&h, 1 << 20);
  else
    h = (float *)malloc(1 << 20);
  cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, s);
}
void chosen(float *d, cudaStream_t s, bool first) {
  float *h = (float *)malloc(1 << 20);
  if (first)
    h = make();
  cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, s);
}

// From somebody else.
struct Buffers {
  float *h;
};
void parameter(float *d, float *h, Buffers *b, cudaStream_t s) {
  cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(d, b->h, 1 << 20, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(d, make(), 1 << 20, cudaMemcpyHostToDevice, s);
}
void allocate(float *&h) { cudaMallocHost(&h, 1 << 20); }
void byReference(float *d, cudaStream_t s) {
  float *h = nullptr;
  allocate(h);
  cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, s);
}

// Between places of the GPU, and where only the run knows.
void directions(float *d, float *e, cudaMemcpyKind kind, cudaStream_t s) {
  float *h = (float *)malloc(1 << 20);
  cudaMemcpyAsync(d, e, 1 << 20, cudaMemcpyDeviceToDevice, s);
  cudaMemcpyAsync(d, h, 1 << 20, kind, s);
  cudaMemcpy(d, h, 1 << 20, cudaMemcpyHostToDevice);
}

// Little, which the driver takes at once.
void little(float *d, cudaStream_t s) {
  int flag = 0;
  float row[1024];
  cudaMemcpyAsync(d, &flag, sizeof(flag), cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(d, row, sizeof(row), cudaMemcpyHostToDevice, s);
}

// The host waits for it anyway.
#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      exit(1);                                                                 \
  } while (0)
#define REQUIRE(call)                                                          \
  do {                                                                         \
    cudaError_t error = call;                                                  \
    if (error != cudaSuccess)                                                  \
      exit(1);                                                                 \
  } while (0)
void waited(float *d, cudaStream_t s) {
  float *h = (float *)malloc(1 << 20);
  cudaMemcpyAsync(h, d, 1 << 20, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  CHECK(cudaMemcpyAsync(h, d, 1 << 20, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamSynchronize(s));
  REQUIRE(cudaMemcpyAsync(h, d, 1 << 20, cudaMemcpyDeviceToHost, s));
  REQUIRE(cudaStreamSynchronize(s));
  if (h)
    CHECK(cudaMemcpyAsync(h, d, 1 << 20, cudaMemcpyDeviceToHost, s));
  cudaMemcpyAsync(h, d, 1 << 20, cudaMemcpyDeviceToHost, s);
  cudaDeviceSynchronize();
}

// Managed, and of the GPU.
__managed__ float shared[1 << 18];
void managed(float *d, cudaStream_t s) {
  cudaMemcpyAsync(d, shared, 1 << 20, cudaMemcpyHostToDevice, s);
  float *m;
  cudaMallocManaged(&m, 1 << 20);
  cudaMemcpyAsync(d, m, 1 << 20, cudaMemcpyHostToDevice, s);
}

// An allocator that may pin, and a variable that other files may assign.
template <class T> struct Pinned {};
float *anybodys = (float *)malloc(1 << 20);
void allocators(float *d, std::vector<float, Pinned<float>> &v, cudaStream_t s) {
  cudaMemcpyAsync(d, v.data(), v.size() * 4, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(d, anybodys, 1 << 20, cudaMemcpyHostToDevice, s);
}

// Nothing that it could run beside.
void before(float *d, cudaStream_t s) {
  float *h = (float *)malloc(1 << 20);
  cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, s);
  twice<<<1024, 256, 0, s>>>(d);
}
std::vector<float> result(const float *d, cudaStream_t s) {
  std::vector<float> v(1 << 18);
  CHECK(cudaMemcpyAsync(v.data(), d, 1 << 20, cudaMemcpyDeviceToHost, s));
  cudaMemcpyAsync(v.data(), d, 1 << 20, cudaMemcpyDeviceToHost, s);
  return v;
}

// Then those that fire, with the expectation below their line.

void heap(float *d, size_t n, cudaStream_t s) {
  float *h = (float *)malloc(n * sizeof(float));
  fill(h);
  twice<<<1024, 256, 0, s>>>(d);
  cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s);
  //~^ warning pageable-async-copy: an asynchronous copy from 'h', which is not pinned, makes the host wait: it is of 'malloc'
  twice<<<1024, 256, 0, s>>>(d);
  CHECK(cudaMemcpyAsync(h + 4, d, n * 2, cudaMemcpyDeviceToHost, s));
  //~^ pageable-async-copy: copy to 'h'
  twice<<<1024, 256, 0, s>>>(d);
  float *mine = nullptr;
  mine = new float[n];
  cudaMemcpyAsync(d, &mine[8], 1 << 20, cudaMemcpyHostToDevice);
  //~^ pageable-async-copy: of 'new'
  free(h);
  delete[] mine;
}

static float *table = (float *)calloc(1 << 18, 4);
static float rows[16][1 << 16];
void variables(float *d, int i, cudaStream_t s) {
  twice<<<1024, 256, 0, s>>>(d);
  cudaMemcpyAsync(d, table, 1 << 20, cudaMemcpyHostToDevice, s);
  //~^ pageable-async-copy: 'calloc'
  cudaMemcpyAsync(d, rows[i], 1 << 18, cudaMemcpyHostToDevice, s);
  //~^ pageable-async-copy: it is a variable of the host
}

void vectors(float *d, const std::vector<float> &v, cudaStream_t s) {
  std::vector<float> w(v.size());
  for (int i = 0; i < 4; ++i)
    cudaMemcpyAsync(d, v.data(), v.size() * 4, cudaMemcpyHostToDevice, s);
    //~^ pageable-async-copy: 'v', which is not pinned, makes the host wait: it is a 'std::vector'
  twice<<<1024, 256, 0, s>>>(d);
  cudaMemcpyAsync(&w[0], d, w.size() * 4, cudaMemcpyDeviceToHost, s);
  //~^ pageable-async-copy: register it once with 'cudaHostRegister'
  std::vector<float> all[2] = {w, w};
  cudaMemcpyAsync(d, all[1].data(), w.size() * 4, cudaMemcpyHostToDevice, s);
  //~^ pageable-async-copy: 'all'
}
