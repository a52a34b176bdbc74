// RUN-OPTIONS: --gpu h200 --ptxas-log %S/Inputs/register-spill.log --checks=-*,register-spill
// RUN-OPTIONS(unknown): --gpu h200 --checks=-*,register-spill

// Local memory, but no spills.
__global__ void silent(float *data) { data[threadIdx.x] *= 2; }

// Two blocks of 1024 threads leave 65536 / 2048 registers, one twice that.
__global__ void __launch_bounds__(1024, 2) bounded(float *data) {
  //~^ warning register-spill: 'bounded' spills 96 bytes of registers to local memory on h200: 96 bytes of stores and 104 bytes of loads in the code of each thread, with 32 registers; __launch_bounds__(1024, 2) leaves 32 for each thread; with 1 block to the SM it is up to 64
  data[threadIdx.x] *= 2;
}

__global__ void __attribute__((maxnreg(24))) allowed(float *data) {
  //~^ warning register-spill: with 24 registers; __maxnreg__(24) allows no more
  data[threadIdx.x] *= 2;
}

// Nothing here says why.
__global__ void limited(float *data) {
  //~^ warning register-spill: with 24 registers
  data[threadIdx.x] *= 2;
}

__global__ void full(float *data) {
  //~^ note register-spill: 255 are the most that a thread can have
  data[threadIdx.x] *= 2;
}
