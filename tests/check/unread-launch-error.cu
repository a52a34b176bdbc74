// RUN-OPTIONS: --gpu h200 --checks=-*,unread-launch-error

#include "Inputs/vector.h"

__global__ void twice(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
void other();
void check(cudaError_t error) {
  if (error != cudaSuccess)
    exit(1);
}

// Silent cases first.

// The next call tells.
static void copies(float *data, float *host) {
  twice<<<1024, 256>>>(data);
  check(cudaMemcpy(host, data, 1 << 20, cudaMemcpyDeviceToHost));
}
static void waits(float *data) {
  twice<<<1024, 256>>>(data);
  cudaError_t error = cudaDeviceSynchronize();
  if (error)
    exit(1);
}
static void inCondition(float *data) {
  twice<<<1024, 256>>>(data);
  if (cudaDeviceSynchronize() != cudaSuccess)
    exit(1);
}

// In a function that is called behind it.
static void inFunction(float *data) {
  twice<<<1024, 256>>>(data);
  inCondition(data);
}

// In the next turn.
static void inLoop(float *data, int steps) {
  for (int i = 0; i < steps; ++i) {
    check(cudaDeviceSynchronize());
    twice<<<1024, 256>>>(data);
  }
}

// Who knows.
static void unseen(float *data) {
  twice<<<1024, 256>>>(data);
  other();
}
static void byPointer(float *data, void (*then)()) {
  twice<<<1024, 256>>>(data);
  then();
}

// Somebody outside may read it, and nobody calls the other one.
void visible(float *data) { twice<<<1024, 256>>>(data); }
static void dead(float *data) { twice<<<1024, 256>>>(data); }

// The one that calls reads it.
static void launch(float *data) { twice<<<1024, 256>>>(data); }
static void caller(float *data) {
  launch(data);
  check(cudaDeviceSynchronize());
}

// Its address is taken.
static void callback(float *data) { twice<<<1024, 256>>>(data); }
static void (*table[])(float *) = {callback};

// Then those that fire, with the expectation below their line.

// The first that nothing is read behind, not the first of all. What a loop
// reads is not read of what is launched behind it.
static void unread(float *data, int steps) {
  twice<<<1024, 256>>>(data);
  check(cudaMemset(data, 0, 1 << 20));
  for (int i = 0; i < steps; ++i) {
    check(cudaDeviceSynchronize());
    twice<<<1024, 256>>>(data);
  }
  twice<<<1024, 256>>>(data);
  //~^ note unread-launch-error: the program reads no error behind this launch
  twice<<<1024, 256>>>(data);
  cudaDeviceSynchronize();
}

int main() {
  float *data, *host = (float *)malloc(1 << 20);
  check(cudaMalloc(&data, 1 << 20));
  copies(data, host);
  waits(data);
  inCondition(data);
  inFunction(data);
  inLoop(data, 4);
  unseen(data);
  byPointer(data, other);
  caller(data);
  table[0](data);
  unread(data, 4);
  twice<<<1024, 256>>>(data);
  //~^ unread-launch-error: read
  (void)cudaDeviceSynchronize();
  std::vector<float> all(1 << 18);
  cudaMemcpy(all.data(), data, 1 << 20, cudaMemcpyDeviceToHost);
  cudaFree(data);
  free(host);
}
