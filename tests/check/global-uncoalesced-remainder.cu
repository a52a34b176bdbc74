// RUN-OPTIONS: --gpu h200

// What is left over of pieces of eight: of lanes that are eight apart, one at
// most goes there, and it alone is no matter.
__global__ void leftOver(float *out, const float *in, int n) {
  float sum = 0;
  int i = threadIdx.x * 8;
  while (i < n) {
    int left = n - i;
    if (left >= 8) {
      const float4 a = *(const float4 *)(in + i);
      const float4 b = *(const float4 *)(in + i + 4);
      sum += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    } else {
      for (int j = 0; j < left; ++j)
        sum += in[i + j];
    }
    i += blockDim.x * 8;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void leftOverOfOnePiece(float *out, const float *in, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n) {
    *(float4 *)(out + i) = *(const float4 *)(in + i);
  } else {
    for (; i < n; ++i)
      out[i] = in[i];
  }
}

// Not so where the other side is as likely: rows above and below a bound.
__global__ void twoHalves(float *out, const float *in, int n, int split) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (i + 8 < split)
    out[i / 8] = 0;
  else if (i < n)
    out[i / 8] = in[i];
  //~^ warning global-uncoalesced: touches up to 32 sectors per request
}

// What a vector does not reach at the borders of rows: of one of them, at most
// two lanes; lanes of a whole warp only where the row is one of the first.
__global__ void borders(unsigned char *out, const unsigned char *in, int width,
                        int height, int pitch) {
  const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int y = blockIdx.y;
  if (x >= 4 && x + 7 < width) {
    *(uchar4 *)(out + y * pitch + x) = *(const uchar4 *)(in + y * pitch + x);
  } else if (x < width) {
    for (int k = x; k < min(x + 4, width); ++k)
      out[y * pitch + k] = in[y * pitch + k] / 2;
  }
}

void runBorders(unsigned char *out, const unsigned char *in, int width,
                int height, int pitch) {
  borders<<<dim3((width + 1023) / 1024, height), 256>>>(out, in, width, height,
                                                        pitch);
}

// Not so where a whole row is a border.
__global__ void frame(unsigned char *out, const unsigned char *in, int width,
                      int height, int pitch) {
  const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int y = blockIdx.y;
  if (x >= 4 && x + 7 < width && y >= 1 && y < height - 1) {
    *(uchar4 *)(out + y * pitch + x) = *(const uchar4 *)(in + y * pitch + x);
  } else if (x < width && y < height) {
    for (int k = x; k < min(x + 4, width); ++k)
      out[y * pitch + k] = in[y * pitch + k] / 2;
    //~^ note global-uncoalesced: store to 'out[y * pitch + k]' touches up to 4 sectors per request
  }
}

void runFrame(unsigned char *out, const unsigned char *in, int width,
              int height, int pitch) {
  frame<<<dim3((width + 1023) / 1024, height), 256>>>(out, in, width, height,
                                                      pitch);
}

// Of lanes that share a number, all go where one does: eight of them.
__global__ void lastGroup(float *out, const float *in, int n) {
  if (threadIdx.x / 8 == n - 1)
    out[threadIdx.x] = in[threadIdx.x * 32];
  //~^ warning global-uncoalesced: load of 'in[threadIdx.x * 32]' touches up to 8 sectors per request
}

// The same question, asked twice: what is left of it is left both times.
__global__ void askedTwice(float *out, const float *in, unsigned long rows,
                           unsigned long n) {
  unsigned long row = blockIdx.y;
  unsigned long i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (row < rows && i < n) {
    float4 v = {};
    if (i + 3 < n) {
      v = *(const float4 *)(in + row * n + i);
    } else {
      v.x = i < n ? in[row * n + i] : 0;
      v.y = i + 1 < n ? in[row * n + i + 1] : 0;
    }
    if (i + 3 < n) {
      *(float4 *)(out + row * n + i) = v;
    } else {
      if (i < n)
        out[row * n + i] = v.x;
      if (i + 1 < n)
        out[row * n + i + 1] = v.y;
    }
  }
}

// The row is there, so that it is the column that is not; and of what is less
// than four, nothing is as much.
__global__ void otherwise(float *out, const float *in, unsigned long rows,
                          unsigned long n) {
  unsigned long i = blockIdx.x * blockDim.x * 4 + threadIdx.x * 4;
  unsigned long row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && i + 3 < n) {
    *(float4 *)(out + row * n + i) = *(const float4 *)(in + row * n + i);
  } else if (row < rows) {
    if (i < n)
      out[row * n + i] = in[row * n + i];
    if (i + 1 < n)
      out[row * n + i + 1] = in[row * n + i + 1];
    if (i + 3 < n)
      out[row * n + i + 3] = in[row * n + i + 3];
  }
}

// A negative number is no small one for the first question, and one for the
// second: lanes do come here.
__global__ void belowZero(float *out, const float *in, int n, int from) {
  int i = threadIdx.x + from;
  if ((unsigned)i < (unsigned)n)
    out[threadIdx.x] = 0;
  else if (i < n)
    out[threadIdx.x] = in[threadIdx.x * 8];
  //~^ warning global-uncoalesced: touches up to 32 sectors per request
}
