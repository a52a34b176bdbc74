// RUN-OPTIONS: --gpu h200 --checks=-*,wait-in-launch-loop

#include "Inputs/vector.h"

// Silent cases first: what looks like the fault and is none.

__global__ void step(float *next, const float *data) {
  next[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
}
__global__ void flag(int *changed) { *changed = 1; }
__managed__ int done;
void other();
extern "C" void report(float);

// Behind the loop.
void behind(float *a, float *b, float *host, int steps) {
  for (int i = 0; i < steps; ++i)
    step<<<1024, 256>>>(a, b);
  cudaDeviceSynchronize();
  cudaMemcpy(host, a, 1 << 20, cudaMemcpyDeviceToHost);
}

// Many calls within many calls: each function is looked at once.
#define TEN(f) f(a), f(a), f(a), f(a), f(a), f(a), f(a), f(a), f(a), f(a)
#define HUNDRED(f)                                                             \
  TEN(f), TEN(f), TEN(f), TEN(f), TEN(f), TEN(f), TEN(f), TEN(f), TEN(f), TEN(f)
void once(float *a) { *a += 1; }
void often(float *a) { HUNDRED(once); }
void more(float *a) { HUNDRED(often); }
void evenMore(float *a) { HUNDRED(more); }
void most(float *a) { HUNDRED(evenMore); }
void computes(float *a, int steps) {
  for (int i = 0; i < steps; ++i)
    HUNDRED(most);
}

// The result decides whether another turn is needed.
void converges(int *d, float *a, float *b) {
  int changed;
  do {
    step<<<1024, 256>>>(a, b);
    flag<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    cudaMemcpy(&changed, d, sizeof(int), cudaMemcpyDeviceToHost);
  } while (changed);
  while (true) {
    flag<<<1, 1>>>(d);
    cudaMemcpy(&changed, d, sizeof(int), cudaMemcpyDeviceToHost);
    if (!changed)
      break;
  }
}

// Managed memory.
void managed(float *a, float *b, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
    b[i] = a[i];
  }
  while (!done) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
  }
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
    if (*a > 1)
      break;
  }
}

// Each turn keeps its own.
void collects(float *a, float *b, float *host, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaMemcpy(host + i * 256, a, 1024, cudaMemcpyDeviceToHost);
    cudaMemcpy(&host[i * 256], a, 1024, cudaMemcpyDeviceToHost);
  }
}

// The host looks at it.
void looks(float *a, float *b, float *host, int steps) {
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaMemcpy(host, a, 1024, cudaMemcpyDeviceToHost);
    sum += host[0];
  }
  float *alias = host;
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaMemcpy(host, a, 1024, cudaMemcpyDeviceToHost);
    sum += alias[0];
  }
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaMemcpy(&sum, a, 4, cudaMemcpyDeviceToHost);
    report(sum);
  }
}

// Code that is not seen, or that speaks.
void calls(float *a, float *b, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
    other();
  }
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
    printf("%d\n", i);
  }
}

// Several streams.
void streams(float *a, float *b, cudaStream_t one, cudaStream_t two, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256, 0, one>>>(a, b);
    step<<<1024, 256, 0, two>>>(b, a);
    cudaDeviceSynchronize();
  }
}
void streamArray(float *a, float *b, cudaStream_t *all, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256, 0, all[i]>>>(a, b);
    cudaStreamSynchronize(all[i]);
  }
}

void chosenStream(float *a, float *b, int steps) {
  cudaStream_t all[4] = {};
  for (int i = 0; i < steps; ++i) {
    cudaStream_t mine = all[i % 4];
    step<<<1024, 256, 0, mine>>>(a, b);
    cudaStreamSynchronize(mine);
  }
}
void another(float *a, float *b, cudaStream_t copies, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaStreamSynchronize(copies);
    step<<<1024, 256>>>(a, b);
  }
}

// Time that is measured.
void timed(float *a, float *b, int steps) {
  long begin = clock();
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
  }
  printf("%ld\n", clock() - begin);
}
void events(float *a, float *b, cudaEvent_t begin, cudaEvent_t end, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaEventRecord(begin);
    step<<<1024, 256>>>(a, b);
    cudaEventRecord(end);
    cudaDeviceSynchronize();
  }
}

// Devices.
void devices(float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    cudaSetDevice(i);
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
  }
}

// Sometimes.
void sometimes(float *a, float *b, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    if (i % 100 == 0)
      cudaDeviceSynchronize();
  }
}

// Whoever called reads the results.
bool left(float *a, float *b, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
    if (i > 7)
      return true;
  }
  return false;
}

// A macro that looks for errors.
#define CHECK_KERNEL()                                                         \
  do {                                                                         \
    if (cudaGetLastError() != cudaSuccess ||                                   \
        cudaDeviceSynchronize() != cudaSuccess)                                \
      exit(1);                                                                 \
  } while (0)
void macro(float *a, float *b, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    CHECK_KERNEL();
  }
}

// One turn.
void once(float *a, float *b) {
  for (int i = 0; i < 1; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
  }
}

// No launch.
void none(int steps) {
  for (int i = 0; i < steps; ++i)
    cudaDeviceSynchronize();
}

// Then those that fire, with the expectation below their line.

void waits(float *a, float *b, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
    //~^ warning wait-in-launch-loop: 'cudaDeviceSynchronize' in each turn of a loop that launches kernels
    step<<<1024, 256>>>(b, a);
    cudaDeviceSynchronize();
  }
}

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = call;                                                  \
    if (error != cudaSuccess) {                                                \
      printf("%s\n", cudaGetErrorString(error));                               \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
static void launch(float *a, float *b, cudaStream_t stream) {
  step<<<1024, 256, 0, stream>>>(a, b);
}
struct Fields {
  float *now, *next;
  int steps;
  void run(cudaStream_t stream) {
    for (int i = 0; i < steps; ++i) {
      launch(next, now, stream);
      CHECK(cudaStreamSynchronize(stream));
      //~^ wait-in-launch-loop: wait once, behind the loop
      std::swap(now, next);
    }
  }
};

float copies(float *a, float *b, int steps) {
  float *host = (float *)malloc(1 << 20), last[256];
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(a, b);
    cudaMemcpy(host, a, 1 << 20, cudaMemcpyDeviceToHost);
    //~^ wait-in-launch-loop: copies to 'host', which nothing in the loop reads and the next turn overwrites
    cudaMemcpy(last, b, sizeof(last), cudaMemcpyDeviceToHost);
    //~^ wait-in-launch-loop: copies to 'last'
  }
  return host[0] + last[0];
}

// Another wait of each turn is in what it calls.
static void stepAndWait(float *a, float *b) {
  step<<<1024, 256>>>(a, b);
  cudaDeviceSynchronize();
}
void waitsTwice(float *a, float *b, int steps) {
  for (int i = 0; i < steps; ++i) {
    stepAndWait(a, b);
    step<<<1024, 256>>>(b, a);
    cudaDeviceSynchronize();
    //~^ wait-in-launch-loop: wait once, behind the loop, and no longer in 'stepAndWait', line 273
  }
}
