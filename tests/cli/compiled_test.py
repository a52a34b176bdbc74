#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses as the toolkit's own nvcc compiles them.

What nvcc makes of each kernel is not written down here: the program is asked
for it with its own nvcc, and the numbers follow from the widths by the rules of
the hardware. CUDA_LINT names the program.
"""

import json

from cli_test import WithToolkit, ctest

# Each kernel under its launch of one block.
SOURCE = """
struct __align__(16) Particle { float x, y, z; int id; };
__global__ void whole(float4 *p) {
  int t = threadIdx.x;
  float4 v = p[t];
  v.w *= 0.5f;
  p[t] = v;
}
__global__ void field(Particle *p) {
  int t = threadIdx.x;
  Particle v = p[t];
  v.id = 7;
  p[t] = v;
}
__global__ void row(float *p) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = p[t];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    sum += s[t % 8 * 4 + j];
  p[t] = sum;
}
__global__ void branches(float *p) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = p[t];
  __syncthreads();
  p[t] = t & 1 ? s[t * 4 & 255] : s[t * 2 & 255];
}
__global__ void again(float *__restrict__ p, float *__restrict__ o) {
  int t = threadIdx.x;
  o[t] = p[t * 2];
  o[t + 64] = p[t * 2];
}
__global__ void data(float *p, const int *index) {
  p[threadIdx.x] = p[index[threadIdx.x] + 1024];
}
__device__ __noinline__ void fill(float *s, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i) s[i * 32 + threadIdx.x] = i;
}
__global__ void fills(float *p) {
  __shared__ float s[8192];
  if (threadIdx.x < 32) fill(s, 4);
  if (threadIdx.x >= 224) fill(s + 32, 6);
  fill(s + 64, 200);
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x];
}
void run(float *p, int *i) {
  whole<<<1, 64>>>((float4 *)p);
  field<<<1, 64>>>((Particle *)p);
  row<<<1, 64>>>(p);
  branches<<<1, 64>>>(p);
  again<<<1, 64>>>(p, p + 4096);
  data<<<1, 64>>>(p, i);
  fills<<<1, 256>>>(p);
}
"""


class Compiled(WithToolkit):
    documents = {}  # by what was asked for

    def kernels(self, *arguments):
        if arguments not in self.documents:
            self.write("a.cu", SOURCE)
            self.assert_code(0, self.run_with_nvcc(
                "--gpu=h200", "--format=json", "--fail-on=never", *arguments,
                "a.cu"))
            self.documents[arguments] = self.out
        document = json.loads(self.documents[arguments])
        self.findings = document["units"][0]["findings"]
        return {kernel["signature"].split("(")[0]: kernel
                for kernel in document["units"][0]["kernels"]}

    @staticmethod
    def shape(kernel, space="global"):
        return sorted((a["op"], a["bytes"], a["per_request"])
                      for a in kernel["accesses"] if a["space"] == space)

    def test_a_vector_is_one_access_each_way(self):
        kernels = self.kernels()
        for name in ("whole", "field"):
            self.assertEqual([("load", 16, 16.0), ("store", 16, 16.0)],
                             self.shape(kernels[name]), name)
            self.assertEqual(["LDG.128", "STG.128"],
                             sorted(a["compiled"]["opcode"]
                                    for a in kernels[name]["accesses"]))
            self.assertEqual([], [f["message"] for f in self.findings
                                  if f["kernel"] == kernels[name]["name"] and
                                  f["check"] == "global-uncoalesced"])

    def test_an_index_of_several_lines_has_the_line_of_its_end(self):
        # Each in lines of its own, so that a line names the access.
        lines = ["__global__ void k(float *o, volatile float *a, int i, int n)"
                 " {"]
        elements = ["a[i\n+ n\n]", "a[\ni * 3\n- 1\n]", "*(a +\ni * 5)",
                    "a[i >\nn ?\ni * 7 :\nn * 9]", "a[\n(long)\ni * 11]"]
        first = []
        for number, element in enumerate(elements):
            first.append(sum(line.count("\n") + 1 for line in lines) + 2)
            lines.append(f"  o[threadIdx.x * {number + 2}] =\n{element}\n;")
        lines.append("}")
        self.write("l.cu", "\n".join(lines) + "\n")
        self.assert_code(0, self.run_with_nvcc(
            "--gpu=h200", "--format=json", "--fail-on=never", "l.cu"))
        kernel, = json.loads(self.out)["units"][0]["kernels"]
        loads = [a for a in kernel["accesses"] if a["op"] == "load"]
        for at, element in zip(first, elements, strict=True):
            its = [a for a in loads
                   if (a["written"] or a)["line"] == at]
            self.assertEqual(1, len(its), element)
            self.assertIsNotNone(its[0]["compiled"], element)
            self.assertFalse([text for text in its[0]["assumptions"]
                              if "nearest" in text], element)

    def test_a_copy_of_a_parameter_is_told_where_there_is_one(self):
        # What nvcc does is asked of nvcc: its stack frames.
        self.write("p.cu", """
struct Params { float eps[16]; int n; float k; };
__device__ inline float of(const Params &P, int t) { return P.eps[t & 15]; }
__device__ __noinline__ float call(const Params &P, int t) { return P.eps[t]; }
__device__ inline float by(const float *eps, int t) { return eps[t & 15]; }
#define KERNEL(NAME, PARAMS, VALUE)                                            \\
  __global__ void NAME(PARAMS P, const int *t, float *o) {                     \\
    for (int i = 0; i < P.n; ++i)                                              \\
      o[threadIdx.x + i * 256] = VALUE;                                        \\
  }
__global__ void once(Params P, const int *t, float *o) {
  o[threadIdx.x] = P.eps[t[threadIdx.x] & 15];
}
KERNEL(inlined, Params, of(P, t[i]))
KERNEL(called, Params, call(P, t[i] & 15))
KERNEL(pointer, Params, by(P.eps, t[i]))
KERNEL(direct, Params, P.eps[t[i] & 15])
KERNEL(constant, Params, of(P, 3))
KERNEL(inPlace, const __grid_constant__ Params, of(P, t[i]))
KERNEL(changed, Params, P.k = of(P, t[i]))
""")
        self.assert_code(0, self.run_with_nvcc(
            "--gpu=h200", "--format=json", "--fail-on=never", "p.cu"))
        unit, = json.loads(self.out)["units"]
        bytes_of = {kernel["signature"].split("(")[0]:
                    kernel["resources"]["local_bytes"]
                    for kernel in unit["kernels"]}
        told = {finding["what"]["values"]["kernel"]
                for finding in unit["findings"]
                if finding["check"] == "local-array"}
        self.assertEqual({"inlined", "called", "pointer", "direct"}, told)
        for kernel, its in bytes_of.items():
            if kernel != "changed":  # Of that, the copy is what it asks for.
                self.assertEqual(kernel in told, its != 0, kernel)

    def test_a_copy_of_what_was_stored_is_no_load(self):
        # v is stored and then passed by value: nvcc has it in registers. How
        # many loads there are, its own PTX says.
        self.write("v.cu", """
struct Vec3 { double x, y, z; };
__device__ inline Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__device__ inline Vec3 operator*(Vec3 a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
__device__ inline void kick(Vec3 &x, Vec3 &v, Vec3 f, double dt) {
  v = v + f * dt;
  x = x + v * dt;
}
__global__ void drift(Vec3 *x, Vec3 *v, const Vec3 *f, double dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  kick(x[i], v[i], f[i], dt);
}
void run(Vec3 *x) { drift<<<1000, 256>>>(x, x, x, 2); }
""")
        self.assert_code(0, self.run_with_nvcc(
            "--gpu=h200", "--format=json", "--fail-on=never", "v.cu"))
        kernel, = json.loads(self.out)["units"][0]["kernels"]
        loads = [a for a in kernel["accesses"] if a["op"] == "load"]
        self.assertEqual(9, len(loads))
        self.assertEqual([1] * 9, [a["executions"] for a in loads])
        self.assertEqual([11] * 3, [a["line"] for a in kernel["removed"]
                                    if a["op"] == "load"])

    def test_a_part_of_an_integer_is_no_waste(self):
        # nvcc loads the byte alone: 32 bytes of 4 sectors, which is what the
        # counter says, and nothing that anybody would change.
        self.write("h.cu", """
__global__ void bins(int *h, const int *in, const int *other) {
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  h[t] = in[t] & 255;
  h[t + 4096] = other[t * 4] & 255;
}
int main() { int *p = nullptr; bins<<<8, 256>>>(p, p, p); }
""")
        self.assert_code(0, self.run_with_nvcc(
            "--gpu=h200", "--format=json", "--fail-on=never", "h.cu"))
        unit, = json.loads(self.out)["units"]
        loads = {a["line"]: a for a in unit["kernels"][0]["accesses"]
                 if a["op"] == "load"}
        self.assertEqual((1, 4.0, 1.0), tuple(
            loads[4][key] for key in ("bytes", "per_request", "ideal")))
        self.assertEqual([5], [f["line"] for f in unit["findings"]
                               if f["check"] == "global-uncoalesced"])

    def test_doubles_that_the_compiler_computes_are_none(self):
        # Tables of constants and a loop that is unrolled: no instruction is of
        # doubles. In the second kernel, the argument is only known in the run.
        self.write("h.cu", """
__device__ const float w[3] = {0.5f, 0.25f, 0.25f};
__device__ const int c[3] = {0, 1, -1};
__global__ void init(float *f, float u) {
  float part[3];
  for (int i = 0; i < 3; ++i)
    part[i] = w[i] * (1.0 + 3.0 * (START * c[i]));
  f[blockIdx.x * 64 + threadIdx.x] = part[0] + part[1] + part[2];
}
int main() { float *f = nullptr; init<<<64, 64>>>(f, 1.5f); }
""")
        for start, found in ("0.0f", []), ("u", [6]):
            self.assert_code(0, self.run_with_nvcc(
                "--gpu=h200", "--format=json", "--fail-on=never", "h.cu",
                "--", "-DSTART=" + start))
            unit, = json.loads(self.out)["units"]
            self.assertEqual(found, [f["line"] - 1 for f in unit["findings"]
                                     if f["check"] == "implicit-double"])

    def test_a_loop_over_neighbours_is_one_access(self):
        row = self.kernels()["row"]
        # Eight lanes read 16 bytes each, four times the same ones.
        self.assertIn(("load", 16, 4.0), self.shape(row, "shared"))
        self.assertNotIn(4, [a["bytes"] for a in row["accesses"]
                             if (a["space"], a["op"]) == ("shared", "load")])

    def test_branches_that_share_an_instruction_are_one_request(self):
        branches = self.kernels()["branches"]
        loads = [a for a in branches["accesses"]
                 if (a["space"], a["op"]) == ("shared", "load")]
        self.assertEqual(1, len(loads))
        self.assertEqual(32.0, loads[0]["lanes"])
        # Odd lanes read word 4 t, even ones 2 t: the words of all lanes, by
        # bank, distinct ones counted.
        worst = 0
        for warp in (0, 32):
            words = {(t * 4 if t & 1 else t * 2) & 255
                     for t in range(warp, warp + 32)}
            banks = [w % 32 for w in words]
            worst += max(banks.count(b) for b in range(32))
        self.assertEqual(worst / 2, loads[0]["per_request"])

    def test_what_is_read_once_is_not_judged_twice(self):
        again = self.kernels()["again"]
        self.assertEqual([("load", 4, 8.0), ("store", 4, 4.0),
                          ("store", 4, 4.0)], self.shape(again))
        self.assertEqual([("load", 4)], [(r["op"], r["bytes"])
                                         for r in again["removed"]])

    def test_each_call_of_a_function_has_its_own_count(self):
        stores = [a for a in self.kernels()["fills"]["accesses"]
                  if a["op"] == "store" and a["inlined_at"]]
        # One of eight warps makes the first call, one the second.
        self.assertEqual([4 / 8, 6 / 8, 200],
                         [a["executions"] for a in sorted(
                             stores, key=lambda a: a["inlined_at"][0]["line"])])
        self.assertEqual({"exact"}, {a["certainty"] for a in stores})

    def test_what_data_decides_says_why_and_what_if_it_is_random(self):
        loads = [a for a in self.kernels()["data"]["accesses"]
                 if a["certainty"] == "random"]
        self.assertEqual(1, len(loads))
        # 32 words somewhere in a large array: a sector each, one if all agree.
        self.assertAlmostEqual(32, loads[0]["per_request"], delta=0.1)
        self.assertEqual((1, 32), (loads[0]["least"], loads[0]["most"]))
        because = loads[0]["unknown_because"]
        self.assertEqual("loaded_data", because["cause"])
        self.assertIn("index[threadIdx.x]", because["what"])
        self.assertEqual(loads[0]["line"], because["line"])

    def test_as_written(self):
        kernels = self.kernels("--as-written")
        self.assertEqual(2, len([a for a in kernels["branches"]["accesses"]
                                 if (a["space"], a["op"]) ==
                                 ("shared", "load")]))
        self.assertEqual({None}, {a["compiled"] for k in kernels.values()
                                  for a in k["accesses"]})
        self.assertIn(("load", 4, 1.0), self.shape(kernels["row"], "shared"))

    def test_without_the_code_a_rule_says_what_it_takes_for_granted(self):
        kernels = self.kernels("--ptxas=off")
        self.assertEqual([("load", 16, 16.0), ("store", 16, 16.0)],
                         self.shape(kernels["whole"]))
        row = [a for a in kernels["row"]["accesses"]
               if (a["space"], a["op"]) == ("shared", "load")]
        self.assertEqual(["assumed"], [a["certainty"] for a in row])
        self.assertIn("neighbouring turns", " ".join(row[0]["assumptions"]))


if __name__ == "__main__":
    ctest.main()
