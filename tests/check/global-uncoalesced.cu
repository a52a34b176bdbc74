// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(old): --gpu sm_10

__global__ void rows(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// Wide, and a broadcast, which 1.x does not know.
__global__ void whole(float4 *out, const float4 *in, const float *scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = in[i];
  v.x *= scale[blockIdx.x];
  //~old^ global-uncoalesced: all lanes are at one address, 0.4 % of the bytes moved are used; keep it in constant memory
  out[i] = v;
}

// A gather depends on data: a note says what it costs if that is random.
__global__ void gather(float *out, const float *in, const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
  //~^ note random-access: touches 32 sectors per request if the data is random
  //~old^^ note random-access: touches 32 transactions per request if the data is random
}

// One lane writes what the block found.
__global__ void single(float *out) {
  if (threadIdx.x == 0)
    out[blockIdx.x * 100] = 1;
}

// A field alone, in a struct that is all of one vector.
struct __align__(16) aligned {
  float x, y, z, w;
};
__global__ void vectors(aligned *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  aligned v = data[i];
  v.x += v.y;
  v.y += v.z;
  v.z += v.w;
  v.w += v.x;
  data[i] = v;
}

__global__ void columns(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 32];
  //~^ warning global-uncoalesced: touches 32 sectors per request, ideal 4: neighbouring lanes are 128 bytes apart, 4 of the 32 bytes of each sector are used
  //~old^^ global-uncoalesced: touches 32 transactions per request, ideal 2
}

__global__ void pairs(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 2];
  //~^ global-uncoalesced: touches 8 sectors per request, ideal 4: neighbouring lanes are 8 bytes apart, 16 of the 32 bytes of each sector are used; only a layout with these elements side by side takes fewer
  //~old^^ global-uncoalesced: touches 32 transactions
}

// Nor does any turn take those between.
__global__ void pairsInTurns(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += in[i * 3 + 768 * k];
  //~^ global-uncoalesced: touches 12 sectors per request, ideal 4: neighbouring lanes are 12 bytes apart, 10.7 of the 32 bytes of each sector are used; only a layout with these elements side by side takes fewer
  //~old^^ global-uncoalesced: touches 32 transactions
  out[i] = sum;
}

// Both branches store, each between what the other does.
__global__ void nibbles(float *out, const unsigned char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 1) {
    out[i] = in[i / 2] & 15;
    //~^ global-uncoalesced: store to 'out[i]' touches 4 sectors per request, ideal 2: neighbouring active lanes are 8 bytes apart, 16 of the 32 bytes of each sector are used; let each branch choose the value only, and store it once behind them
    //~old^^ global-uncoalesced: load of 'in[i / 2]'
  } else {
    out[i] = in[i / 2] >> 4;
    //~^ global-uncoalesced: store to 'out[i]' touches 4 sectors per request, ideal 2
    //~old^^ global-uncoalesced: load of 'in[i / 2]'
  }
}

__global__ void transposed(float *out, const float *in) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  // What the load wins from other roles, the store loses.
  out[y * 1024 + x] = in[x * 1024 + y];
  //~^ global-uncoalesced: 8 of the 32 bytes of each sector are used; go through a tile in shared memory
  //~old^^ global-uncoalesced: go through a tile in shared memory
}

__global__ void turned(float *out, const float *in) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  // 16 rows of 2 elements each; 2 rows of 16 with other roles.
  out[x * 1024 + y] = in[x * 1024 + y];
  //~^ global-uncoalesced: swap the roles of threadIdx.x and threadIdx.y: 32 sectors of a warp become 8
  //~^^ global-uncoalesced: swap the roles of threadIdx.x and threadIdx.y: 32 sectors of a warp become 8
  //~old^^^ global-uncoalesced: swap the roles of threadIdx.x and threadIdx.y: 64 transactions of a warp become 4
  //~old^^^^ global-uncoalesced: swap the roles of threadIdx.x and threadIdx.y: 64 transactions of a warp become 4
}

// Turns take what is far apart, neighbouring blocks what is side by side: no
// block takes a turn of another's.
__global__ void blocksSideBySide(float *out, const float *in) {
  float sum = 0;
  for (int k = 0; k < 12; ++k)
    sum += in[threadIdx.x * 32 + k * 8192 + blockIdx.x];
    //~^ global-uncoalesced: let the lanes of a warp take neighbouring columns, of which a block has one here
    //~old^^ global-uncoalesced: touches
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct vec3d {
  float x, y, z;
};

__global__ void norm(const vec3d *data, float *out) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[tid].x;
  //~^ note global-uncoalesced: touches 12 sectors per request, ideal 4: neighbouring lanes are 12 bytes apart, 'x' is 4 bytes of the 12-byte struct 'vec3d', 10.7 of the 32 bytes of each sector are used; '__align__(16)' on 'vec3d' makes 1 request of the 3, but moves 33 % more bytes (separate arrays for the fields avoid both), which may save no time: the 3 loads of this struct together use 100 % of the bytes they fetch, so with an L1 the waste is L1 requests, not DRAM traffic; so do 2 other accesses of this kernel
  //~old^^ global-uncoalesced: '__align__(16)' on 'vec3d'
  float y = data[tid].y;
  //~old^ global-uncoalesced: see the load
  float z = data[tid].z;
  //~old^ global-uncoalesced: see the load
  out[tid] = x * x + y * y + z * z;
}

// One field: the other bytes are fetched for nothing.
__global__ void onlyX(const vec3d *data, float *out) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  out[tid] = data[tid].x;
  //~^ global-uncoalesced: keep the 33 % of 'vec3d' that it uses here in arrays of their own, on the host too: 12 sectors of a warp become 4
  //~old^^ global-uncoalesced: separate arrays
}

// Each thread has a run of its own.
__global__ void runs(float *out, const float *in) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += in[first + i];
  //~^ global-uncoalesced: let the lanes take neighbouring elements, or load what a lane has in vectors of 4 elements, which saves a part of it
  //~old^^ global-uncoalesced: load what a lane has in vectors of 4 elements
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Of as many elements as the launch says: of 5, no vector begins with the run.
__global__ void runsOf(float *out, int size) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * size;
  for (int i = 0; i < size; ++i)
    out[first + i] = i;
  //~^ global-uncoalesced: store what a lane has in vectors of 4 elements, where it has as many that begin at a multiple of 4
  //~old^^ global-uncoalesced: store what a lane has in vectors of 4 elements
}

// Neither turns nor blocks come to what lies between the lanes.
__global__ void everyThirtySecond(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    out[i] = in[i * 32];
  //~^ global-uncoalesced: only a layout with these elements side by side takes fewer, if all else that uses the array allows one: the block takes nothing of what lies between
  //~old^^ global-uncoalesced: touches up to 32 transactions per request
}

// A block has one of eight heads: its lanes are neighbours, elements of it are
// not.
__global__ void heads(float *out, const float *in, int rows, int count) {
  int row = blockIdx.x / count, head = blockIdx.x % count;
  float most = 0;
  for (int j = threadIdx.x; j < rows; j += blockDim.x)
    most = max(most, in[(row * rows + j) * count + head]);
  //~^ global-uncoalesced: only a layout with these elements side by side takes fewer
  //~old^^ global-uncoalesced:
  for (int j = threadIdx.x; j < rows; j += blockDim.x)
    most -= in[(row * rows + j) * count + head];
  //~^ global-uncoalesced: see the load
  //~old^^ global-uncoalesced: see the load
  out[blockIdx.x * blockDim.x + threadIdx.x] = most;
}

// It fills a tile, in whichever order.
__global__ void filled(float *out, const float *in, int n) {
  __shared__ float tile[256 * 8];
  for (int i = threadIdx.x; i < 256 * 8; i += blockDim.x) {
    int row = i % 256, column = i / 256;
    tile[i] = row < n ? in[(blockIdx.x * 256 + row) * 65 + column] : 0;
    //~^ global-uncoalesced: let neighbouring lanes load neighbouring elements: what they fill in shared memory may be filled in any order
    //~old^^ global-uncoalesced:
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[255 - threadIdx.x];
}

// Each warp has one of them: the block has what lies between.
__global__ void headOfWarp(float *out, const float *in) {
  int head = threadIdx.x / 32, lane = threadIdx.x % 32;
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      in[(blockIdx.x * 32 + lane) * 8 + head];
  //~^ global-uncoalesced: let neighbouring lanes take neighbouring elements, or copy through shared memory
  //~old^^ global-uncoalesced:
}

// A copy of a whole struct, which nvcc makes in two pieces.
struct pairOfDoubles {
  double a, b;
};
__global__ void copied(pairOfDoubles *out, const pairOfDoubles *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  //~^ note global-uncoalesced: load of 'in[i]' touches 16 sectors per request, ideal 8: neighbouring lanes are 16 bytes apart, 16 of the 32 bytes of each sector are used; '__align__(16)' on 'pairOfDoubles' makes 1 request of the 2, at the same size, which may save no time
  //~^^ warning global-uncoalesced: store to 'out[i]' touches 16 sectors per request, ideal 8: neighbouring lanes are 16 bytes apart, 16 of the 32 bytes of each sector are used; '__align__(16)' on 'pairOfDoubles' makes 1 request of the 2, at the same size
  //~old^^^ global-uncoalesced:
  //~old^^^^ global-uncoalesced:
}

struct threeFloats {
  float a, b, c;
};
__global__ void copiedAsWords(threeFloats *out, const threeFloats *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  //~^ note global-uncoalesced: 10.7 of the 32 bytes of each sector are used; keep the fields of 'threeFloats' in arrays of their own
  //~old^^ global-uncoalesced:
  //~old^^^ global-uncoalesced:
}

struct threeDoubles {
  double a, b, c;
};
__global__ void copiedInThree(threeDoubles *out, const threeDoubles *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  //~^ warning global-uncoalesced: store to 'out[i]' touches 24 sectors per request, ideal 8: neighbouring lanes are 24 bytes apart, 10.7 of the 32 bytes of each sector are used; keep the fields of 'threeDoubles' in arrays of their own, or copy through shared memory
  //~old^^ global-uncoalesced:
  //~old^^^ global-uncoalesced:
}

// What another kernel takes whole has no other layout.
__global__ void products(double2 *c, const double2 *a, const double2 *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double2 x = a[i], y = b[i];
  c[i] = double2{x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};
}
__global__ void realParts(double *d, const double2 *s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] = s[i].x * 2;
  //~^ note global-uncoalesced: touches 16 sectors per request, ideal 8: neighbouring lanes are 16 bytes apart, 'x' is 8 bytes of the 16-byte struct 'double2', 16 of the 32 bytes of each sector are used
  //~old^^ global-uncoalesced: 25 % of the bytes moved are used
}

// What is stored field by field of one vector is composed first.
__global__ void mixed(uchar4 *pixels, int frame) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uchar4 old = pixels[i];
  pixels[i].x = old.x + frame;
  //~^ global-uncoalesced: compose the 'uchar4' in a variable, with what its other fields hold, and store it at once
  //~old^^ global-uncoalesced: compose the 'uchar4' in a variable, with what its other fields hold, and store it at once
  if (frame)
    pixels[i].z = old.z + frame;
  //~^ global-uncoalesced: see the store
  //~old^^ global-uncoalesced: see the store
}

// Two bytes of each lane, side by side: rows of 16 lanes begin at even bytes.
struct Quants {
  unsigned short scale;
  char values[32];
};
__global__ void unpacked(float2 *out, const Quants *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Quants *own = in + i / 16;
  int a = own->values[i % 16 * 2];
  //~^ global-uncoalesced: load them in vectors of 2 elements
  //~old^^ global-uncoalesced: load them in vectors of 2 elements
  int b = own->values[i % 16 * 2 + 1];
  //~^ global-uncoalesced: see the load
  //~old^^ global-uncoalesced: see the load
  out[i] = {(float)a, (float)b};
}

// A lane walks along a row of its own, which begins at a multiple of four, or
// does not.
__global__ void rowsOfLanes(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float even = 0, odd = 0;
  for (int j = 0; j < 256; ++j)
    even += in[i * 256 + j];
  //~^ global-uncoalesced: let the lanes of a warp take neighbouring elements of one row, or go through a tile in shared memory, or at least load 4 elements of a row at once
  //~old^^ global-uncoalesced:
  for (int j = 0; j < 255; ++j)
    odd += out[i * 255 + j];
  //~^ global-uncoalesced: 4 of the 32 bytes of each sector are used; let the lanes of a warp take neighbouring elements of one row, or go through a tile in shared memory
  //~old^^ global-uncoalesced:
  out[i] = even + odd;
}

// Of whatever type: each lane has two of them.
template <typename T> __global__ void twice(T *out, const T *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = in[i];
  out[2 * i] = x;
  //~^ global-uncoalesced: store them in vectors of 2 elements
  //~old^^ global-uncoalesced: store them in vectors of 2 elements
  out[2 * i + 1] = x + x;
  //~^ global-uncoalesced: see the store
  //~old^^ global-uncoalesced: see the store
}

// A pitch that only the run knows: its distance is told in its units.
__global__ void pitched(float *out, int pitch, int first) {
  out[pitch * (threadIdx.x + 1 + first) + 2 * threadIdx.y + first] = 1;
  //~^ global-uncoalesced: lanes form rows of 4 that are 8 bytes apart, 4 * 'pitch' bytes from lane to lane within a row
  //~old^^ global-uncoalesced: 4 * 'pitch' bytes from lane to lane within a row
}

// Two arrays: how far they are apart is nobody's guess.
__global__ void chosen(float *a, float *b) {
  float *p = threadIdx.x & 1 ? a : b;
  p[threadIdx.x] = 1;
  //~^ global-uncoalesced: lanes form rows of 2 that are 8 bytes apart, a run-time distance from lane to lane within a row, 16 of the 32 bytes of each sector are used; let neighbouring lanes take neighbouring elements
  //~old^^ global-uncoalesced: a run-time distance from lane to lane within a row
}

// Nothing is stored where no pointer is given.
__global__ void optional(float *out, float *more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1;
  if (more != nullptr)
    more[i * 32] = 1;
}

// The block that is launched keeps its lanes in one row.
__global__ void cells(char *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(z * 1024 + y) * 1024 + x] = 1;
  //~old^ global-uncoalesced: transactions
}

void launchCells(char *out, int n, int rows) {
  dim3 block;
  block.x = n < 128 ? n : 128;
  block.y = std::min<unsigned>(rows, 128 / block.x);
  block.z = std::min<unsigned>(rows, 128 / block.x / block.y);
  cells<<<dim3(64, 64, 64), block>>>(out);
}

// A block has a column: lanes side by side leave a 32nd of the blocks.
__global__ void columnSums(float *out, const float *in) {
  float sum = 0;
  for (int row = threadIdx.x; row < 8192; row += blockDim.x)
    sum += in[row * 1024 + blockIdx.x];
  //~^ global-uncoalesced: let the lanes of a warp take neighbouring columns, of which a block has one here, and split the rows among blocks, too, or 32 times fewer of them remain
  //~old^^ global-uncoalesced: let the lanes of a warp take neighbouring columns
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Rows of 64 elements are two turns of a warp.
__global__ void shortRows(float *out, const float *in) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += in[row * 1024 + i] * i;
  //~^ global-uncoalesced: go through a tile in shared memory, or, if they are read once, let the lanes of a warp take neighbouring elements of one row
  //~old^^ global-uncoalesced: go through a tile in shared memory
  out[row] = sum;
}

// Turns that go down a column, over records, or to powers of two have no row.
__global__ void noRows(float *out, const float *in) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += in[row * 512 + i * 131072];
  //~^ global-uncoalesced: let the lanes of a warp take neighbouring elements of one row
  //~old^^ global-uncoalesced: transactions
  for (int i = row; i < 8388608; i += 262144)
    sum += in[i * 64];
  //~^ global-uncoalesced: let the lanes of a warp take neighbouring elements of one row
  //~old^^ global-uncoalesced: transactions
  out[row] = sum;
}

// Structs of two vectors, whole: lanes are neighbours already.
__global__ void items(float4 *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = in[i];
    out[i * 2] = float4{v, v + 1, v + 2, v + 3};
    //~^ warning global-uncoalesced: copy through shared memory with neighbouring lanes on neighbouring elements, or, where each element is worked on alone
    //~old^^ global-uncoalesced:
    out[i * 2 + 1] = float4{v + 4, v + 5, v + 6, v + 7};
    //~^ global-uncoalesced: see the store to 'out[i * 2]'
    //~old^^ global-uncoalesced:
  }
}

// Three channels are fewer than a warp has lanes.
__global__ void channels(float *out, const float *in) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += in[(pixel * 1000 + i) * 32 + blockIdx.y];
  //~^ global-uncoalesced: let the lanes of a warp take neighbouring elements of one row
  //~old^^ global-uncoalesced: transactions
  out[blockIdx.y * 262144 + pixel] = sum;
}

// Sums of neighbours, then of what is two apart, and so on.
__global__ void interleaved(int *data, int *sums) {
  int t = threadIdx.x;
  int *part = data + blockIdx.x * blockDim.x;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0)
      part[t] += part[t + stride];
      //~^ note global-uncoalesced: use sequential addressing
      //~^^ note global-uncoalesced: see the load of 'part[t]'
      //~old^^^ global-uncoalesced: use sequential addressing
      //~old^^^^ global-uncoalesced:
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

// Sums of eight neighbours are meant.
__global__ void eights(int *data, int *sums) {
  int t = threadIdx.x;
  int *part = data + blockIdx.x * blockDim.x;
  for (int stride = 1; stride < 8; stride *= 2) {
    if (t % (2 * stride) == 0)
      part[t] += part[t + stride];
      //~^ global-uncoalesced: keep what is used here side by side
      //~^^ global-uncoalesced: see the load of 'part[t]'
      //~old^^^ global-uncoalesced: keep what is used here side by side
      //~old^^^^ global-uncoalesced:
    __syncthreads();
  }
  if (t % 8 == 0)
    sums[blockIdx.x * 64 + t / 8] = part[t];
}

// Rows of 10 lanes: a warp has some of one plane or of two.
__global__ void cells(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * 10 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  int i = (threadIdx.z * ny + y) * nx + x;
  out[i] = in[i];
  //~^ warning global-uncoalesced: make the block wider in x
  //~old^^ global-uncoalesced:
}

// All four use but half of their sectors.
__global__ void doubled(float *out, const float *in, int pitch) {
  int x = blockIdx.x * 64 + 2 * threadIdx.x, y = blockIdx.y * 16 + 2 * threadIdx.y;
  float v = in[blockIdx.y * pitch + threadIdx.x];
  float *at = out + y * pitch + x;
  at[0] = v;
  //~^ note global-uncoalesced: touches 8 sectors per request
  //~old^^ global-uncoalesced:
  at[1] = 2 * v;
  //~^ note global-uncoalesced: touches 8 sectors per request
  //~old^^ global-uncoalesced:
}

void run(float *out, const float *in, vec3d *data, const int *index, int n) {
  rows<<<1024, 256>>>(out, in);
  whole<<<1024, 256>>>((float4 *)out, (const float4 *)in, in);
  items<<<1024, 256>>>((float4 *)out, in, n);
  gather<<<1024, 256>>>(out, in, index);
  single<<<1024, 256>>>(out);
  vectors<<<1024, 256>>>((aligned *)out);
  columns<<<1024, 256>>>(out, in);
  pairs<<<1024, 256>>>(out, in);
  pairsInTurns<<<1024, 256>>>(out, in);
  nibbles<<<1024, 256>>>(out, (const unsigned char *)in);
  transposed<<<dim3(64, 64), dim3(16, 16)>>>(out, in);
  turned<<<dim3(64, 64), dim3(16, 16)>>>(out, in);
  norm<<<1024, 256>>>(data, out);
  onlyX<<<1024, 256>>>(data, out);
  runs<<<1024, 256>>>(out, in);
  mixed<<<1024, 256>>>((uchar4 *)out, n);
  unpacked<<<1024, 256>>>((float2 *)out, (const Quants *)in);
  twice<<<1024, 256>>>((long *)out, (const long *)in);
  twice<<<1024, 256>>>((int *)out, (const int *)in);
  pitched<<<1024, dim3(4, 8)>>>(out, n, n);
  chosen<<<1024, 256>>>(out, out);
  optional<<<1024, 256>>>(out, nullptr);
  columnSums<<<1024, 256>>>(out, in);
  shortRows<<<1024, 256>>>(out, in);
  noRows<<<1024, 256>>>(out, in);
  channels<<<dim3(1024, 3), 256>>>(out, in);
  blocksSideBySide<<<1024, 256>>>(out, in);
  interleaved<<<1024, 512>>>((int *)out, (int *)out);
  eights<<<1024, 512>>>((int *)out, (int *)out);
  cells<<<dim3(20, 25), dim3(10, 8, 4)>>>(out, in, n, n);
  runsOf<<<1024, 256>>>(out, 4);
  everyThirtySecond<<<n, 256>>>(out, in, n);
  heads<<<1024 * 8, 256>>>(out, in, 1024, 8);
  headOfWarp<<<1024, 256>>>(out, in);
  rowsOfLanes<<<1024, 256>>>(out, in);
  filled<<<1024, 256>>>(out, in, 250);
  copiedAsWords<<<1024, 256>>>((threeFloats *)out, (const threeFloats *)in);
  copiedInThree<<<1024, 256>>>((threeDoubles *)out, (const threeDoubles *)in);
  copied<<<1024, 256>>>((pairOfDoubles *)out, (const pairOfDoubles *)in);
  products<<<1024, 256>>>((double2 *)out, (const double2 *)in, (const double2 *)in);
  realParts<<<1024, 256>>>((double *)out, (const double2 *)in);
  doubled<<<dim3(100, 100), dim3(32, 8)>>>(out, in, n);
}

// Launches that pass different strides: of the costliest, and that is said.
__global__ void strided(float *out, const float *in, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
  //~^ warning global-uncoalesced: touches 16 sectors per request, ideal 4 in some launches
  //~old^^ warning global-uncoalesced: touches 32 transactions per request, ideal 2 in some launches
}

void launchStrided(float *out, const float *in) {
  strided<<<8, 64>>>(out, in, 4);
  strided<<<8, 64>>>(out, in, 2);
  strided<<<8, 64>>>(out, in, 1);
}

// What fills a tile by way of a variable fills it all the same.
__global__ void fill(float *out, const float *in, int n) {
  __shared__ float tile[32][33];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    float v = 0;
    if (i < n)
      v = in[t * 64 + i];
    //~^ warning global-uncoalesced: what they fill in shared memory may be filled in any order
    //~old^^ global-uncoalesced: what they fill in shared memory may be filled in any order
    tile[i][t] = v;
  }
  __syncthreads();
  out[blockIdx.x * 32 + t] = tile[t][3];
}

void runFill(float *out, const float *in, int n) {
  fill<<<1024, 32>>>(out, in, n);
}
