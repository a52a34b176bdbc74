// RUN-OPTIONS: --gpu h200

// What nothing launches in a program whose main() is here takes no time.

struct Particle {
  float x, y, z, w, mass;
};

__global__ void launched(Particle *p, float t) {
  p[blockIdx.x * blockDim.x + threadIdx.x].x += t;
  //~^ warning global-uncoalesced: touches 20 sectors per request
}

__global__ void tried(Particle *p, float t) {
  p[blockIdx.x * blockDim.x + threadIdx.x].x += t;
  //~^ note global-uncoalesced: touches 20 sectors per request
}

__global__ void inATable(Particle *p, float t) {
  p[blockIdx.x * blockDim.x + threadIdx.x].y += t;
  //~^ warning global-uncoalesced: touches 20 sectors per request
}

__global__ void inAnotherBuild(Particle *p, float t) {
  p[blockIdx.x * blockDim.x + threadIdx.x].z += t;
  //~^ warning global-uncoalesced: touches 20 sectors per request
}

extern "C" __global__ void byName(Particle *p, float t) {
  p[blockIdx.x * blockDim.x + threadIdx.x].w += t;
  //~^ warning global-uncoalesced: touches 20 sectors per request
}

int main() {
  Particle *p;
  cudaMalloc((void **)&p, 4096 * sizeof(Particle));
  launched<<<4, 64>>>(p, 1);
  void (*table[])(Particle *, float) = {inATable};
  table[0]<<<4, 64>>>(p, 1);
#ifdef ANOTHER_BUILD
  inAnotherBuild<<<4, 64>>>(p, 1);
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
