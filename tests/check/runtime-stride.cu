// RUN-OPTIONS: --gpu h200

// A pitch that moves whole warps does no harm.
__global__ void rows(float *out, const float *in, int pitch) {
  out[blockIdx.x * pitch + threadIdx.x] = in[blockIdx.x * pitch + threadIdx.x];
}

// The launch gives the number: no run-time stride.
__global__ void known(float *out, const float *in, int n) {
  out[threadIdx.x] = in[threadIdx.x * n];
}

__global__ void column(float *out, const float *in, int n) {
  if (threadIdx.x < n)
    out[threadIdx.x] = in[threadIdx.x * n];
  //~^ warning runtime-stride: touches up to 32 sectors per request, ideal 4, unless n is 1: neighbouring lanes are 4 bytes times n apart
}

__global__ void shared(float *out, int pitch) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * pitch];
  //~^ note runtime-stride: has bank conflicts if and only if pitch is even, with up to 32 wavefronts instead of 1 when pitch % 32 == 0; let the rows of the array be of an odd length, give it the room for them, and move what lies behind it
}

// A bank has 4 words of 128.
__global__ void small(float *out, int pitch) {
  __shared__ float s[128];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * pitch];
  //~^ note runtime-stride: has bank conflicts if and only if pitch is even, with up to 4 wavefronts instead of 1; let the rows of the array be of an odd length, give it the room for them, and move what lies behind it
}

// The other array is larger.
__global__ void either(float *out, int pitch) {
  __shared__ float s[64], t[2048];
  s[threadIdx.x] = t[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float *p = s;
  for (int k = 0; k < 2; ++k) {
    out[threadIdx.x] += p[threadIdx.x * pitch];
    //~^ note runtime-stride: has bank conflicts if and only if pitch is even, with up to 32 wavefronts instead of 1
    p = t;
  }
}

// One lane at a time is at the diagonal: it has its bank for itself.
__global__ void diagonal(float *out, int n) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < n * n; i += 32)
    s[i] = out[i];
  __syncthreads();
  float x = out[threadIdx.x];
  for (int row = 0; row < n; ++row)
    if (threadIdx.x == row)
      x /= s[row * n + row];
  out[threadIdx.x] = x;
}

// In a stage whose halves are 1, 2, 4, 8 or 16 long, words of 16 banks are
// read, two of each; with longer halves, a warp reads 32 in a row.
__global__ void stage(float *out, int n) {
  __shared__ float s[512];
  int t = threadIdx.x;
  int low = ((t >> n) << (n + 1)) + (t & ((1 << n) - 1));
  s[t] = out[t];
  __syncthreads();
  out[t] = s[low];
  //~^ note runtime-stride: has 2-way bank conflicts when '1 << n' < 32, else none
}

// Lanes 1 << n words apart: as many meet in a bank, 8 at most, as thread 255
// would be at word 4080 of 2048 with 16.
__global__ void powers(float *out, int n) {
  __shared__ float s[2048];
  s[threadIdx.x << n] = out[threadIdx.x];
  //~^ note runtime-stride: has up to 8-way bank conflicts when '1 << n' > 1, else none
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// Each lane that adds up needs 4 bytes, and is 2 * distance floats from the
// next. With 4 to 8 floats, 4 sectors are touched where 8 and 4 lanes could do
// with one; from 32 floats on, it is one lane.
__global__ void sums(float *a, int distance) {
  if (threadIdx.x % (2 * distance) == 0)
    a[threadIdx.x] += a[threadIdx.x + distance];
  //~^ note runtime-stride: load of 'a[threadIdx.x]' touches up to 4 sectors per request, ideal 1, when distance < 16, if distance is a power of two
  //~^^ note runtime-stride: store to 'a[threadIdx.x]' touches up to 4 sectors per request, ideal 1, when distance < 16, if distance is a power of two
}

// The launch says that it is a power of two: with 16, thread 255 is at word
// 4080 of 4096.
__global__ void passed(float *out, int stride) {
  __shared__ float s[4096];
  s[threadIdx.x * stride] = out[threadIdx.x];
  //~^ note runtime-stride: has up to 16-way bank conflicts when stride > 1, else none
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// Groups of fewer than 32 put lanes into several columns: k is not all.
__global__ void shuffled(float *out, int groups, int k) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % groups * k + threadIdx.x / groups];
  //~^ note runtime-stride: has bank conflicts if k is even, with up to 32 wavefronts
}

void run(float *out, const float *in, int n) {
  for (int step = 0; step < n; ++step)
    passed<<<1024, 256>>>(out, 1 << step);
  rows<<<1024, 256>>>(out, in, n);
  known<<<1024, 256>>>(out, in, 1);
  column<<<1024, 256>>>(out, in, n);
  small<<<1024, 32>>>(out, n);
  either<<<1024, 32>>>(out, n);
  shared<<<1024, 256, 32768>>>(out, n);
  diagonal<<<1024, 32, 4096>>>(out, n);
}

// A dilation or the stride of a pooling layer bounds nothing, and is 1 as often
// as not: no number is said to be the kernel's.
__global__ void dilated(float *out, const float *in, int dilation, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    out[t] = in[t * dilation];
  //~^ note runtime-stride: touches up to 32 sectors per request unless dilation is 1, ideal 4
}

// Each index has a factor of its own, of which the innermost is mostly 1, or
// the bytes of an element.
__global__ void general(float *out, const char *in, int nb0, int nb1) {
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      *(const float *)(in + blockIdx.x * (size_t)nb1 + threadIdx.x * (size_t)nb0);
  //~^ note runtime-stride: touches up to 32 sectors per request unless nb0 is 4, ideal 4
}

// Whoever walks along the heads has rows of so many.
__global__ void heads(float *out, const float *in, int heads) {
  out[blockIdx.y * blockDim.x + threadIdx.x] =
      in[threadIdx.x * heads + blockIdx.y];
  //~^ note runtime-stride: touches up to 32 sectors per request, ideal 4, unless heads is 1
}

// The first warp of the first block lacks the lanes left of the edge: all
// others have 32, each in a sector of its own.
__global__ void edge(float *out, const float *in, int n) {
  int x = blockIdx.x * 16 + threadIdx.x - 2;
  if (x >= 0)
    out[threadIdx.y * 16 + threadIdx.x] = in[(threadIdx.y * 512 + x) * n];
  //~^ warning runtime-stride: load of 'in[(threadIdx.y * 512 + x) * n]' touches up to 32 sectors per request, ideal 4
}

void runEdge(float *out, const float *in, int n) {
  edge<<<32, dim3(16, 16)>>>(out, in, n);
}

// 4 lanes touch 2 sectors in each of 8 rows, if these start at one. With a pitch
// of 8, say, half of them do not, but it is taken to be a multiple of 32.
__global__ void tile(short *out, int pitch, int rows) {
  int row = blockIdx.x * 64 + threadIdx.x / 4 * 8, column = threadIdx.x % 4 * 8;
  for (int k = 0; k < rows; ++k)
    out[(row + k) * pitch + column] = 0;
  //~^ warning runtime-stride: touches up to 16 sectors per request, ideal 2: rows of 4 lanes
}

void runTile(short *out, int pitch, int rows) {
  tile<<<rows, 32>>>(out, pitch, rows);
}

// A block has one column of vectors, of a tile: its rows are no sum.
struct alignas(16) Vector {
  float x, y, z, w;
};
__global__ void tileOfVectors(float *out, const Vector *in, int n, int tiles) {
  if (blockIdx.x >= n)
    return;
  float sum = 0;
  for (int k = 0; k < tiles; ++k) {
    Vector v = in[(k * 32 + threadIdx.x) * n + blockIdx.x];
    //~^ warning runtime-stride: ideal 16, unless n is 1: neighbouring lanes are 16 bytes times n apart; let a block take more columns: the 16 bytes that it has of a row are less than the 32 of a sector
    sum += v.x * v.y + v.z * v.w;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void launchTiles(float *out, const Vector *in, int n, int tiles) {
  tileOfVectors<<<1024, 32>>>(out, in, n, tiles);
}

// With one block along a row, its 8 columns are all of the row.
__global__ void stripOfTile(float *out, const Vector *in, int n, int tiles) {
  float sum = 0;
  for (int k = 0; k < tiles; ++k) {
    Vector v = *(const Vector *)((const short *)in + (k * 32 + threadIdx.x) * n +
                                 blockIdx.x * 8);
    //~^^ warning runtime-stride: ideal 16, when n > 8: neighbouring lanes are 2 bytes times n apart; let a block take more columns
    sum += v.x * v.y + v.z * v.w;
  }
  if (blockIdx.x * 8 < n)
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void launchStrips(float *out, const Vector *in, int n, int tiles) {
  stripOfTile<<<1024, 32>>>(out, in, n, tiles);
}

// The first warp is in two rows, which meet if n is a multiple of 32, and the
// second in 32 of them.
__global__ void warpsDiffer(float *out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = out[t];
  __syncthreads();
  out[t] = s[(t < 32 ? t / 16 : t % 32) * n];
  //~^ note runtime-stride: if and only if n is even, with up to 32 wavefronts instead of 1 when n % 32 == 0
}

// A row is longer than n: of an even n, the rows are of an odd length.
__global__ void padded(float *out, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * (n + 1)];
  //~^ note runtime-stride: if and only if 'n + 1' is even, with up to 32 wavefronts instead of 1 when 'n + 1' % 32 == 0; let the rows of the array be of an odd length
}

// What a thread has of it is no row.
__global__ void parts(float *out, int n) {
  extern __shared__ float s[];
  int part = n / 10;
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * part];
  //~^ note runtime-stride: if and only if 'n / 10' is even, with up to 32 wavefronts instead of 1 when 'n / 10' % 32 == 0
}

// 512 threads, of which n are in y: of 2 columns on, the 32 lanes of a warp are
// in as many rows, and from 32 columns on in fewer of them.
__global__ void shaped(float *out, int n) {
  out[(blockIdx.x * blockDim.x + threadIdx.x) * n + threadIdx.y] = 0;
  //~^ note runtime-stride: touches up to 32 sectors per request, ideal 4, when n is 2, 4, 8, 16, 32 or 64, if n is a power of two
}

// Each row is looked at by one thread of those that there are for all elements.
__global__ void perRow(int *ids, const int *in, int rows, int length,
                       int hidden) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x;
       i < rows * length * hidden; i += blockDim.x * gridDim.x) {
    if (i < rows * length && i < rows)
      for (int k = 0; k < length; ++k)
        if (in[i * length + k] < 0)
          //~^ note runtime-stride: touches up to 32 sectors per request, ideal 4, unless length is 1
          ids[i] = k;
    ids[i] += 1;
  }
}

void runParts(float *out, int *ids, const int *in, int n, int m, int h) {
  warpsDiffer<<<1024, 64, 16384>>>(out, n);
  padded<<<1024, 32, 16384>>>(out, n);
  parts<<<1024, 32, 16384>>>(out, n);
  shaped<<<1024, dim3(512 / n, n)>>>(out, n);
  perRow<<<1024, 256>>>(ids, in, n, m, h);
}
