// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(old): --gpu sm_13

__global__ void dynamic(float *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void optedIn(float *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void huge(float *out) {
  //~^ error shared-memory-limits: 65536 bytes of static shared memory, the limit is 49152
  //~old^^ shared-memory-limits: the limit is 16384
  __shared__ float s[16384];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}

void silent(float *out, int n) {
  dynamic<<<1024, 256, 16000>>>(out);
  dynamic<<<1024, 256, n>>>(out);
}

void runs(float *out) {
  cudaFuncSetAttribute(optedIn, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       100000);
  optedIn<<<1024, 256, 100000>>>(out);
  //~old^ error shared-memory-limits: the limit is 16384
}

__global__ void tooLittle(float *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void tooLate(float *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}

void raises(float *out) {
  cudaFuncSetAttribute(tooLittle, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       64 * 1024);
  tooLittle<<<1024, 256, 64 * 1024>>>(out);
  //~old^ error shared-memory-limits: the limit is 16384
  tooLittle<<<1024, 256, 64 * 1024 + 4>>>(out);
  //~^ error shared-memory-limits: it asks for 65540 bytes of dynamic shared memory, and cudaFuncSetAttribute (line 54) allows 65536
  //~old^^ error shared-memory-limits: the limit is 16384
  tooLate<<<1024, 256, 64 * 1024>>>(out);
  //~^ error shared-memory-limits: 49152 are the limit until cudaFuncSetAttribute raises it, which it does only after this launch (line 64)
  //~old^^ error shared-memory-limits: the limit is 16384
  cudaFuncSetAttribute(tooLate, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       64 * 1024);
  tooLate<<<1024, 256, 64 * 1024>>>(out);
  //~old^ error shared-memory-limits: the limit is 16384
}

// The limit of the GPU that it runs on decides, not the linter.
void checked(float *out) {
  int most;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlock, 0);
  for (int n = 1024; n <= 32768; n *= 2)
    if (n * 4 <= most)
      dynamic<<<1024, 256, n * 4>>>(out);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  if (98304 > properties.sharedMemPerBlock)
    return;
  dynamic<<<1024, 256, 98304>>>(out);
}

void fails(float *out) {
  dynamic<<<1024, 256, 65536>>>(out);
  //~^ error shared-memory-limits: asks for 65536 bytes of shared memory, the limit is 49152 unless cudaFuncSetAttribute raises
  //~old^^ error shared-memory-limits: 65536 bytes of shared memory, the limit is 16384
  // 227 KB is all that there is.
  optedIn<<<1024, 256, 232449>>>(out);
  //~^ error shared-memory-limits: the limit is 232448
  //~old^^ error shared-memory-limits: the limit is 16384
  huge<<<1024, 256>>>(out);
}
