// RUN-OPTIONS: --gpu h200 --checks=-*,divergent-branch

// Silent cases first: what looks like the fault and is none.

__device__ float longWay(float x, float y) {
  x = x * y + 1.5f;
  x = x * x + y;
  x = x * y - 2.5f;
  x = x * x - y;
  x = x * y + 3.5f;
  x = x * x + y + 1.0f;
  x = x * y - 4.5f;
  x = x * x - y - 2.0f;
  x = x * y + 5.5f;
  x = x * x + y + 3.0f;
  x = x * y + 6.5f;
  return x * x - y * 3.0f + x * y;
}

__device__ float otherWay(float x, float y) {
  x = y * y - x;
  x = x * 1.25f - y;
  x = x * x * x + 3.0f;
  x = x * 1.75f - y * x;
  x = y - x * x;
  x = x * 2.25f + y;
  x = x * x * y - 1.0f;
  x = x * 2.75f + y * x;
  x = y + x * x;
  x = x * 3.25f - y;
  x = x * x * x - 4.0f;
  return x * 3.75f + y * x;
}

// A side is empty.
__global__ void oneSided(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x % 2)
    data[i] = longWay(data[i], data[i + 1]);
}

// Few instructions, which are predicated.
__global__ void shortSides(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x % 2)
    data[i] = data[i] * 2 + 1;
  else
    data[i] = data[i] - 3;
}

// Whole warps.
__global__ void byWarp(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x / 32 % 2)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}
__global__ void byRow(float *data) {
  int i = (blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x;
  if (threadIdx.y % 2)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}

// By block.
__global__ void byBlock(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (blockIdx.x % 2)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}

// By data, or by an argument that is not known.
__global__ void byData(float *data, const int *kind) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (kind[i] % 2)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}
__global__ void byArgument(float *data, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x % n)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}
__global__ void underData(float *data, const int *kind) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (kind[i] > 0) {
    if (threadIdx.x % 2)
      data[i] = longWay(data[i], data[i + 1]);
    else
      data[i] = otherWay(data[i], data[i + 1]);
  }
}

// Bounds and edges, which few warps meet.
__global__ void bounds(float *data, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i - n], data[i + 1]);
}
__global__ void edge(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x < 4)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}

// One lane for all, and one warp.
__global__ void leader(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x % 32 == 0)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}
__global__ void firstWarp(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x < 32)
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}

// Shuffles, which are for the lanes of a side together.
__global__ void shuffled(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = data[i];
  if (threadIdx.x % 32 < 16)
    data[i] = longWay(x, __shfl_down_sync(0x0000ffff, x, 8));
  else
    data[i] = otherWay(x, __shfl_down_sync(0xffff0000, x, 8));
}

// Less than 1 % of the kernel.
__global__ void seldom(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = data[i], y = data[i + 1];
  for (int k = 0; k < 10000; ++k)
    x = longWay(x, y);
  if (threadIdx.x % 2)
    data[i] = longWay(x, y);
  else
    data[i] = otherWay(x, y);
}

// A loop is left.
__global__ void leaves(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < 64; ++k) {
    if ((threadIdx.x + k) % 8 == 0) {
      data[i] = longWay(data[i], data[i + k]);
      break;
    }
    data[i] = otherWay(data[i], data[i + k]);
  }
}

// Then those that fire, with the expectation below their line.

__global__ void evenAndOdd(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x % 2 == 0)
    //~^ note divergent-branch: 16 lanes of a warp take one side and 16 the other
    data[i] = longWay(data[i], data[i + 1]);
  else
    data[i] = otherWay(data[i], data[i + 1]);
}

// Nothing is stored on the sides.
__global__ void values(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = data[i], y = data[i + 1];
  if (threadIdx.x & 4)
    //~^ divergent-branch: 16 lanes of a warp take one side and 16 the other
    x = longWay(x, y);
  else
    x = otherWay(x, y);
  data[i] = x;
}

// Of a block of rows of 16 threads, each warp has two rows.
__global__ void halves(float *data, int n) {
  int i = (blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x;
  if (i < n) {
    if (threadIdx.y % 2)
      //~^ divergent-branch: 16 lanes of a warp take one side and 16 the other
      data[i] = longWay(data[i], data[i + 1]);
    else
      data[i] = otherWay(data[i], data[i + 1]);
  }
}

// Loops make sides long; one lane in four.
__global__ void loops(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = data[i], y = data[i + 1];
  if (threadIdx.x % 4 == 3) {
    //~^ warning divergent-branch: 8 lanes of a warp take one side and 24 the other
    for (int k = 0; k < 64; ++k)
      x = longWay(x, y);
  } else {
    for (int k = 0; k < 64; ++k)
      x = otherWay(x, y);
  }
  data[i] = x;
}

// Of a loop that only the run counts, a turn.
__global__ void unknownTurns(float *data, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = data[i], y = data[i + 1];
  if (i % 2) {
    //~^ divergent-branch: at least
    for (int k = 0; k < n; ++k)
      x = longWay(x, y);
    x = longWay(y, x);
  } else {
    for (int k = 0; k < n; ++k)
      x = otherWay(x, y);
    x = otherWay(y, x);
  }
  data[i] = x;
}

// Several sides.
__global__ void fourWays(float *data) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = data[i], y = data[i + 1];
  switch (threadIdx.x % 4) {
    //~^ divergent-branch: the lanes of a warp take 4 sides
  case 0: x = longWay(x, y); break;
  case 1: x = otherWay(x, y); break;
  case 2: x = longWay(y, x); break;
  default: x = otherWay(y, x); break;
  }
  data[i] = x;
}

void run(float *data, const int *kind, int n) {
  oneSided<<<1024, 256>>>(data);
  shortSides<<<1024, 256>>>(data);
  byWarp<<<1024, 256>>>(data);
  byRow<<<1024, dim3(32, 8)>>>(data);
  byBlock<<<1024, 256>>>(data);
  byData<<<1024, 256>>>(data, kind);
  byArgument<<<1024, 256>>>(data, n);
  underData<<<1024, 256>>>(data, kind);
  bounds<<<1024, 256>>>(data, n);
  edge<<<1024, 256>>>(data);
  leader<<<1024, 256>>>(data);
  firstWarp<<<1024, 256>>>(data);
  shuffled<<<1024, 256>>>(data);
  seldom<<<1024, 256>>>(data);
  leaves<<<1024, 256>>>(data);
  evenAndOdd<<<1024, 256>>>(data);
  values<<<1024, 256>>>(data);
  halves<<<1024, dim3(16, 16)>>>(data, n);
  loops<<<1024, 256>>>(data);
  unknownTurns<<<1024, 256>>>(data, n);
  fourWays<<<1024, 256>>>(data);
}
