#!/usr/bin/env python3
#===- bench/random_kernels.py - Ordinary code that nobody wrote ----------===//
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Random kernels, and what the GPU counts of them.

  random_kernels.py write SEED FILES FOLDER
      CUDA programs of 24 kernels each: strides, tiles, structs, loops that
      nvcc unrolls, branches, stencils, helpers, atomics, as people write them.
  random_kernels.py build FOLDER [--lint PATH] [--gpu NAME]
      Compiles and lints them: NAME.exe and NAME.json beside NAME.cu.
  random_kernels.py run FOLDER --probe LIBRARY
      On a machine with a GPU: NAME.profile.
  random_kernels.py judge FOLDER [--show CERTAINTY]
      Of every line of every kernel: are requests, their cost and their lanes,
      each summed over the launch, what was predicted, within 1 %?
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PER_FILE = 24
FIELDS = {"float2": "x y", "float4": "x y z w", "S3": "x y z", "P2": "k v",
          "Q4": "x y k w"}
READ = ["float", "float", "float", "int", "double", "float2", "float4",
        "unsigned char", "short", "S3", "P2", "Q4"]
WRITTEN = READ[:7] + ["S3", "Q4"]
NUMBERS = ("float", "int", "double")

PRELUDE = """#include <cstdio>
struct S3 { float x, y, z; };
struct P2 { int k; float v; };
struct Q4 { float x, y; int k; float w; };
__device__ inline float val(float v) { return v; }
__device__ inline float val(int v) { return v; }
__device__ inline float val(double v) { return v; }
__device__ inline float val(unsigned char v) { return v; }
__device__ inline float val(short v) { return v; }
__device__ inline float val(float2 v) { return v.x + v.y; }
__device__ inline float val(float4 v) { return v.x + v.y * v.z + v.w; }
__device__ inline float val(S3 v) { return v.x + v.y * v.z; }
__device__ inline float val(P2 v) { return v.k + v.v; }
__device__ inline float val(Q4 v) { return v.x + v.y * v.w + v.k; }
template <class T> __device__ inline T mk(float v) { return T(v); }
template <> __device__ inline float2 mk(float v) { return {v, v + 1}; }
template <> __device__ inline float4 mk(float v) { return {v, v + 1, v, v}; }
template <> __device__ inline S3 mk(float v) { return {v, v + 1, v}; }
template <> __device__ inline P2 mk(float v) { return {int(v), v + 1}; }
template <> __device__ inline Q4 mk(float v) { return {v, v + 1, 3, v}; }
"""
MAIN = """static void check() {
  if (cudaError_t E = cudaDeviceSynchronize())
    printf("error %s\\n", cudaGetErrorString(E));
}
static __global__ void fill(float *A, int *IX, int *CNT) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  A[i] = (i * 2654435761u >> 9) * 1e-6f;
  IX[i] = (i * 2654435761u >> 7) & 1023;
  CNT[i] = 0;
}
int main() {
  const size_t N = 1 << 22;
  float *A, *O;
  int *IX, *CNT;
  cudaMalloc(&A, N * 4);
  cudaMalloc(&O, N * 16);
  cudaMalloc(&IX, N * 4);
  cudaMalloc(&CNT, N * 4);
  fill<<<N / 256, 256>>>(A, IX, CNT);
"""


class Kernel:
    """One kernel, of random statements. All addresses lie within the arrays."""

    def __init__(self, draw, name):
        self.draw, self.name = draw, name
        self.lines, self.indent, self.loops, self.shared = [], 1, [], []
        self.arrays, self.in_branch = 0, False
        self.is_2d = draw.random() < 0.25
        self.block = draw.choice(
            [(16, 16), (32, 8), (8, 8), (32, 4)] if self.is_2d else
            [(n, 1) for n in (32, 64, 64, 128, 128, 256, 96)])
        self.threads = self.block[0] * self.block[1]
        self.grid = draw.choice([1, 2, 3, 4, 8])
        self.read, self.written = draw.choice(READ), draw.choice(WRITTEN)
        self.restrict = " __restrict__" if draw.random() < 0.6 else ""

    def happens(self, chance):
        return self.draw.random() < chance

    def emit(self, line):
        self.lines.append("  " * self.indent + line)

    def lane(self):
        width, height = self.block
        lane = self.draw.choice(
            ["x", "x", "y", f"y * {width} + x", f"x * {height} + y",
             "y * 33 + x", "x * 17 + y"] if self.is_2d else
            ["t", "t", "t", "t", "t ^ 1", "t / 2", "t % 4", "t & 15",
             f"{self.threads - 1} - t", "t >> 3"])
        return lane if lane.isalnum() else f"({lane})"

    def index(self, in_global=True):
        draw = self.draw
        index = self.lane()
        factor = draw.choice([1, 1, 1, 1, 1, 2, 3, 4, 5, 8, 16, 17, 32, 33]
                             if in_global else [1, 1, 1, 2, 3, 4, 8, 9])
        if factor != 1:
            index += f" * {factor}"
        if in_global and self.happens(0.4):
            row = draw.choice([self.threads, self.threads * 2, 100, 128])
            index = f"b * {row} + {index}"
        if self.loops and self.happens(0.75):
            step = draw.choice([2, 4, 8, 16, 32, 33, self.threads]
                               if in_global else [1, 2, 4, 16, 32])
            turn = draw.choice(self.loops)
            index += draw.choice([f" + {turn}", f" + {turn}", f" + {turn} * {step}",
                                  f" + {turn} * {step}", f" + ({turn} & 1) * 128"])
        if self.happens(0.25):
            index += f" + {draw.choice([1, 1, 2, 3, 4, 32])}"
        return index

    def element(self, kind, place):
        """A place of that type, or a field of it, as a float."""
        if kind in FIELDS and self.happens(0.5):
            return f"{place}.{self.draw.choice(FIELDS[kind].split())}"
        return f"val({place})"

    def shared_place(self, stores):
        name, kind, size, columns = self.draw.choice(self.shared)
        if not columns:
            return kind, f"{name}[({self.index(False)}) % {size}]"
        turn = self.loops[-1] if self.loops else "3"
        pairs = ([("y", "x"), ("x", "y"), ("y", "x"), (turn, "x"), ("x", turn)]
                 if self.is_2d else
                 [("t & 31", "t >> 5"), ("t >> 5", "t & 15"),
                  ("t & 31", f"{turn} & 15")])
        row, column = self.draw.choice(pairs[:2] if stores else pairs)
        return kind, f"{name}[({row}) % 32][({column}) % {columns}]"

    def load(self):
        kind = self.draw.random()
        if self.shared and kind < 0.45:
            return self.element(*self.shared_place(stores=False))
        if kind < 0.9:
            return self.element(self.read, f"a[{self.index()}]")
        if kind < 0.95:
            return f"help_{self.name}(a, {self.index()})"
        return f"val(a[ix[{self.index()}]])"

    def condition(self):
        draw, v = self.draw, self.draw.choice("xyt" if self.is_2d else "t")
        choices = [f"{v} < {draw.choice([1, 5, 8, 16, 20, 32, 40])}",
                   f"{v} & 1", f"{v} % 3 == 0", f"{v} > {draw.choice([0, 3, 15])}",
                   "acc > 1.0f", "b & 1", "b == 0", f"{v} != {draw.choice([0, 7])}"]
        if self.loops:
            turn = self.loops[-1]
            choices += [f"{turn} > 0", f"{turn} < t", f"({turn} & 1) == 0"]
        if self.happens(0.1):
            of = draw.choice(["||", "&&"])
            return f"({draw.choice(choices)}) {of} {self.load()} > 0.5f"
        return draw.choice(choices)

    def expression(self):
        kind = self.draw.random()
        if kind < 0.55:
            return self.load()
        if kind < 0.75:
            return f"{self.load()} {self.draw.choice('+*-')} {self.load()}"
        if kind < 0.85:
            i = self.index()
            return f"val(a[{i}]) + val(a[{i} + 1]) + val(a[{i} + 2])"
        if kind < 0.93:
            return f"({self.condition()} ? {self.load()} : {self.load()})"
        return f"acc * 0.5f + {self.load()}"

    def store(self):
        kind = self.draw.random()
        if self.shared and kind < 0.45:
            of, place = self.shared_place(stores=True)
            if of in ("float", "int") and self.happens(0.2):
                return f"atomicAdd(&{place}, {of}({self.draw.choice('1t')}));"
            if of in NUMBERS and self.happens(0.2):
                return f"{place} += {of}({self.load()});"
        elif kind < 0.85:
            of, place = self.written, f"o[{self.index()}]"
        elif kind < 0.92 or self.written not in NUMBERS:
            return f"atomicAdd(&cnt[{self.index()}], 1);"
        else:
            return f"o[{self.index()}] += {self.written}({self.load()});"
        if of in FIELDS and self.happens(0.4):
            field = self.draw.choice(FIELDS[of].split())
            return f"{place}.{field} = {self.expression()};"
        return f"{place} = mk<{of}>({self.expression()});"

    def loop(self, depth):
        draw, v, kind = self.draw, "ijk"[len(self.loops)], self.draw.random()
        unroll = self.draw.random()
        pragma = "#pragma unroll" + ("" if unroll < 0.2 else
                                     " 1" if unroll < 0.35 else " 4")
        turns = draw.choice([2, 3, 4, 4, 5, 8, 8, 16, 7, 20, 33] if depth == 0
                            else [2, 3, 4, 8])
        of_thread = 0.82 <= kind < 0.88
        by_lane = 0.88 <= kind < 0.95
        if kind < 0.65:
            head = f"{v} = 0; {v} < {turns}; ++{v}"
        elif kind < 0.74:
            head = f"{v} = 0; {v} < {turns * 2}; {v} += 2"
        elif kind < 0.82:
            head = f"{v} = {draw.choice([8, 16, 32])}; {v} > 0; {v} /= 2"
        elif of_thread:
            end = (self.threads * draw.choice([1, 2, 4]) +
                   draw.choice([0, 0, 7, 19, 50]))
            head = f"{v} = t; {v} < {end}; {v} += {self.threads}"
        elif by_lane:
            some = f"t % {draw.choice([3, 4, 5, 9])}"
            head = draw.choice([f"{v} = {some}; {v} < {turns + 4}; ++{v}",
                                f"{v} = 0; {v} <= {some}; ++{v}",
                                f"{v} = {some}; {v}-- > 0;"])
        else:
            head = f"{v} = 0; {v} < n; ++{v}"
        is_last = head.endswith(f"++{v}") and self.happens(0.1)
        if is_last:
            start, end, step = head.split("; ")
            self.emit(f"{{ int {start};")
        if unroll < 0.4:
            self.emit(pragma)
        self.emit("do {" if is_last else f"for (int {head}) {{")
        self.loops.append(v)
        leaves = draw.random()
        if leaves < 0.12:
            # In a do loop, continue passes by no step.
            jump = "break" if is_last else draw.choice(["break", "continue"])
            self.emit(f"  if ({self.condition()}) {jump};")
        self.body(depth, [1, 1, 2, 3],
                  is_branch=of_thread or by_lane or leaves < 0.12)
        self.loops.pop()
        self.emit(f"  {step};\n}} while ({end}); }}" if is_last else "}")

    def switch(self, depth):
        of = self.draw.choice(["t & 3", "t >> 4 & 3", "b & 3"])
        self.emit(f"switch ({of}) {{")
        for case in range(self.draw.choice([2, 3])):
            self.emit(f"case {case}:")
            self.body(depth, [1, 1, 2], is_branch=True)
            if self.happens(0.8):
                self.emit("  break;")
        self.emit("default:")
        self.body(depth, [1], is_branch=True)
        self.emit("}")

    def body(self, depth, sizes, is_branch):
        before, self.in_branch = self.in_branch, self.in_branch or is_branch
        self.indent += 1
        for _ in range(self.draw.choice(sizes)):
            self.statement(depth + 1)
        self.indent -= 1
        self.in_branch = before

    def private_array(self):
        number, size = self.arrays, self.draw.choice([2, 4, 8])
        self.arrays += 1
        place = f"a[{self.index()} + q * {self.draw.choice([1, 1, 32])}]"
        self.emit(f"float r{number}[{size}];")
        self.emit(f"for (int q = 0; q < {size}; ++q) r{number}[q] = val({place});")
        last = self.draw.choice(["", " * q", f" * r{number}[{size - 1}]"])
        self.emit(f"for (int q = 0; q < {size}; ++q) acc += r{number}[q]{last};")
        if self.happens(0.2):
            self.emit(f"acc += r{number}[t & {size - 1}];")

    def statement(self, depth):
        kind = self.draw.random()
        if kind < 0.37:
            self.emit(f"acc += {self.expression()};")
        elif kind < 0.55:
            self.emit(self.store())
        elif kind < 0.6:
            self.emit(f"acc += {self.expression()}; {self.store()}")
        elif kind < 0.75 and depth < 3:
            self.loop(depth)
        elif kind < 0.77 and depth < 3:
            self.switch(depth)
        elif kind < 0.89 and depth < 3:
            self.emit(f"if ({self.condition()}) {{")
            self.body(depth, [1, 1, 2], is_branch=True)
            if self.happens(0.5):
                self.emit("} else {")
                self.body(depth, [1, 1, 2], is_branch=True)
            self.emit("}")
        elif kind < 0.93 and self.shared and not self.in_branch:
            self.emit("__syncthreads();")
        elif kind < 0.96 and self.written in NUMBERS:
            i = self.index()
            self.emit(f"if (acc > 2.0f) o[{i}] = {self.written}(acc); "
                      f"else o[{i}] = 0;")
        elif depth == 0:
            self.private_array()
        else:
            self.emit(f"acc += {self.expression()};")

    def declare_shared(self):
        for number in range(self.draw.choice([0, 0, 1, 1, 2])):
            kind, name = self.draw.choice(READ), f"s{number}"
            if self.happens(0.3):
                columns = self.draw.choice([32, 33, 17, 16, 40])
                self.emit(f"__shared__ {kind} {name}[32][{columns}];")
                self.shared.append((name, kind, 32 * columns, columns))
            else:
                size = self.draw.choice([256, 512, 1024, 384])
                self.emit(f"__shared__ {kind} {name}[{size}];")
                self.shared.append((name, kind, size, None))

    def text(self):
        self.declare_shared()
        width = self.draw.choice(["blockDim.x", str(self.block[0])])
        self.emit(f"int x = threadIdx.x, y = threadIdx.y, t = y * {width} + x;"
                  if self.is_2d else "int t = threadIdx.x;")
        self.emit("int b = blockIdx.x;")
        self.emit("float acc = 0;")
        for name, kind, size, columns in self.shared:
            if columns:
                row = "y][x & 15" if self.is_2d else "t >> 5][t & 15"
                self.emit(f"{name}[{row}] = mk<{kind}>(val(a[t]));")
            else:
                self.emit(f"for (int q = t; q < {size}; q += {self.threads}) "
                          f"{name}[q] = mk<{kind}>(val(a[q]));")
        if self.shared:
            self.emit("__syncthreads();")
        if not self.shared and self.happens(0.1):
            self.emit(f"if ({self.condition()}) return;")
        for _ in range(self.draw.choice([1, 2, 2, 3, 4])):
            self.statement(0)
        self.emit(f"o[b * {self.threads} + t] = mk<{self.written}>(acc);")
        r = self.restrict
        helped = self.draw.choice(
            ["return val(p[i]) + val(p[i + 1]);",
             "return val(p[i]) + val(p[i + 1]);",
             "if (i & 4) return val(p[i]); return val(p[i + 1]) + 1;",
             "if (i < 40) { if (i & 1) return 0; } return val(p[i]);"])
        inlined = self.draw.choice(["inline", "inline", "inline", "__noinline__"])
        return [f"__device__ {inlined} float help_{self.name}(const {self.read} *p, "
                f"int i) {{ {helped} }}",
                f"__global__ void {self.name}(const {self.read} *{r} a, "
                f"{self.written} *{r} o, const int *{r} ix, int *{r} cnt, int n) {{",
                *self.lines, "}"]

    def launch(self):
        block = (f"dim3({self.block[0]}, {self.block[1]})" if self.is_2d
                 else self.block[0])
        return (f"  {self.name}<<<{self.grid}, {block}>>>((const {self.read} *)A, "
                f"({self.written} *)O, IX, CNT, 12);\n  check();")


def write(args):
    draw = random.Random(args.seed)
    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(args.files):
        lines, launches = [PRELUDE], []
        for k in range(PER_FILE):
            kernel = Kernel(draw, f"k{number}_{k}")
            lines += kernel.text()
            launches.append(kernel.launch())
        program = [*lines, MAIN, *launches, "  return 0;\n}\n"]
        path = args.folder / f"f{args.seed}_{number}.cu"
        path.write_text("\n".join(program), encoding="utf-8")


def build(args):
    def one(source):
        subprocess.run(["nvcc", "-arch=sm_90", "-O3", "-std=c++17", "-lineinfo",
                        "-w", "-o", source.with_suffix(".exe"), source],
                       check=True)
        lint_one(args, source)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, sorted(args.folder.glob("*.cu"))))


def lint_one(args, source):
    subprocess.run([args.lint, f"--gpu={args.gpu}", "--format=json",
                    "--fail-on=never", "-o", source.with_suffix(".json"), source,
                    "--", "-std=c++17"], check=True, stderr=subprocess.DEVNULL)


def run(args):
    for program in sorted(args.folder.glob("*.exe")):
        with tempfile.TemporaryDirectory() as profiles:
            subprocess.run(
                [program.resolve()], check=True, stdout=subprocess.DEVNULL,
                env={**os.environ, "CUDA_INJECTION64_PATH": str(args.probe),
                     "CUDA_LINT_PROBE_DIR": profiles,
                     "CUDA_LINT_PROBE_LAUNCHES": "all"})
            found = list(pathlib.Path(profiles).glob("profile-*.json"))
            program.with_suffix(".profile").write_bytes(found[0].read_bytes())


def measured_lines(profile):
    """(kernel, line, space, op) to counts, each per warp of the launch."""
    warps = {}
    for launch in profile["launches"]:
        x, y, z = launch["block"]
        blocks = launch["grid"][0] * launch["grid"][1] * launch["grid"][2]
        warps[launch["kernel"]] = -(-x * y * z // 32) * blocks * launch["count"]
    lines = {}
    for line in profile["lines"]:
        if not line["file"] or not line["file"].endswith(".cu"):
            continue
        per_warp = 1 / warps[line["kernel"]]
        cost = line["wavefronts" if line["space"] == "shared" else "sectors"]
        lines[line["kernel"], line["line"], line["space"], line["op"]] = {
            "requests": line["requests"] * per_warp,
            "cost": (cost or 0) * per_warp, "lanes": line["lanes"] * per_warp}
    return warps, lines


def verdict(accesses, measured):
    """One word on a line, as it is predicted and as it ran."""
    if not measured or not measured["requests"]:
        never = all(a["executions"] == 0 for a in accesses)
        return "did not run" if accesses and not never else None
    if not accesses:
        return "not listed"
    for certainty in ("unknown", "random"):
        if any(a["certainty"] == certainty for a in accesses):
            return certainty
    if any(a["executions"] is None for a in accesses):
        costs = [a["per_request"] for a in accesses]
        ratio = measured["cost"] / measured["requests"]
        good = min(costs) * 0.95 <= ratio <= max(costs) * 1.05
        return "cost " + ("right" if good else "wrong")
    predicted = {"requests": sum(a["executions"] for a in accesses),
                 "cost": sum(a["executions"] * a["per_request"] for a in accesses),
                 "lanes": sum(a["executions"] * a["lanes"] for a in accesses)}
    good = all(abs(predicted[k] - measured[k]) <=
               0.01 * max(predicted[k], measured[k]) + 1e-3 for k in predicted)
    return "totals " + ("right" if good else "wrong")


def judge(args):
    counts = collections.Counter()
    for path in sorted(args.folder.glob("*.profile")):
        warps, measured = measured_lines(json.loads(path.read_bytes()))
        result = json.loads(path.with_suffix(".json").read_bytes())
        source = path.with_suffix(".cu").read_text(encoding="utf-8").splitlines()
        for kernel in (k for u in result["units"] for k in u["kernels"]):
            if kernel["name"] not in warps:
                continue
            lines = collections.defaultdict(list)
            for access in kernel["accesses"]:
                if (access["file"].endswith(".cu") and
                        access["space"] in ("global", "shared", "local")):
                    lines[kernel["name"], access["line"], access["space"],
                          access["op"]].append(access)
            for key in sorted({*lines, *(k for k in measured
                                         if k[0] == kernel["name"])}):
                of = lines.get(key, [])
                said = verdict(of, measured.get(key))
                if key[2] == "generic" or said is None:
                    continue
                exact = bool(of) and all(a["certainty"] == "exact" for a in of)
                certainty = "exact" if exact else "assumed" if of else "-"
                counts[certainty, said] += 1
                if args.show == certainty and said in (
                        "totals wrong", "cost wrong", "did not run"):
                    print(f"{path.stem}.cu:{key[1]}: {key[2]} {key[3]}: {said}: "
                          f"{source[key[1] - 1].strip()}")
    for (certainty, said), number in sorted(counts.items()):
        print(f"{number:6} {certainty:8} {said}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, function in (("write", write), ("build", build), ("run", run),
                           ("judge", judge)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        if name == "write":
            command.add_argument("seed", type=int)
            command.add_argument("files", type=int)
        command.add_argument("folder", type=pathlib.Path)
        if name == "build":
            command.add_argument("--lint", default="cuda-lint")
            command.add_argument("--gpu", default="h100")
        elif name == "run":
            command.add_argument("--probe", type=pathlib.Path, required=True)
        elif name == "judge":
            command.add_argument("--show", choices=("exact", "assumed"))
    args = parser.parse_args()
    args.function(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
