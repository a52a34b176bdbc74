// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(consumer): --gpu rtx-4090

__global__ void silent(float *out, const float *in, double factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  float y = sqrt(1.0f - x * x) + exp(x);
  y = x * 2.0;         // The compiler narrows a single operation.
  y = x > 0.5 ? y : x; // And a comparison with what is a float as well.
  y = x * factor + 1.0; // Double is meant.
  y += static_cast<double>(x) * 0.1;
  y += static_cast<float>(i * 0.1); // Integers may need it.
  if (x == 0.1) // No float is, and one is 0.1f.
    y = 0;
  if (x * x < 1e39 && x * x > 1e-50) // As floats: infinite and 0.
    y += 1 + x * 16777217.0;         // As a float: 16777216.
  out[i] = y;
}

float host(float x) { return x * 0.1; }

// What a constant excludes.
template <bool Half> __device__ float scaled(float x) {
  if constexpr (Half)
    return (x + 1.0) * 0.5;
  return x;
}

// For both sides: who knows who calls it; and what a kernel calls, or takes for
// granted.
__host__ __device__ float forOthers(float x) { return (x + 1.0) * 0.5; }
//~^ implicit-double: write '1.0f' and '0.5f'
//~consumer^^ implicit-double: write '1.0f' and '0.5f'
constexpr float unsaid(float x) { return (x + 1.0) * 0.5; }
//~^ implicit-double: write '1.0f' and '0.5f'
//~consumer^^ implicit-double: write '1.0f' and '0.5f'
struct Scaled {
  float by;
  __device__ Scaled(float x) : by((x + 1.0) * 0.5) {}
  //~^ implicit-double: write '1.0f' and '0.5f'
  //~consumer^^ implicit-double: write '1.0f' and '0.5f'
};

#define THIRD 0.333
#define PART_OF_ALL (THIRD * 0.25)
#define LESS_A_PART(value) ((value) - (value) * PART_OF_ALL)
#define A_PART_OF_X (x * PART_OF_ALL)

__global__ void fires(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  float y = sqrt(1.0 - x * x);
  //~^ warning implicit-double: '1.0' is a double: float arithmetic with it runs in double, 'sqrt' included, at 1/2 of the float rate on h200; write '1.0f'
  //~consumer^^ implicit-double: at 1/64 of the float rate on rtx-4090
  y += pow(x, 2);
  //~^ implicit-double: 'pow' here is the double function, at 1/2 of the float rate on h200; call 'powf'
  //~consumer^^ implicit-double: call 'powf'
  if (pow(x, 2) > 1.0)
    //~^ implicit-double: '1.0' is a double: float arithmetic with it runs in double, 'pow' included, at 1/2 of the float rate on h200; write '1.0f', call 'powf'
    //~consumer^^ implicit-double: write '1.0f', call 'powf'
    y = 1;
  double d = pow(x, 2);
  y += d > 1.0;
  y *= M_PI;
  //~^ implicit-double: 'M_PI' is a double
  //~consumer^^ implicit-double: write 'float(M_PI)'
  // An 'f' says what the integers are to be.
  y = 2.f * M_PI * i / (i + 7);
  //~^ implicit-double: 'M_PI' is a double
  //~consumer^^ implicit-double: write 'float(M_PI)'
  y += scaled<false>(x) + unsaid(y);
  y -= x * THIRD;
  //~^ implicit-double: 'THIRD' is a double
  //~consumer^^ implicit-double: write 'float(THIRD)'
  // Macros are named as they stand here, as long as they are constants.
  y += x * PART_OF_ALL;
  //~^ implicit-double: 'PART_OF_ALL' is a double: float arithmetic with it runs in double, at 1/2 of the float rate on h200; write 'float(PART_OF_ALL)'
  //~consumer^^ implicit-double: write 'float(PART_OF_ALL)'
  y = LESS_A_PART(x);
  //~^ implicit-double: write 'float(PART_OF_ALL)'
  //~consumer^^ implicit-double: write 'float(PART_OF_ALL)'
  y += A_PART_OF_X;
  //~^ implicit-double: write 'float(PART_OF_ALL)'
  //~consumer^^ implicit-double: write 'float(PART_OF_ALL)'
  y = (x + 1.0) * 0.5 + x * 1.0;
  //~^ implicit-double: write '1.0f' and '0.5f'
  //~consumer^^ implicit-double: write '1.0f' and '0.5f'
  if (x < 1e-6)
    //~^ implicit-double: '1e-6' is a double
    //~consumer^^ implicit-double: write '1e-6f'
    y = 0;
  out[i] = y;
}

template <class T> __global__ void generic(T *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = out[i] * 0.1;
  //~^ implicit-double: convert '0.1' to the template's type
  //~consumer^^ implicit-double: convert '0.1' to the template's type
}

// One literal, whatever the macro makes of it: the type of the template would be
// that of no float.
#define BOTH(expression)                                                       \
  template <class T> __global__ void ofIts(T *out) {                           \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                             \
    T x = out[i];                                                              \
    out[i] = (expression);                                                     \
  }                                                                            \
  template <class T> __global__ void ofFloat(T *out) {                         \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                             \
    float x = (float)out[i];                                                   \
    out[i] = (T)(expression);                                                  \
  }
BOTH(x * 0.7)
//~^ implicit-double: '0.7' is a double: float arithmetic with it runs in double, at 1/2 of the float rate on h200; write '0.7f'
//~consumer^^ implicit-double: write '0.7f'

// What is written for whichever type it is has the type float here.
template <bool IsHalved> __global__ void chosen(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (IsHalved ? 0.5 : out[i]) + out[i + 1] * out[i] + out[i + 2];
  //~^ implicit-double: write '0.5f'
  //~consumer^^ implicit-double: write '0.5f'
}

// A cast makes it a float, whatever it was: the literal as a T may be 0.
template <class T> __global__ void widened(float *out, const T *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = ((float)in[i] * 0.3 + 0.7) * out[i];
  //~^ implicit-double: write '0.3f' and '0.7f'
  //~consumer^^ implicit-double: write '0.3f' and '0.7f'
}

template <class T> struct Traits {
  using Type = T;
};
template <class T> __global__ void named(T *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  typename Traits<T>::Type a = out[i];
  out[i] = (a * 0.3 + 0.7) * a;
  //~^ implicit-double: convert '0.3' and '0.7' to the template's type
  //~consumer^^ implicit-double: convert '0.3' and '0.7' to the template's type
}

// Two operations and three conversions in double, which are some 30 issue slots
// at half the rate, beside 300 multiplications and additions.
__global__ void once(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 300; ++k)
    x = x * x + 0.5f;
  out[i] = (1.0 - x * x) * 0.25;
  //~^ note implicit-double: '1.0' is a double
  //~consumer^^ warning implicit-double: '1.0' is a double
}

// The same in each turn of a loop, beside nothing else.
__global__ void often(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 1000; ++k)
    x = (1.0 - x * x) * 0.25;
  //~^ warning implicit-double: '1.0' is a double
  //~consumer^^ warning implicit-double: '1.0' is a double
  out[i] = x;
}

// What the next function does costs this one nothing.
__device__ float rarely(float x) { return (x + 1.0) * 0.5; }
__device__ float always(float x) { return (1.0 - x * x) * 0.25; }
//~^^ note implicit-double: '1.0' is a double
//~consumer^^^ note implicit-double: '1.0' is a double
//~^^^ warning implicit-double: '1.0' is a double
//~consumer^^^^ warning implicit-double: '1.0' is a double
__global__ void both(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 1000; ++k)
    x = always(x);
  out[i] = rarely(x);
}

void run(float *out, double *doubles, const float *in) {
  once<<<1024, 256>>>(out, in);
  often<<<1024, 256>>>(out, in);
  both<<<1024, 256>>>(out, in);
  silent<<<1024, 256>>>(out, in, 2);
  fires<<<1024, 256>>>(out, in);
  generic<<<1024, 256>>>(out);
  ofIts<<<1024, 256>>>(out);
  ofFloat<<<1024, 256>>>(out);
  generic<<<1024, 256>>>(doubles);
  chosen<true><<<1024, 256>>>(out);
  widened<<<1024, 256>>>(out, in);
  widened<<<1024, 256>>>(out, (const unsigned char *)in);
  named<<<1024, 256>>>(out);
  named<<<1024, 256>>>(doubles);
}
