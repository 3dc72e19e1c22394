#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record golden data on a machine with a GPU, nvcc and ncu. usage: tests/hw/record.sh OUTDIR
# Writes OUTDIR/counters.csv (ncu, one row a launch), results.txt (digests of outputs), machine.txt (GPU, driver, toolkit,
# date). kernels.ptx is used as committed, so that the GPU's ptxas and Softwarp start from the same text; remake it with
#   nvcc -arch=sm_90 -lineinfo -ptx tests/hw/kernels.cu -o tests/hw/kernels.ptx   (then cut the folders in its .file lines)
set -eu
out=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
mkdir -p "$out"
nvcc -x c -I"$here" "$here/cases.c" -o "$work/hw_cases" -lcuda
{
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem,memory.total --format=csv
    nvcc --version | tail -2
    ncu --version | tail -1
    date -u +%Y-%m-%d
} > "$out/machine.txt"
"$work/hw_cases" "$here/kernels.ptx" > "$out/results.txt"

M=gpu__time_duration.sum,sm__cycles_elapsed.max
M+=,smsp__inst_executed.sum,smsp__thread_inst_executed.sum,smsp__thread_inst_executed_pred_on.sum
for op in ld st; do
    M+=,l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum
    M+=,l1tex__t_requests_pipe_lsu_mem_local_op_$op.sum,l1tex__t_sectors_pipe_lsu_mem_local_op_$op.sum
    M+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum
    M+=,smsp__inst_executed_op_shared_$op.sum,smsp__sass_inst_executed_op_global_$op.sum,smsp__sass_inst_executed_op_shared_$op.sum
done
M+=,l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum
M+=,l1tex__t_requests_pipe_lsu_mem_global_op_red.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum
M+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
M+=,memory_l2_theoretical_sectors_global,memory_l2_theoretical_sectors_global_ideal
M+=,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
M+=,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum,lts__t_sectors_srcunit_tex_op_read.sum,lts__t_sectors_srcunit_tex_op_write.sum
M+=,dram__bytes_read.sum,dram__bytes_write.sum,idc__requests.sum
M+=,smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum,smsp__sass_branch_targets_threads_uniform.sum
M+=,smsp__thread_inst_executed_per_inst_executed.ratio,smsp__thread_inst_executed_pred_on_per_inst_executed.ratio
M+=,smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct,smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct
M+=,smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct
M+=,launch__registers_per_thread,launch__occupancy_limit_blocks,launch__occupancy_limit_registers
M+=,launch__occupancy_limit_shared_mem,launch__occupancy_limit_warps,launch__waves_per_multiprocessor
M+=,launch__shared_mem_per_block_static,launch__shared_mem_per_block_dynamic,launch__shared_mem_per_block
M+=,sm__maximum_warps_per_active_cycle_pct,sm__warps_active.avg.pct_of_peak_sustained_active
ncu --clock-control none --csv --page raw --print-units base --metrics "$M" "$work/hw_cases" "$here/kernels.ptx" \
    > "$work/ncu.out" 2> "$work/ncu.err" || { tail -5 "$work/ncu.err" >&2; exit 1; }
# ncu prints the program's own output first: keep the table.
sed -n '/^"ID"/,$p' "$work/ncu.out" | grep '^"' > "$out/counters.csv"
wc -l "$out/counters.csv" "$out/results.txt"
tail -3 "$work/ncu.err" >&2
[ -n "$cuda" ]
