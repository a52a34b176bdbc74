// RUN-OPTIONS: --gpu h200

// Unit stride, an odd stride, broadcast, one lane.
__global__ void silent(float *out) {
  __shared__ float s[256 * 3];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = s[3 * threadIdx.x] + s[3];
  if (threadIdx.x == 0)
    sum += s[64];
  out[threadIdx.x] = sum;
}

// A row more than the banks: rows of 33 words.
__global__ void padded(float *out) {
  __shared__ float tile[32][32 + 1];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// Two rows of 16 words in a warp are the 32 banks.
__global__ void tiles(float *out) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.y][15 - threadIdx.x];
}

// A swizzle instead of padding.
__global__ void swizzled(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x ^ threadIdx.y] =
      out[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}

// The column of a tile.
__global__ void column(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
  //~^ warning shared-bank-conflict: takes 32 wavefronts per request, ideal 1: 32-way bank conflict, neighbouring lanes are 32 words apart; declare 'tile[32][32 + 1]'
}

__global__ void stride2(float *out) {
  __shared__ float s[512];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[2 * threadIdx.x];
  //~^ shared-bank-conflict: takes 2 wavefronts per request, ideal 1: 2-way bank conflict, neighbouring lanes are 2 words apart
}

struct body {
  float x, y, z, w;
};

__global__ void fields(float *out) {
  __shared__ body s[256];
  s[threadIdx.x].x = out[threadIdx.x];
  //~^ shared-bank-conflict: 4-way bank conflict
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x].x;
  //~^ shared-bank-conflict: make 'body' 20 bytes with one more word, in an array of 1024 bytes more: no access to it conflicts then
}

// The interleaved reduction: 32 wavefronts at worst, none to begin with.
__global__ void interleaved(float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  for (int stride = 1; stride < 256; stride *= 2) {
    int i = 2 * stride * threadIdx.x;
    if (i < 256)
      s[i] += s[i + stride];
    //~^ shared-bank-conflict: up to 8-way bank conflicts, neighbouring lanes are 8 words apart in the costliest request; use sequential addressing: halve the stride from turn to turn, and add element tid + stride to element tid, where any order will do
    __syncthreads();
  }
  out[threadIdx.x] = s[0];
}

// The up-sweep of a scan: its strides double, too, but from the ends of the
// parts. Halving them would be no scan.
__global__ void upSweep(float *out) {
  __shared__ float s[512];
  int t = threadIdx.x;
  s[t] = out[t];
  s[t + 256] = out[t + 256];
  int offset = 1;
  for (int d = 256; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1;
      int b = offset * (2 * t + 2) - 1;
      s[b] += s[a];
      //~^ shared-bank-conflict: up to 16-way bank conflicts, neighbouring lanes are 16 words apart in the costliest request; leave one element free after every 32
      //~^^ shared-bank-conflict: index i + i / 32 instead of i
    }
    offset *= 2;
  }
  __syncthreads();
  out[t] = s[t];
}

// Padded for 16 banks: lanes 0 and 31 are at words 0 and 32.
__global__ void sixteenBanks(float *out) {
  __shared__ float s[300];
  int i = threadIdx.x;
  s[i + (i >> 4)] = out[i];
  //~^ shared-bank-conflict: leave one element free after every 32, not after every 16, as there are 32 banks
  __syncthreads();
  out[i] = s[threadIdx.x];
}

// Doubles of a flat tile: free after 16 or after 64 would leave 4 wavefronts.
__global__ void flatTile(double *out) {
  __shared__ double s[32 * 32];
  int x = threadIdx.x, y = threadIdx.y;
  s[y * 32 + x] = out[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = s[x * 32 + y];
  //~^ shared-bank-conflict: let the rows be 33 elements apart, not 32, in an array of 256 bytes more: no access to it conflicts then
}

// One declaration has room for the longer of its instances: 32 and 64 rows of
// one float more.
template <int Rows> __global__ void flatRows(float *out) {
  __shared__ float s[Rows * 32];
  int x = threadIdx.x, y = threadIdx.y;
  for (int r = y; r < Rows; r += blockDim.y)
    s[r * 32 + x] = out[r * 32 + x];
  __syncthreads();
  out[y * 32 + x] = s[x * 32 + y];
  //~^ shared-bank-conflict: let the rows be 33 elements apart, not 32, in an array of up to 256 bytes more: no access to it conflicts then
}

// Instances of one template have rows of their own, and one declaration.
template <int Columns> __global__ void rows(float *out, const float *in) {
  __shared__ float tile[32][Columns];
  for (int c = threadIdx.y; c < Columns; c += blockDim.y)
    tile[threadIdx.x][c] = in[c * 32 + threadIdx.x];
  //~^ shared-bank-conflict: takes 16 wavefronts per request, ideal 1: 16-way bank conflict, neighbouring lanes are 16 words apart; pad the rows of 'tile' by 1 element: no access to it conflicts then, 512 wavefronts of a block become 32
  //~^^ shared-bank-conflict: takes 32 wavefronts per request, ideal 1: 32-way bank conflict, neighbouring lanes are 64 words apart; pad the rows of 'tile' by 1 element: no access to it conflicts then, 4096 wavefronts of a block become 128
  __syncthreads();
  for (int c = threadIdx.y; c < Columns; c += blockDim.y)
    out[c * 32 + threadIdx.x] = tile[threadIdx.x][c];
  //~^ shared-bank-conflict: takes 16 wavefronts
  //~^^ shared-bank-conflict: takes 32 wavefronts
}

// Gaps are for all of the memory, whichever pointer leads there.
__global__ void carved(float *out) {
  extern __shared__ float memory[];
  float *first = memory, *second = memory + 32 * 32;
  first[threadIdx.y * 32 + threadIdx.x] = out[threadIdx.x];
  second[threadIdx.y * 32 + threadIdx.x] = out[threadIdx.y];
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.y * 32 + 31 - threadIdx.x] +
                     second[threadIdx.x * 32 + threadIdx.y];
  //~^ shared-bank-conflict: let the rows be 33 elements apart, not 32, and let the launch pass as many bytes more, also through 'first', 'second' and where they begin: no access to it conflicts then
}

// The second begins in the middle of a run: it is an array of its own.
__global__ void apart(float *out) {
  extern __shared__ float memory[];
  float *first = memory, *second = memory + 1025;
  first[threadIdx.y * 32 + threadIdx.x] = out[threadIdx.x];
  second[threadIdx.y * 32 + threadIdx.x] = out[threadIdx.y];
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.y * 32 + 31 - threadIdx.x] +
                     second[threadIdx.x * 32 + threadIdx.y];
  //~^ shared-bank-conflict: let the rows be 33 elements apart, not 32, what lies behind it as much further, and let the launch pass as many bytes more: 1056 wavefronts of a block become 96
}

// The same, turned round.
__global__ void sequential(float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  out[threadIdx.x] = s[0];
}

// float4 takes four wavefronts because it is wide.
__global__ void wide(float4 *out) {
  __shared__ float4 s[256];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}

void run(float *out) {
  silent<<<1024, 256>>>(out);
  padded<<<1024, dim3(32, 32)>>>(out);
  tiles<<<1024, dim3(16, 16)>>>(out);
  swizzled<<<1024, dim3(32, 32)>>>(out);
  column<<<1024, dim3(32, 32)>>>(out);
  stride2<<<1024, 256>>>(out);
  fields<<<1024, 256>>>(out);
  interleaved<<<1024, 256>>>(out);
  upSweep<<<1024, 256>>>(out);
  sixteenBanks<<<1024, 256>>>(out);
  flatTile<<<1024, dim3(32, 32)>>>((double *)out);
  carved<<<1024, dim3(32, 32), 2 * 32 * 32 * sizeof(float)>>>(out);
  apart<<<1024, dim3(32, 32), 2049 * sizeof(float)>>>(out);
  sequential<<<1024, 256>>>(out);
  wide<<<1024, 256>>>((float4 *)out);
  flatRows<32><<<1024, dim3(32, 8)>>>(out);
  flatRows<64><<<1024, dim3(32, 8)>>>(out);
  rows<16><<<1024, dim3(32, 8)>>>(out, out);
  rows<64><<<1024, dim3(32, 8)>>>(out, out);
}

// A flag has nothing to add up.
__global__ void raised(int *out, const int *in) {
  __shared__ int any;
  if (threadIdx.x == 0)
    any = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > 3)
    atomicExch(&any, 1);
  //~^ warning shared-bank-conflict: takes up to 32 wavefronts per request, ideal 1: up to 32 lanes update one word and take turns; let one lane do it for the warp, or store plainly where nobody uses the old value
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = any;
}

// 31 wavefronts too many, twice, beside 20,000 multiplications and additions,
// which are 5,000 clocks of an SM.
__global__ void rare(float *out, int n) {
  __shared__ float seldom[32][32];
  for (int i = threadIdx.y; i < 32; i += 8)
    seldom[i][threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    float x = out[k];
    for (int i = 0; i < 20000; ++i)
      x = x * x + 0.5f;
    seldom[threadIdx.x][threadIdx.y] += x;
    //~^ note shared-bank-conflict: load of 'seldom[threadIdx.x][threadIdx.y]' takes 32 wavefronts
    //~^^ note shared-bank-conflict: store to 'seldom[threadIdx.x][threadIdx.y]' takes 32 wavefronts
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x] =
      seldom[threadIdx.y][threadIdx.x];
}

// The same beside 20 of them, which are 5.
__global__ void often(float *out, int n) {
  __shared__ float mostly[32][32];
  for (int i = threadIdx.y; i < 32; i += 8)
    mostly[i][threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    float x = out[k];
    for (int i = 0; i < 20; ++i)
      x = x * x + 0.5f;
    mostly[threadIdx.x][threadIdx.y] += x;
    //~^ warning shared-bank-conflict: load of 'mostly[threadIdx.x][threadIdx.y]' takes 32 wavefronts
    //~^^ warning shared-bank-conflict: store to 'mostly[threadIdx.x][threadIdx.y]' takes 32 wavefronts
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x] =
      mostly[threadIdx.y][threadIdx.x];
}

void besides(float *out, int n) {
  rare<<<1024, dim3(32, 8)>>>(out, n);
  often<<<1024, dim3(32, 8)>>>(out, n);
}

// Blocks of 16x16 on rows of 32 elements: 2 rows in a warp, one column twice.
__global__ void halfRows(float *out, const float *in) {
  extern __shared__ float halves[];
  halves[threadIdx.y * 32 + threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  //~^ shared-bank-conflict: 2-way bank conflict, lanes form rows of 16 that are 32 words apart, 1 word from lane to lane within a row; make the block 32 wide in x, so that a warp is in one row
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = halves[threadIdx.x];
}
void launchesHalfRows(float *out, const float *in) {
  halfRows<<<1024, dim3(16, 16), 2048>>>(out, in);
}

// A halo: 32 lanes stay in the row that they name, so that rows may be longer;
// 64 of them do not.
__global__ void halo(float *out, const float *in) {
  __shared__ float edged[33][32];
  edged[0][threadIdx.x] = in[threadIdx.x];
  edged[threadIdx.x + 1][0] = in[threadIdx.x + 32];
  //~^ warning shared-bank-conflict: declare 'edged[33][32 + 1]'
  __syncthreads();
  out[threadIdx.x] = edged[5][threadIdx.x];
}
__global__ void overrun(float *out, const float *in) {
  __shared__ float spilling[65][32];
  spilling[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  spilling[threadIdx.x + 1][0] = in[threadIdx.x + 64];
  //~^ warning shared-bank-conflict: no other layout is proposed, as 'spilling[0][threadIdx.x]' may run over its rows
  __syncthreads();
  out[threadIdx.x] = spilling[5][threadIdx.x];
}

// What is behind an array is not its own: no padding makes that right.
__global__ void beyond(float *out) {
  __shared__ float few[64];
  int t = threadIdx.x;
  few[t] = t;
  __syncthreads();
  out[t] = few[t * 4];
  //~^ warning shared-bank-conflict: no other layout is proposed, as 'few[t * 4]' goes beyond the 256 bytes that it has
}

// In blocks of rows of threads, too.
__global__ void firstRow(float *out, const float *in) {
  __shared__ float known[32][32];
  int x = threadIdx.x, y = threadIdx.y, i = y * 32 + x;
  known[y][x] = in[i];
  __syncthreads();
  out[i] = known[x][y] + known[0][x] + known[1][i % 32];
  //~^ warning shared-bank-conflict: declare 'known[32][32 + 1]'
}
__global__ void allRows(float *out, const float *in) {
  __shared__ float spread[32][32];
  int x = threadIdx.x, y = threadIdx.y, i = y * 32 + x;
  spread[0][i] = in[i];
  __syncthreads();
  out[i] = spread[x][y];
  //~^ warning shared-bank-conflict: no other layout is proposed, as 'spread[0][i]' may run over its rows
}

void edges(float *out, const float *in) {
  halo<<<1024, 32>>>(out, in);
  beyond<<<1024, 64>>>(out);
  overrun<<<1024, 64>>>(out, in);
  firstRow<<<1024, dim3(32, 32)>>>(out, in);
  allRows<<<1024, dim3(32, 32)>>>(out, in);
}

// 16 lanes are 64 bytes apart in one row: 8 lanes of a quarter of the request
// have 2 of 8 groups of banks between them, whatever row they are in. With 16
// bytes free after 128, lanes 2j and 2j + 1 are at 144j and 144j + 64: all 8.
struct alignas(16) Pair {
  double a, b;
};
__global__ void runsInRow(double *out, const double *in) {
  __shared__ alignas(16) double tile[8][128];
  for (int k = 0; k < 8; ++k)
    tile[k][threadIdx.x] = in[k * 128 + threadIdx.x];
  __syncthreads();
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    Pair two = *(const Pair *)&tile[k][threadIdx.x % 16 * 8];
    //~^ warning shared-bank-conflict: leave 16 bytes free after every 128 bytes of each row of 'tile', in an array of 1024 bytes more: no access to it conflicts then
    sum += two.a * two.b;
  }
  out[threadIdx.x] = sum;
}

void launchRuns(double *out, const double *in) {
  runsInRow<<<1024, 128>>>(out, in);
}

// Rows of 64 bytes: every second one is in the same banks. wmma takes whole rows,
// and has to be told how long they are.
__global__ void matrices(float *out, const short *in) {
  __shared__ short tile[64][32];
  for (int i = threadIdx.x; i < 64 * 32; i += 128)
    tile[i / 32][i % 32] = in[i];
  __syncthreads();
  int a[8];
  __hmma_m16n16k16_ld_a(a, (const int *)&tile[threadIdx.x / 32 * 16][0], 32, 0);
  //~^ warning shared-bank-conflict: takes 16 wavefronts per request, ideal 4: 4-way bank conflict, lanes form rows of 16 that are 4 words apart, 16 words from lane to lane within a row; declare 'tile[64][32 + 8]' and tell wmma that its rows are as long
  float c[8];
  for (int i = 0; i < 8; ++i)
    c[i] = a[i];
  __hmma_m16n16k16_st_c_f32(out + threadIdx.x / 32 * 256, c, 16, 0);
}

void runMatrices(float *out, const short *in) {
  matrices<<<1024, 128>>>(out, in);
}

// ldmatrix takes rows of 16 bytes by addresses that are no elements of the
// source: rows that all of them follow.
__global__ void matrices(float4 *out, const float4 *in) {
  __shared__ unsigned short rows[64][32];
  const int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    *(float4 *)&rows[i * 8 + lane / 4][lane % 4 * 8] = in[i * 32 + lane];
  __syncthreads();
  float a, b, c, d;
  const auto at =
      (unsigned long long)&rows[lane % 16][lane / 16 * 8];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.b16 {%0,%1,%2,%3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "l"(at));
  //~^^^ warning shared-bank-conflict: takes 16 wavefronts per request, ideal 4
  //~^^^^ warning shared-bank-conflict: 'rows' at col ^ (row / 2 % 4), and let the addresses that are computed elsewhere follow
  out[lane] = float4{a, b, c, d};
}

void launchMatrices(float4 *out, const float4 *in) {
  matrices<<<1, 32>>>(out, in);
}
