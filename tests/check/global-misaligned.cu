// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(old): --gpu sm_10

__global__ void aligned(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 32];
}

// A stencil cannot be aligned, and its neighbours' sectors are there anyway.
__global__ void stencil(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + 32] = in[i + 31] + in[i + 32] + in[i + 33];
}

// Where a row begins is not known.
__global__ void unknown(float *out, const float *in, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[first + i + 1];
}

__global__ void shifted(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 3];
  //~^ note global-misaligned: touches 5 sectors per request, aligned 4: the first lane starts 12 bytes behind a 32-byte boundary
  //~old^^ global-misaligned: touches 32 transactions per request, aligned 2
}

__global__ void bytes(char *out, const char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
  //~^ warning global-misaligned: touches 2 sectors per request, aligned 1
  //~old^^ global-uncoalesced: transactions
  //~old^^^ global-uncoalesced: transactions
}

// 9 sectors for 8: worth a note.
__global__ void doubles(double *out, const double *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
  //~^ note global-misaligned: touches 9 sectors per request, aligned 8
  //~old^^ warning global-misaligned: transactions
}

void run(float *out, const float *in, int first) {
  aligned<<<1024, 256>>>(out, in);
  stencil<<<1024, 256>>>(out, in);
  unknown<<<1024, 256>>>(out, in, first);
  shifted<<<1024, 256>>>(out, in);
  bytes<<<1024, 256>>>((char *)out, (const char *)in);
  doubles<<<1024, 256>>>((double *)out, (const double *)in);
}

// What a member holds, other functions say.
struct input {
  float *raw, *data, *part;
};
void allocate(input *in, int n) {
  cudaMalloc(&in->raw, 4096);
  in->data = in->raw + 1;
  in->part = in->raw + n;
}

// `data - 1` is `raw`.
__global__ void behind(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i - 1];
}

// Where `part` begins is not known.
__global__ void somewhere(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 3];
}

__global__ void moved(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  //~^ note global-misaligned: touches 5 sectors per request, aligned 4: the first lane starts 4 bytes behind a 32-byte boundary
  //~old^^ global-misaligned: touches 32 transactions per request, aligned 2
}

void runMembers(float *out, const input *in) {
  behind<<<1024, 256>>>(out, in->data);
  somewhere<<<1024, 256>>>(out, in->part);
  moved<<<1024, 256>>>(out, in->data);
}

// A filter slides along: each turn finds the sector that the one before missed.
__global__ void filter(float *out, const float *in, const float *taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 1; j < 7; ++j)
    sum += in[i + j] * taps[j];
  //~old^ global-uncoalesced: load of 'taps[j]' touches 32 transactions per request
  out[i] = sum;
}

// A row is 100 elements, half of the rows start 16 bytes behind a sector. Of
// each, 6 blocks take two rows of 16: 2 + 3 sectors, 4 if both are aligned; the
// last takes two of 4 elements: 2 sectors wherever they start. In all 32 / 7
// and 26 / 7.
__global__ void partial(float *out, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width)
    out[y * width + x] = 1;
  //~^ note global-misaligned: touches 4.6 sectors per request, aligned 3.7
}

void runPartial(float *out) {
  partial<<<dim3(7, 128), dim3(16, 8)>>>(out, 100);
}
