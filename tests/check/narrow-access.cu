// RUN-OPTIONS: --gpu h200 --checks=-*,narrow-access

// Silent cases first: what looks like the fault and is none.

struct Three {
  float x, y, z;
};
struct Four {
  float x, y, z, w;
};
struct __align__(16) Aligned {
  float x, y, z, w;
};

// One load, or several that are apart.
__global__ void apart(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += in[k] + in[k + 2048];
  out[i] = sum;
}

// No multiples: every turn is four bytes on, or twelve.
__global__ void sliding(float *out, const float *in, const Three *points) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += in[k] * in[k + 1] * in[k + 2] * in[k + 3];
  for (int k = 0; k < 1024; ++k)
    sum += points[k].x * points[k].y * points[k].z;
  for (int k = 0; k < 1024; k += 4)
    sum += in[k + 1] * in[k + 2];
  out[i] = sum;
}

// A row that begins anywhere.
__global__ void rows(float *out, const float *in, int pitch) {
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += in[k * pitch] + in[k * pitch + 1];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void from(float *out, const float *in, int first) {
  float sum = 0;
  for (int k = 0; k < 1024; k += 2)
    sum += in[first + k] + in[first + k + 1];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// The compiler knows.
__global__ void aligned(float *out, const Aligned *in, const float4 *vectors) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; ++k) {
    Aligned a = in[k];
    float4 v = vectors[k];
    sum += a.x * a.y * a.z * a.w + v.x * v.y * v.z * v.w;
  }
  out[i] = sum;
}

// Something is written in between.
__global__ void written(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < 1024; k += 2) {
    out[i] = in[k];
    out[i + 65536] = in[k + 1];
  }
}

// Some lanes, or some turns.
__global__ void sometimes(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; k += 2) {
    sum += in[k];
    if (sum < 1)
      sum += in[k + 1];
  }
  out[i] = sum;
}

// Once.
__global__ void once(float *out, const float *in) {
  out[blockIdx.x * 256 + threadIdx.x] = in[0] + in[1] + in[2] + in[3];
}

// The compiler may load it before the loop.
__global__ void matrix(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < 64; ++k)
    out[i + k * 65536] = in[0] * k + in[1] * i + in[2] * (k + i) + in[3];
}

// Lanes that are 16 bytes apart: global-uncoalesced has it.
__global__ void lanes(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += in[k * 262144 + 4 * i] + in[k * 262144 + 4 * i + 1] +
           in[k * 262144 + 4 * i + 2] + in[k * 262144 + 4 * i + 3];
  out[i] = sum;
}

// Then those that fire, with the expectation below their line.

__global__ void unrolled(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; k += 4)
    sum += in[k] + 2 * in[k + 1] + 3 * in[k + 2] + 4 * in[k + 3];
  //~^ note narrow-access: load of 'in[k]' and its neighbours, 4 requests of each turn, could be 1 of 16 bytes: the compiler does not know that the address is a multiple of 16; load them by a pointer to a vector type of 16 bytes
  out[i] = sum;
}

__global__ void pairs(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; k += 2)
    sum += in[k + 1] * in[k];
  //~^ narrow-access: 2 requests of each turn, could be 1 of 8 bytes
  out[i] = sum;
}

__global__ void fields(float *out, const Four *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += in[k].x * in[k].y + in[k].z * in[k].w;
  //~^ narrow-access: write '__align__(16)' before 'Four'
  out[i] = sum;
}

__global__ void eight(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; k += 8) {
    sum += in[k] * in[k + 1] * in[k + 2] * in[k + 3];
    //~^ narrow-access: 8 requests of each turn, could be 2 of 16 bytes
    sum += in[k + 4] * in[k + 5] * in[k + 6] * in[k + 7];
  }
  out[i] = sum;
}

void run(float *out, const float *in, const Three *three, const Four *four,
         const Aligned *all, const float4 *vectors, int n) {
  apart<<<256, 256>>>(out, in);
  sliding<<<256, 256>>>(out, in, three);
  rows<<<256, 256>>>(out, in, n);
  from<<<256, 256>>>(out, in, n);
  aligned<<<256, 256>>>(out, all, vectors);
  written<<<256, 256>>>(out, in);
  sometimes<<<256, 256>>>(out, in);
  once<<<256, 256>>>(out, in);
  matrix<<<256, 256>>>(out, in);
  lanes<<<256, 256>>>(out, in);
  unrolled<<<256, 256>>>(out, in);
  eight<<<256, 256>>>(out, in);
  pairs<<<256, 256>>>(out, in);
  fields<<<256, 256>>>(out, four);
}
