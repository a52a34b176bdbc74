#!/usr/bin/env bash
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds, launches every pattern under ncu, and writes FOLDER/measured.csv,
# ncu's own table, one row a launch. usage: measure.sh FOLDER [seed count]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
mkdir -p "$out"
nvcc -O3 -std=c++17 -arch=native -o "$out/transactions" "$here/transactions.cu"
python3 "$here/patterns.py" "$@" >"$out/patterns.txt"
"$out/transactions" "$out/patterns.txt"

metrics=memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
metrics=$metrics,memory_l2_theoretical_sectors_global
metrics=$metrics,memory_l2_theoretical_sectors_global_ideal
metrics=$metrics,memory_l1_tag_requests_global
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum

# Some launches at a time: a stop loses little.
total=$(wc -l <"$out/patterns.txt")
count=160
: >"$out/measured.csv"
for first in $(seq 0 $count $((total - 1))); do
  ncu --csv --page raw --clock-control none --cache-control none \
      --metrics "$metrics" \
      "$out/transactions" "$out/patterns.txt" "$first" "$count" \
      >"$out/chunk.txt" || { tail -5 "$out/chunk.txt"; exit 1; }
  if [ "$first" -eq 0 ]; then skip=1; else skip=3; fi # Header and units.
  grep '^"' "$out/chunk.txt" | tail -n +$skip >>"$out/measured.csv"
  echo "$(date +%T) $first of $total"
done
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
ncu --version | tail -1
nvcc --version | tail -2 | head -1
