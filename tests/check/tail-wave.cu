// RUN-OPTIONS: --gpu h200 --registers 32 --checks=-*,tail-wave
// RUN-OPTIONS(arch): --gpu sm_90 --registers 32 --checks=-*,tail-wave

__global__ void scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void silent(float *data, int n) {
  // 264 places: one round, whole rounds, many rounds, an unknown number.
  scale<<<200, 1024>>>(data);
  scale<<<528, 1024>>>(data);
  scale<<<2800, 1024>>>(data);
  scale<<<n, 1024>>>(data);
  // 1056 places of 8 warps each: the last round is spread over all SMs, one
  // or two blocks on each, which then run faster.
  scale<<<1400, 256>>>(data);
}

void fires(float *data) {
  // 264 + 6: half of the second round's time is lost.
  scale<<<270, 1024>>>(data);
  //~^ note tail-wave: 'scale' in blocks of 1024 threads: 270 blocks, 264 at a time (132 SMs x 2): 2 rounds, the last with 6 blocks: 48.9 % of all places stay empty; 528 blocks take as long, 264 a round less; a grid of 264 blocks whose threads loop over the data has no tail
}
