#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`__restrict__`, proved by what nvcc makes of it.

How often a warp loads and stores follows from the source: with the promise,
once what stays, without it in each turn. That nvcc does so is what the fix has
to show, so the numbers here are those of the source, and the program's come
from the code. CUDA_LINT names the program.
"""

import json

from cli_test import WithToolkit, ctest

MAIN = """
int main() {
  float *out, *in, *mean, *scale;
  cudaMalloc(&out, 1 << 24);
  cudaMalloc(&in, 1 << 24);
  cudaMalloc(&mean, 4096);
  cudaMalloc(&scale, 4096);
  %s
  cudaDeviceSynchronize();
}
"""

# Of each element, 4 sectors are loaded and 4 stored, whatever the pointers are.
NORM = """static __global__ void norm(float *out, const float *in, float *mean,
                            float *scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; ++j)
    out[j * 1024 + i] = (in[j * 1024 + i] - mean[i]) * scale[i];
}
"""
LAUNCH = "norm<<<4, 256>>>(out, in, mean, scale, 100);"


class Restrict(WithToolkit):
    def fix(self, source, launch, *arguments):
        """What is said of each fix, and the text then."""
        self.write("a.cu", source + MAIN % launch)
        self.assert_code(0, self.run_with_nvcc(
            "--gpu=h200", "--checks=-*,pointer-aliasing", "--fail-on=never",
            *(arguments or ["--fix"]), "a.cu"))
        return (self.folder / "a.cu").read_text()

    def assert_fixed(self, words, source, launch, *arguments):
        text = self.fix(source, launch, *arguments)
        self.assertIn(words, " ".join(self.err.split()))
        self.assertIn("1 fix applied", self.err)
        self.assertIn("*__restrict__ ", text)

    def assert_untouched(self, source, launch, *arguments, said=None):
        text = self.fix(source, launch, *arguments)
        self.assertEqual(source + MAIN % launch, text)
        if said:
            self.assertIn(said, " ".join(self.err.split()))

    def test_what_stays_is_loaded_once(self):
        # Two of 4 sectors each in 100 turns; then once.
        self.assert_fixed("'norm': 1600 -> 808 global sectors per warp", NORM,
                          LAUNCH)

    def test_the_finding_says_what_would_be_left(self):
        self.write("a.cu", NORM + MAIN % LAUNCH)
        self.assert_code(0, self.run_with_nvcc(
            "--gpu=h200", "--format=json", "--fail-on=never", "a.cu"))
        unit, = json.loads(self.out)["units"]
        found = [f for f in unit["findings"]
                 if f["check"] == "pointer-aliasing"]
        self.assertEqual(["mean", "scale"],
                         [f["subject"]["variable"] for f in found])
        self.assertEqual([{"metric": "sectors_per_warp", "value": 400.0,
                           "ideal": 4.0}] * 2,
                         [f["prediction"] for f in found])
        self.assertEqual([100.0] * 2, [f["executions"] for f in found])

    def test_a_sum_is_stored_once(self):
        # Loads of 4 sectors and of 1 in each of 100 turns, 4 once; stores of 4.
        self.assert_fixed(
            "'rows': 904 -> 508 global sectors per warp",
            "static __global__ void rows(float *y, const float *a, "
            "const float *x, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  for (int j = 0; j < n; ++j)\n"
            "    y[i] += a[j * 1024 + i] * x[j];\n"
            "}\n",
            "rows<<<4, 256>>>(out, in, mean, 100);")

    def test_weights_are_loaded_once(self):
        # 4 + 5 sectors of `in`, as it begins beside a sector, and 4 of `out`;
        # two weights of one sector, in 100 turns or once.
        self.assert_fixed(
            "'fir': 1500 -> 1302 global sectors per warp",
            "static __global__ void fir(float *out, const float *in, "
            "const float *w, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  for (int j = 0; j < n; ++j)\n"
            "    out[j * 4096 + i] = w[0] * in[j * 4096 + i] +\n"
            "                        w[1] * in[j * 4096 + i + 1];\n"
            "}\n",
            "fir<<<4, 256>>>(out, in, mean, 100);")

    def test_without_a_loop(self):
        self.assert_fixed(
            "'both': 24 -> 16 global sectors per warp",
            "static __global__ void both(float *s, float *d, const float *a) "
            "{\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  s[i] = a[i] + a[i + 4096];\n"
            "  d[i] = a[i] - a[i + 4096];\n"
            "}\n",
            "both<<<4, 256>>>(out, in, mean);")

    def test_a_kernel_that_others_may_launch_asks_for_more(self):
        public = NORM.replace("static ", "")
        self.assert_untouched(public, LAUNCH, "--fix",
                              said="--fix=layout applies it")
        self.assert_fixed("and all others have to", public, LAUNCH,
                          "--fix=layout")

    def test_memory_that_may_be_shared_is_left_alone(self):
        for launch in ("norm<<<4, 256>>>(out, in, mean, mean + 1024, 100);",
                       "norm<<<4, 256>>>(out, out, mean, scale, 100);",
                       LAUNCH + " norm<<<4, 256>>>(in, in, mean, scale, 100);",
                       "norm<<<4, 256>>>(out, in, mean, given(), 100);"):
            self.assert_untouched("float *given();\n" + NORM, launch,
                                  "--fix=layout")
            self.assertIn("pointer-aliasing", self.out)
            self.assertNotIn("fix", self.err.replace("0 fixes", ""))

    def test_without_the_compiler_nothing_is_proved(self):
        self.assert_untouched(NORM, LAUNCH, "--fix=layout", "--ptxas=off")
        self.assertIn("pointer-aliasing", self.out)

    def test_what_the_compiler_does_not_use_is_refused(self):
        # A condition that is not known decides about each turn of the loop.
        self.assert_untouched(NORM.replace(
            "out[j", "if (in[j] > 0) out[j"), LAUNCH, "--fix=layout")


if __name__ == "__main__":
    ctest.main()
