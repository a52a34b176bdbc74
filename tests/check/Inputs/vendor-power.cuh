// What a library has that is found through -isystem.
#pragma clang system_header

template <class T> __device__ T vendorSquare(T x) { return pow(x, T(2)); }
#define VENDOR_SQUARE(x) powf(x, 2.0f)
