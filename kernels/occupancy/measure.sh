#!/usr/bin/env bash
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes FOLDER/runtime.csv, what the runtime says of each launch, and
# FOLDER/ncu.csv.gz, what ncu says. PROGRAM is built from occupancy.cu.
# usage: measure.sh PROGRAM FOLDER [seed [count]]
set -euo pipefail
program=$1
out=$2
shift 2
mkdir -p "$out"
"$program" "$@" >"$out/runtime.csv"

metrics=sm__maximum_warps_avg_per_active_cycle
metrics=$metrics,launch__occupancy_limit_warps
metrics=$metrics,launch__occupancy_limit_blocks
metrics=$metrics,launch__occupancy_limit_registers
metrics=$metrics,launch__occupancy_limit_shared_mem
metrics=$metrics,launch__occupancy_limit_barriers
metrics=$metrics,launch__registers_per_thread
metrics=$metrics,launch__shared_mem_config_size
metrics=$metrics,launch__waves_per_multiprocessor
ncu --csv --page raw --clock-control none --cache-control none \
    --print-units base --metrics "$metrics" \
    "$program" "${1:-1}" "${2:-700}" running >"$out/ncu.txt" ||
  { tail -5 "$out/ncu.txt"; exit 1; }
grep '^"' "$out/ncu.txt" | gzip >"$out/ncu.csv.gz"

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
ncu --version | tail -1
