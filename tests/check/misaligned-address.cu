// RUN-OPTIONS: --gpu h200

__global__ void apart(int *out, const char *in) {
  int t = threadIdx.x;
  out[t] = *(const int *)(in + 5 * t);
  //~^ error misaligned-address: load of '*(const int *)(in + 5 * t)' faults: lanes are 5 bytes apart, and 4 bytes need an address that is a multiple of 4
}

__global__ void behind(float4 *out, const char *in) {
  int t = threadIdx.x;
  out[t] = *(const float4 *)(in + 16 * t + 8);
  //~^ warning misaligned-address: faults: the first lane is 8 bytes behind such an address, and 16 bytes need an address that is a multiple of 16
}

__global__ void rows(float4 *out) {
  __shared__ float tile[32][33];
  int t = threadIdx.x;
  tile[t][0] = t;
  __syncthreads();
  out[t] = *(float4 *)&tile[t][0];
  //~^ error misaligned-address: load of '*(float4 *)&tile[t][0]' faults: lanes are 132 bytes apart
}

// Aligned, whatever the compiler thinks of it.
__global__ void aligned(float4 *out, const char *in) {
  int t = threadIdx.x;
  out[t] = *(const float4 *)(in + 16 * t + 32);
}

// Read byte by byte.
struct __attribute__((packed)) Packed {
  char tag;
  int value;
};
__global__ void packed(int *out, const Packed *in) {
  out[threadIdx.x] = in[threadIdx.x].value;
  //~^ warning global-uncoalesced: touches 5 sectors per request
}

// The pitch may be a multiple of 16.
__global__ void pitched(float4 *out, const char *in, int pitch) {
  int t = threadIdx.x;
  out[t] = *(const float4 *)(in + t * pitch);
}

// Which lanes take part is not known.
__global__ void some(int *out, const char *in, const int *mask) {
  int t = threadIdx.x;
  if (mask[t])
    out[t] = *(const int *)(in + 2 * t);
}

void run() {
  apart<<<1, 32>>>(0, 0);
  behind<<<1, 32>>>(0, 0);
  rows<<<1, 32>>>(0);
  aligned<<<1, 32>>>(0, 0);
  packed<<<1, 32>>>(0, 0);
  pitched<<<1, 32>>>(0, 0, 0);
  some<<<1, 32>>>(0, 0, 0);
}
