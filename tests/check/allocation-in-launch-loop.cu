// RUN-OPTIONS: --gpu h200 --checks=-*,allocation-in-launch-loop

// Silent cases first: what looks like the fault and is none.

__global__ void step(float *data, int n) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= n;
}

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = call;                                                  \
    if (error != cudaSuccess)                                                  \
      exit(1);                                                                 \
  } while (0)

// Before the loop.
void before(int steps) {
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 0; i < steps; ++i)
    step<<<1024, 256>>>(p, i);
  cudaFree(p);
}

// No loop, only a macro's.
void macro() {
  do {
    float *p;
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  } while (0);
}

// One turn.
void once() {
  for (int i = 0; i < 1; ++i) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  }
}

// One turn, as long as nobody changes the variable.
void onceByVariable() {
  int runs = 1;
  for (int run = 0; run < runs; run++) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  }
}

// One turn, whatever the condition is: it ends with leaving the loop.
void left(int steps) {
  while (steps > 0) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    for (int i = 0; i < steps; ++i) {
      if (i % 2)
        continue;
      step<<<1024, 256>>>(p, i);
    }
    cudaFree(p);
    break;
  }
  for (;;) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
    return;
  }
}

// The second test fails.
void countedOnce(float *q) {
  int n = 2;
  while (n-- > 1) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, n);
    cudaFree(p);
  }
  int left = 1;
  while (left--) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  }
  for (int i = 1; i > 0; --i) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, i);
    cudaFree(p);
  }
  for (int i = 0; i < 8; i += 8) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, i);
    cudaFree(p);
  }
}

// Nothing is launched.
void copies(float *data, int steps) {
  for (int i = 0; i < steps; ++i) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    cudaMemcpy(data, p, 1 << 20, cudaMemcpyDeviceToHost);
    cudaFree(p);
  }
}

// Sizes that change.
void sizes(int most, const int *all) {
  for (int n = 1; n < most; n *= 2) {
    float *p;
    cudaMalloc(&p, n * sizeof(float));
    step<<<1024, 256>>>(p, n);
    cudaFree(p);
  }
  for (int i = 0; i < most; ++i) {
    float *p;
    const int bytes = all[i] * 4;
    cudaMalloc(&p, bytes);
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  }
  int left = most;
  while (left > 0) {
    float *p;
    cudaMalloc(&p, left);
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
    left /= 2;
  }
}

// Each turn has a pointer of its own, and nobody frees it here.
void many(float **pointers, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMalloc(&pointers[i], 1 << 20);
    step<<<1024, 256>>>(pointers[i], 1);
  }
  for (int i = 0; i < n; ++i)
    cudaFree(pointers[i]);
}

// A device for each turn.
void devices(int n) {
  for (int i = 0; i < n; ++i) {
    float *p;
    cudaSetDevice(i);
    cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  }
}

// Only when it is needed.
void sometimes(int n, int steps) {
  float *p = nullptr;
  for (int i = 0; i < steps; ++i) {
    if (i % 10 == 0)
      cudaMalloc(&p, 1 << 20);
    step<<<1024, 256>>>(p, i);
    cudaFree(p);
  }
}

// The turn before has grown what this one frees.
void grows(int steps) {
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 0; i < steps; ++i) {
    float *next;
    cudaMalloc(&next, 1 << 20);
    step<<<1024, 256>>>(next, i);
    cudaFree(p);
    p = next;
  }
}

// Problems of different sizes, and measurements.
void problems(int most) {
  for (int n = 1; n < most; ++n) {
    float *sum, *all;
    cudaMalloc(&sum, sizeof(float));
    cudaMalloc(&all, n * sizeof(float));
    step<<<1024, 256>>>(all, n);
    cudaFree(sum);
    cudaFree(all);
  }
  for (int n = 1; n < most; ++n) {
    float *sum;
    cudaMalloc(&sum, sizeof(float));
    long begin = clock();
    step<<<1024, 256>>>(sum, n);
    printf("%ld\n", clock() - begin);
    cudaFree(sum);
  }
}

// The same, in a function.
static void timed(float *out, int n) {
  float *p;
  cudaMalloc(&p, 1 << 20);
  long begin = clock();
  step<<<1024, 256>>>(p, n);
  printf("%ld\n", clock() - begin);
  cudaFree(p);
}
void problems(float *out, int most) {
  for (int n = 1; n < most; ++n)
    timed(out, n);
}

// A function that is called later.
template <class F> void later(F f) { f(); }
void lambdas(int steps) {
  for (int i = 0; i < steps; ++i)
    later([=] {
      float *p;
      cudaMalloc(&p, 1 << 20);
      step<<<1024, 256>>>(p, i);
      cudaFree(p);
    });
}

// In a function, of another size in each turn, or sometimes.
static void inner(float *out, int n, int bytes) {
  float *p;
  cudaMalloc(&p, bytes);
  step<<<1024, 256>>>(p, n);
  cudaFree(p);
}
void functions(float *out, int steps) {
  for (int i = 1; i < steps; ++i)
    inner(out, 1, i * 4);
  for (int i = 1; i < steps; ++i)
    if (i % 16 == 0)
      inner(out, 1, 1024);
  inner(out, 1, 1024);
}

// Then those that fire, with the expectation below their line.

void eachTurn(int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    float *p;
    cudaMalloc(&p, n * sizeof(float));
    //~^ warning allocation-in-launch-loop: allocates 'p', as many bytes as the turn before, and frees it: 'cudaFree' waits
    step<<<1024, 256>>>(p, i);
    cudaFree(p);
  }
}

void checked(int steps, int n) {
  float *p, *host;
  const size_t bytes = n * sizeof(*p);
  while (steps-- > 0) {
    CHECK(cudaMalloc((void **)&p, bytes));
    //~^ allocation-in-launch-loop: allocate it before the loop and free it behind
    if (cudaMallocHost(&host, bytes) != cudaSuccess)
      //~^ allocation-in-launch-loop: 'cudaFreeHost' waits
      exit(1);
    step<<<1024, 256>>>(p, 1);
    CHECK(cudaFree(p));
    cudaFreeHost(host);
  }
}

// Launches of another function, and of an inner loop.
static void steps(float *p, int n) {
  for (int i = 0; i < n; ++i)
    step<<<1024, 256>>>(p, i);
}
template <class T> void calls(int n) {
  int i = 0;
  do {
    T *p, *q;
    cudaMalloc(&p, 256 * sizeof(T));
    //~^ allocation-in-launch-loop: 'p'
    cudaMalloc(&q, 256 * sizeof(T));
    //~^ allocation-in-launch-loop: 'q'
    steps(p, n);
    for (int k = 0; k < n; ++k)
      step<<<1024, 256>>>(q, k);
    cudaFree(q);
    cudaFree(p);
  } while (++i < n);
}
template void calls<float>(int);

// As often as is asked for: once is only the least.
void asOftenAsAsked(int argc) {
  int runs = 1;
  if (argc > 1)
    runs = argc;
  for (int run = 0; run < runs; run++) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    //~^ allocation-in-launch-loop: 'p'
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  }
}

// In a function that each turn calls.
static void smooth(float *out, int n) {
  float *scratch;
  const size_t bytes = n * sizeof(float);
  cudaMalloc(&scratch, bytes);
  //~^ allocation-in-launch-loop: each turn of a loop that calls 'smooth' allocates 'scratch'
  step<<<1024, 256>>>(scratch, n);
  step<<<1024, 256>>>(out, n);
  cudaFree(scratch);
}
void smoothAll(float *out, int steps, int n) {
  for (int i = 0; i < steps; ++i)
    smooth(out, n);
}

// What is measured again and again: that explains waiting, not allocating.
static long measured(float *out, int n) {
  float *scratch;
  cudaMalloc(&scratch, n * sizeof(float));
  //~^ allocation-in-launch-loop: each turn of a loop that calls 'measured' allocates 'scratch'
  long begin = clock();
  step<<<1024, 256>>>(scratch, n);
  cudaDeviceSynchronize();
  long end = clock();
  cudaFree(scratch);
  return end - begin;
}
long repeats(float *out, int n, int times) {
  long all = 0;
  for (int i = 0; i < times; ++i)
    all += measured(out, n);
  return all;
}

// Some turns go on before the end, or count back.
void goesOn(int steps) {
  int left = 2;
  while (left-- > 1) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    //~^ allocation-in-launch-loop: 'p'
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
    if (steps > 5)
      ++left;
  }
  for (int done = 0; done < 1;) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    //~^ allocation-in-launch-loop: 'p'
    step<<<1024, 256>>>(p, done);
    cudaFree(p);
    done = --steps < 5;
  }
  int many = 3;
  while (many-- > 1) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    //~^ allocation-in-launch-loop: 'p'
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  }
  for (int i = 0; i < 9; i += 8) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    //~^ allocation-in-launch-loop: 'p'
    step<<<1024, 256>>>(p, i);
    cudaFree(p);
  }
  for (unsigned long i = 0; i < ~0ul; ++i) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    //~^ allocation-in-launch-loop: 'p'
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
  }
  for (;;) {
    float *p;
    cudaMalloc(&p, 1 << 20);
    //~^ allocation-in-launch-loop: 'p'
    step<<<1024, 256>>>(p, 1);
    cudaFree(p);
    if (--steps > 0)
      continue;
    break;
  }
}
