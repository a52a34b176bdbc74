// RUN-OPTIONS: --gpu h200
// RUN-OPTIONS(kepler): --gpu sm_35
// RUN-OPTIONS(first): --gpu sm_11

__global__ void index(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_down_sync(0xffffffff, i, 1);
}

__global__ void old(int *out) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  //~^ note obsolete-advice: '__mul24' is slower than a plain product from compute capability 2.0 on; use '*'
  //~kepler^^ obsolete-advice: '__mul24'
  out[i] = __shfl_down(i, 1);
  //~^ obsolete-advice: '__shfl_down' is not there from compute capability 7.0 on: nvcc does not compile it; use '__shfl_down_sync' with the mask of the lanes that come here, 0xffffffff if all do
}

void run(int *out) {
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  //~^ obsolete-advice: has no effect from compute capability 5.0 on
  index<<<1024, 256>>>(out);
  old<<<1024, 256>>>(out);
  // For devices of another version: the target does not come to it.
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  if (prop.major == 3)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  if (prop.major < 5 && prop.multiProcessorCount > 8)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  if (prop.major * 10 + prop.minor >= 50)
    cudaDeviceSynchronize();
  else
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  if (prop.major >= 3 || prop.multiProcessorCount > 8)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  //~^ obsolete-advice: has no effect from compute capability 5.0 on
  if (prop.multiProcessorCount > 8)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  //~^ obsolete-advice: has no effect from compute capability 5.0 on
  // More than 64 bits hold: nothing is decided.
  if (prop.major * 2147483647 * 2147483647 * 2147483647 == 3)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  //~^ obsolete-advice: has no effect from compute capability 5.0 on
  cudaDeviceSynchronize();
  cudaThreadSynchronize();
  //~^ obsolete-advice: use 'cudaDeviceSynchronize'
  //~kepler^^ obsolete-advice: use 'cudaDeviceSynchronize'
  //~first^^^ obsolete-advice: use 'cudaDeviceSynchronize'
}

// The version may be kept in variables, if they are given nothing else.
void kept(const cudaDeviceProp *prop) {
  const int cc = prop->major * 10 + prop->minor;
  if (cc < 35)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  if (cc > 35)
    cudaThreadSynchronize();
  //~^ obsolete-advice: use 'cudaDeviceSynchronize'
  int major = 0, minor;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrMultiProcessorCount, 0);
  if (major == 3)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  if (minor == 3)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  //~^ obsolete-advice: has no effect from compute capability 5.0 on
  bool isKepler;
  isKepler = major == 3;
  if (!isKepler)
    cudaDeviceSynchronize();
  else
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  int least = 100;
  if (cc < least)
    least = cc;
  if (least == 100)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  //~^ obsolete-advice: has no effect from compute capability 5.0 on
  int changed = cc;
  changed -= 60;
  if (changed < 35)
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  //~^ obsolete-advice: has no effect from compute capability 5.0 on
}

// All that leads to a call counts, not only what is around it.
int ways(const cudaDeviceProp &prop, bool some) {
  switch (prop.major) {
  case 2:
  case 3:
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
    break;
  case 8:
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  case 9: // Also 8 comes here.
    cudaThreadSynchronize();
    //~^ obsolete-advice: use 'cudaDeviceSynchronize'
    break;
  default:
    cudaThreadSynchronize();
    //~first^ obsolete-advice: use 'cudaDeviceSynchronize'
  }
  prop.major < 5 ? cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte)
                 : cudaDeviceSynchronize();
  prop.major < 5 &&
      cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  auto later = [&] {
    if (prop.major < 5)
      cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  };
  later();
  if (some) {
    if (prop.major < 5) {
      cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
      return 1;
    }
    return 2;
  }
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  //~^ obsolete-advice: has no effect from compute capability 5.0 on
  if (prop.major >= 5)
    return 0;
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  return 1;
}
