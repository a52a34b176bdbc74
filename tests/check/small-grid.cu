// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(pascal): --gpu gtx-1080-ti
// RUN-OPTIONS(arch): --gpu sm_90

__global__ void scale(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

__global__ void scaleFew(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

// An element for each thread: more threads would have nothing to do.
__global__ void once(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

__global__ void four(float *data) {
  for (int i = 0; i < 4; ++i)
    data[(blockIdx.x * 4 + i) * blockDim.x + threadIdx.x] *= 2;
}

// One element, and four of the rest, as the data decides.
__global__ void rest(float *data, const float *given, int n) {
  int start = blockIdx.x * 256;
  for (; start < n; start += gridDim.x * 256)
    data[start + threadIdx.x] = 1;
  for (int i = 0; i < 4; ++i)
    if (given[start + 256 * i + threadIdx.x] > 0)
      data[start + 256 * i + threadIdx.x] *= 2;
}

// Each block has 256 elements: its last thread leaves their sum.
__global__ void scan(float *data, float *sums, int n) {
  __shared__ float part[256];
  part[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
  for (int apart = 1; apart < n; apart *= 2) {
    __syncthreads();
    float other = threadIdx.x >= apart ? part[threadIdx.x - apart] : 0;
    __syncthreads();
    part[threadIdx.x] += other;
  }
  data[blockIdx.x * 256 + threadIdx.x] = part[threadIdx.x];
  if (threadIdx.x == 255)
    sums[blockIdx.x] = part[255];
}

// Updates of one address wait for each other: more blocks would not help.
__global__ void queues(int *most, int n) {
  for (int i = 0; i < n; ++i) {
    atomicMax(&most[0], threadIdx.x ^ i);
    atomicAdd(&most[1], 1);
  }
}

// They may, where there is other work.
__global__ void sumsUp(const int *data, int *sum, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicMax(sum, data[i]);
}

// The last block, whichever it is, adds up.
__global__ void waits(float *data, volatile int *flag, int n) {
  if (threadIdx.x == 0)
    while (flag[blockIdx.x] == 0)
      ;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

// 64 turns of shared memory, some 64 * 30 clocks, are about as long as it takes
// to launch it.
__global__ void few(float *data) {
  __shared__ float part[64];
  part[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += part[(threadIdx.x + i) % 64];
  data[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The same a hundred times as often.
__global__ void many(float *data) {
  __shared__ float part[64];
  part[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 6400; ++i)
    sum += part[(threadIdx.x + i) % 64];
  data[blockIdx.x * 64 + threadIdx.x] = sum;
}

__global__ void alone(float *data, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] *= 2;
}

__global__ void oneBlock(float *data, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] *= 2;
}

__global__ void queue(float *data, int *next, int n) {
  __shared__ int row;
  for (;;) {
    if (threadIdx.x == 0)
      row = atomicAdd(next, 1);
    __syncthreads();
    if (row >= n)
      break;
    data[row * 256 + threadIdx.x] *= 2;
    __syncthreads();
  }
}

__global__ void last(float *sum, const float *data, int n) {
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    mine += data[i];
  for (int apart = 16; apart > 0; apart /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, apart);
  if (threadIdx.x == 0)
    *sum = mine;
}

// Who reads the sum expects one.
__global__ void leaves(float *sums, const float *data, int n) {
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    mine += data[i];
  for (int apart = 16; apart > 0; apart /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, apart);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = mine;
}

// Blocks differ in nothing but where they store.
__global__ void same(float *sums, const float *data, int n) {
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    mine += data[i];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

// The threads of a block add up what 32 of them have: it has one size.
__global__ void fixed(float *data, int n) {
  __shared__ float sums[8][32];
  float mine = 0;
  for (int i = threadIdx.y; i < n; i += 8)
    mine += data[i * 1024 + blockIdx.x * blockDim.x + threadIdx.x];
  sums[threadIdx.y][threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < 8; ++k)
      mine += sums[k][threadIdx.x];
    data[blockIdx.x * 32 + threadIdx.x] = mine;
  }
}

// Each thread has a row of its own, whichever block it is in.
__global__ void tiles(float *data, int n) {
  for (int i = 0; i < n; ++i)
    data[i * 4096 + blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

// A part for each block that there is.
__global__ void rows(float *data, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[blockIdx.x * n + i] *= 2;
}

// A grid of none is no large one.
void none(float *data) {
  for (int blocks = 16; blocks >= 0; blocks -= 8)
    scale<<<blocks, 256>>>(data, 1 << 20);
  //~^ error invalid-launch: grid.x is 0
  //~^^ warning small-grid: grids of 8 to 16 blocks (2 sizes) leave 116 to 124 of the 132 SMs
  //~pascal^^^ error invalid-launch: grid.x is 0
  //~pascal^^^^ warning small-grid: grids of 8 to 16 blocks (2 sizes) leave 12 to 20 of the 28 SMs
  //~arch^^^^^ error invalid-launch: grid.x is 0
}

// Sizes of blocks are tried; the smallest have enough of them.
void tried(float *data) {
  for (int threads = 32; threads <= 1024; threads *= 2)
    scale<<<8192 / threads, threads>>>(data, 1 << 20);
}

void silent(float *data, int n) {
  few<<<12, 64>>>(data);
  // Its threads work on what the first launch left, one value each.
  scan<<<256, 256>>>(data, data, n);
  scan<<<1, 256>>>(data, nullptr, n);
  waits<<<8, 256>>>(data, (volatile int *)data, n);
  scale<<<132, 256>>>(data, n);
  scale<<<dim3(12, 12), 256>>>(data, n);
  scale<<<n, 256>>>(data, n);
  scale<<<1, 32>>>(data, n);
  // 3 % of the SMs are idle.
  scale<<<128, 256>>>(data, n);
  once<<<12, 256>>>(data);
  four<<<12, 256>>>(data);
  rest<<<2, 256>>>(data, data, 512);
  // Two of the blocks have an element for each thread, the others none.
  scaleFew<<<4, 256>>>(data, 500);
  // It may have to be one, and nobody knows how much it does.
  oneBlock<<<1, 256>>>(data, n);
  // A quarter of the SMs is idle.
  scale<<<99, 256>>>(data, n);
}

// As many blocks as there are SMs.
void silentOnAll(float *data, int n) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  scale<<<properties.multiProcessorCount, 256>>>(data, n);
}

int sms;
void setUp() {
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
}

// Each target has its own number of them.
void firesByProperty(float *data, int n) {
  setUp();
  scale<<<sms / 4, 256>>>(data, n);
  //~^ warning small-grid: grid of 33 blocks leaves 99 of the 132 SMs of h200
  //~pascal^^ warning small-grid: grid of 7 blocks leaves 21 of the 28 SMs
  // Only where there are few SMs is the first of them taken.
  if (sms < 64)
    scale<<<24, 256>>>(data, n);
    else
    scale<<<264, 256>>>(data, n);
}

void fires(float *data, int n) {
  many<<<12, 64>>>(data);
  //~^ note small-grid: grid of 12 blocks leaves 120 of the 132 SMs
  //~pascal^^ note small-grid: grid of 12 blocks leaves 16 of the 28 SMs
  scan<<<4, 256>>>(data, nullptr, n);
  //~^ note small-grid: grid of 4 blocks leaves 128
  //~pascal^^ note small-grid: grid of 4 blocks leaves 24
  queue<<<4, 256>>>(data, (int *)data, n);
  //~^ note small-grid: divide the work into more parts if each of these blocks has one, else use more blocks
  //~pascal^^ note small-grid: grid of 4 blocks leaves 24
  alone<<<1, 256>>>(data, 1 << 20);
  //~^ note small-grid: without work: it runs on at most 1 SM; give each block a part: as the kernel is, more blocks would do the same again
  //~pascal^^ note small-grid: give each block a part
  same<<<8, 256>>>(data, data, 1 << 20);
  //~^ warning small-grid: give each block a part: as the kernel is, more blocks would do the same again
  //~pascal^^ warning small-grid: give each block a part
  fixed<<<8, dim3(32, 8)>>>(data, n);
  //~^ note small-grid: divide the work into more parts if each of these blocks has one, else use more blocks
  //~pascal^^ note small-grid: divide the work into more parts
  tiles<<<8, 256>>>(data, n);
  //~^ warning small-grid: use more, smaller blocks, or give each less to do
  //~pascal^^ warning small-grid: use more, smaller blocks
  queues<<<24, 256>>>((int *)data, n);
  sumsUp<<<24, 256>>>((int *)data, (int *)data, n);
  //~^ warning small-grid: use more
  last<<<1, 256>>>(data, data, n);
  //~^ note small-grid: let each block store a result of its own, or add to one by an atomic: more blocks would now all store to one place
  //~pascal^^ note small-grid: let each block store a result of its own
  leaves<<<1, 256>>>(data, data, n);
  //~^ note small-grid: use more blocks, and room for the value that each of them leaves
  //~pascal^^ note small-grid: use more blocks, and room for the value
  rows<<<28, 256>>>(data, n);
  //~^ note small-grid: divide the work into more parts if each of these blocks has one, else use more blocks
  scale<<<28, 256>>>(data, n);
  //~^ warning small-grid: grid of 28 blocks leaves 104 of the 132 SMs of h200 without work
  scale<<<24, 256>>>(data, n);
  //~^ warning small-grid: grid of 24 blocks leaves 108 of the 132 SMs
  scale<<<1, 256>>>(data, n);
  //~^ note small-grid: grid of 1 block leaves 131
  //~pascal^^ note small-grid: grid of 1 block leaves 27
}

// One of the sizes is one block, which alone would not be spoken of.
void sizes(float *data) {
  for (int blocks : {1, 4, 24})
    many<<<blocks, 64>>>(data);
    //~^ note small-grid: grids of 1 to 24 blocks (3 sizes) leave 108 to 131 of the 132 SMs
    //~pascal^^ note small-grid: grids of 1 to 4 blocks (2 sizes) leave 24 to 27 of the 28 SMs
}

// Other streams have work for the other SMs.
void streams(float *data, int n) {
  cudaStream_t all[8];
  for (int i = 0; i < 8; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    const cudaStream_t mine = all[i % 4];
    scale<<<9, 256, 0, mine>>>(data, n);
    scale<<<10, 256, 0, all[0]>>>(data, n);
    //~^ warning small-grid: grid of 10 blocks leaves 122
    //~pascal^^ warning small-grid: grid of 10 blocks leaves 18
  }
}

// Each stream is of another GPU, which nothing else keeps busy.
struct Part {
  cudaStream_t stream;
};

#define CALL(what)                                                             \
  do {                                                                         \
    if ((what) != cudaSuccess)                                                 \
      return;                                                                  \
  } while (0)

void devices(float *data, int n, cudaStream_t *all, Part *parts, int gpus) {
  for (int g = 0; g < gpus; ++g) {
    CALL(cudaSetDevice(g));
    scale<<<8, 256, 0, all[g]>>>(data, n);
    //~^ warning small-grid: grid of 8 blocks leaves 124
    //~pascal^^ warning small-grid: grid of 8 blocks leaves 20
    if (n > 0)
      for (int k = 0; k < n; ++k)
        scale<<<9, 256, 0, parts[g].stream>>>(data, n);
        //~^ warning small-grid: grid of 9 blocks leaves 123
        //~pascal^^ warning small-grid: grid of 9 blocks leaves 19
  }
  // Several streams of one, or who knows.
  for (int g = 0; g < gpus; ++g) {
    cudaSetDevice(g);
    for (int k = 0; k < 4; ++k) {
      scale<<<8, 256, 0, all[k]>>>(data, n);
      scale<<<8, 256, 0, all[4 * g + k]>>>(data, n);
    }
  }
  for (int g = 0; g < gpus; ++g) {
    if (n > 5)
      cudaSetDevice(g);
    scale<<<8, 256, 0, all[g]>>>(data, n);
  }
  cudaSetDevice(gpus);
  for (; gpus < 8; ++gpus)
    scale<<<8, 256, 0, all[gpus]>>>(data, n);
}

void severalOfEach(float *data, int n, cudaStream_t (*all)[4], int gpus) {
  for (int k = 0; k < 4; ++k)
    for (int g = 0; g < gpus; ++g) {
      cudaSetDevice(g);
      scale<<<8, 256, 0, all[g][k]>>>(data, n);
      scale<<<8, 256, 0, all[k][g]>>>(data, n);
    }
}

// The next turn launches when nothing runs any more.
void waits(float *data, int n, cudaStream_t *all) {
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    //~^ warning small-grid: grid of 8 blocks leaves 124
    //~pascal^^ warning small-grid: grid of 8 blocks leaves 20
    cudaStreamSynchronize(all[i]);
  }
  for (int i = 0; i < n; ++i) {
    cudaStream_t mine = all[i % 4];
    scale<<<9, 256, 0, mine>>>(data, n);
    //~^ warning small-grid: grid of 9 blocks leaves 123
    //~pascal^^ warning small-grid: grid of 9 blocks leaves 19
    if (cudaDeviceSynchronize() != cudaSuccess)
      break;
  }
}

// So it does where the host waits for an event behind them,
void waitsForEvents(float *data, int n, cudaStream_t *all, cudaEvent_t *done) {
  for (int i = 0; i < n; ++i) {
    const int mine = i % 4;
    scale<<<8, 256, 0, all[mine]>>>(data, n);
    //~^ warning small-grid: grid of 8 blocks leaves 124
    //~pascal^^ warning small-grid: grid of 8 blocks leaves 20
    cudaEventRecord(done[mine], all[mine]);
    cudaEventSynchronize(done[mine]);
  }
  // several launches of one stream being before it,
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < n; ++k)
      scale<<<9, 256, 0, all[i]>>>(data, n);
      //~^ warning small-grid: grid of 9 blocks leaves 123
      //~pascal^^ warning small-grid: grid of 9 blocks leaves 19
    cudaEventRecord(done[0], all[i]);
    cudaEventSynchronize(done[0]);
  }
}

struct Lane {
  cudaStream_t stream;
  cudaStream_t free[4];
};

// or where the default stream has something to do in between, which is in order
// with streams that cudaStreamCreate() makes.
void copiesInEachTurn(float *data, float *host, int n, Lane *lanes,
                      cudaEvent_t done) {
  cudaStream_t all[4];
  for (int i = 0; i < 4; ++i) {
    cudaStreamCreate(&all[i]);
    cudaStreamCreate(&lanes[i].stream);
    cudaStreamCreateWithFlags(lanes[0].free + i, 1);
  }
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    //~^ warning small-grid: grid of 8 blocks leaves 124
    //~pascal^^ warning small-grid: grid of 8 blocks leaves 20
    cudaMemcpy(host, data, n, cudaMemcpyDeviceToHost);
  }
  for (int i = 0; i < 4; ++i) {
    scale<<<9, 256, 0, lanes[i].stream>>>(data, n);
    //~^ warning small-grid: grid of 9 blocks leaves 123
    //~pascal^^ warning small-grid: grid of 9 blocks leaves 19
    cudaEventRecord(done);
    cudaEventSynchronize(done);
  }
  // Of these, the default stream knows nothing.
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, lanes[0].free[i]>>>(data, n);
    cudaMemcpy(host, data, n, cudaMemcpyDeviceToHost);
  }
}

// Nobody sees how these were made.
void copiesBesides(float *data, float *host, int n, cudaStream_t *all,
                   cudaEvent_t done) {
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    cudaMemcpy(host, data, n, cudaMemcpyDeviceToHost);
  }
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    cudaEventRecord(done, 0);
    cudaEventSynchronize(done);
  }
}

// Events of other streams, of before, or of both.
void waitsForOtherEvents(float *data, int n, cudaStream_t *all,
                         cudaEvent_t *done) {
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    cudaEventRecord(done[i], all[0]);
    cudaEventSynchronize(done[i]);
  }
  for (int i = 0; i < 4; ++i) {
    cudaEventRecord(done[i], all[i]);
    scale<<<8, 256, 0, all[i]>>>(data, n);
    cudaEventSynchronize(done[i]);
  }
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    cudaEventRecord(done[i], all[i]);
    cudaEventRecord(done[i], all[0]);
    cudaEventSynchronize(done[i]);
  }
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    cudaEventRecord(done[i], all[i]);
    cudaEventSynchronize(done[0]);
  }
  // The second launch of one turn and the first of the next one.
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    cudaStreamSynchronize(all[i]);
    scale<<<8, 256, 0, all[i]>>>(data, n);
  }
}

// Whatever launches it.
void byFunction(float *data, int n, cudaStream_t *all) {
  void *with[] = {&data, &n};
  for (int i = 0; i < 4; ++i) {
    cudaLaunchKernel((const void *)scale, dim3(8), dim3(256), with, 0, all[i]);
    cudaLaunchKernel((const void *)scale, dim3(9), dim3(256), with, 0, all[0]);
    //~^ warning small-grid: grid of 9 blocks leaves 123
    //~pascal^^ warning small-grid: grid of 9 blocks leaves 19
  }
}

// An element by another name.
void eachOfArray(float *data, int n) {
  cudaStream_t all[4];
  for (cudaStream_t each : all)
    scale<<<8, 256, 0, each>>>(data, n);
  for (cudaStream_t each : all) {
    scale<<<9, 256, 0, each>>>(data, n);
    //~^ warning small-grid: grid of 9 blocks leaves 123
    //~pascal^^ warning small-grid: grid of 9 blocks leaves 19
    cudaStreamSynchronize(each);
  }
}

// Threads of the host may do so at the same time.
void waitsOfOne(float *data, int n, cudaStream_t *all, int mine) {
  for (int i = 0; i < n; ++i) {
    scale<<<8, 256, 0, all[mine]>>>(data, n);
    cudaStreamSynchronize(all[mine]);
  }
}

// Two run at the same time, or may.
void waitsForOthers(float *data, int n, cudaStream_t *all) {
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    scale<<<8, 256, 0, all[i + 4]>>>(data, n);
    cudaDeviceSynchronize();
  }
  for (int i = 0; i < 4; ++i) {
    cudaStreamSynchronize(all[i]);
    scale<<<8, 256, 0, all[i]>>>(data, n);
  }
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    if (i % 2)
      cudaStreamSynchronize(all[i]);
  }
  for (int i = 0; i < 4; ++i) {
    scale<<<8, 256, 0, all[i]>>>(data, n);
    cudaStreamSynchronize(all[0]);
  }
}

// The size that the program has by default, and input may change.
void byDefault(float *data, int argc, char **argv) {
  int n = 1000;
  if (argc > 1)
    n = atoi(argv[1]);
  const int threads = n < 256 ? n : 256;
  scale<<<(n + 255) / 256, 256>>>(data, n);
  //~^ note small-grid: grid of 4 blocks, as it is unless input changes it, leaves 128 of the 132 SMs
  //~pascal^^ note small-grid: grid of 4 blocks, as it is unless input changes it, leaves 24 of the 28 SMs
  // Whatever it is, no more; here, 4 of them.
  const int many = (n + 127) / 128;
  scale<<<many < 4 ? many : 4, 256>>>(data, n);
  //~^ note small-grid: grid of at most 4 blocks leaves at least 128 of the 132 SMs of h200 without work; use more
  //~pascal^^ note small-grid: grid of at most 4 blocks leaves at least 24 of the 28 SMs
  scale<<<many < 12 ? many : 12, 256>>>(data, n);
  //~^ note small-grid: grid of 8 blocks, as it is unless input changes it, leaves 124 of the 132 SMs
  //~pascal^^ note small-grid: grid of 8 blocks, as it is unless input changes it, leaves 20 of the 28 SMs
  scale<<<28, threads>>>(data, n);
  //~^ warning small-grid: grid of 28 blocks leaves 104 of the 132 SMs
  scale<<<(n + threads - 1) / threads, threads>>>(data, n);
  //~^ note small-grid: grid of 4 blocks, as it is unless input changes it, leaves 128 of the 132 SMs
  //~pascal^^ note small-grid: grid of 4 blocks, as it is unless input changes it, leaves 24 of the 28 SMs
}

// An element for each thread, and fewer warps than SMs: nothing to spread.
__global__ void again(float *y, const float *x, float a, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < turns; ++k)
    y[i] = a * x[i] + 3;
}

void runAgain(float *y, const float *x) {
  again<<<4, 256>>>(y, x, 2, 24);
  //~^ note small-grid: use more, smaller blocks
  //~pascal^^ warning small-grid: use more, smaller blocks
}
