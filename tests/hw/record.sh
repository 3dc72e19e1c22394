#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record golden data on a machine with a GPU, nvcc and ncu. usage: tests/hw/record.sh OUTDIR [PART...]
# Parts: cases (OUTDIR/counters.csv: ncu, one row a launch; results.txt: digests of outputs) and the groups of patterns.py
# (patterns.GROUP.txt: one line a request). All without PART. Also machine.txt: GPU, driver, toolkit, date. SECONDS_MOST: no
# further part of the work is begun after so many seconds. MORE_METRICS: a file of more names for counters.csv, one a line;
# a name that this ncu does not know is left out and printed.
# kernels.ptx is used as committed, so that the GPU's ptxas and Softwarp start from the same text; remake it with
#   nvcc -arch=sm_90 -lineinfo -ptx tests/hw/kernels.cu -o tests/hw/kernels.ptx   (then cut the folders in its .file lines)
set -eu
out=$1
shift
[ $# -gt 0 ] || set -- lds atomg atoms ldc cases ldg
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
most=${SECONDS_MOST:-3600}
nvcc -x c -I"$here" -I"$here/../support" "$here/cases.c" -o "$work/hw_cases" -lcuda
nvcc -x c -I"$here/../support" "$here/patterns.c" -o "$work/hw_patterns" -lcuda
describe_machine ,clocks.max.sm,clocks.max.mem,memory.total > "$out/machine.txt"
for collection in profiling source launch occupancy; do
    timeout 60 ncu --query-metrics --query-metrics-collection $collection --chips gh100 2> /dev/null || :
done | tr -d '\r' > "$work/known.txt"
cp "$work/known.txt" "$out/known-metrics.txt"

keep_known() { # stdin: names; stdout: those that ncu knows, with commas between them
    awk -v refused="$out/unknown-metrics.txt" 'NR == FNR { known[$1] = 1; next }
        { base = $1; sub(/\..*/, "", base); if (base in known || $1 ~ /^(launch__|sm__maximum_warps)/) print $1; else print $1 > refused }' \
        "$work/known.txt" - | sort -u | paste -sd,
}
profile() { # METRICS CSV PROGRAM...: append the table that ncu prints after the program's own output
    local metrics=$1 csv=$2
    shift 2
    ncu ${NCU_OPTIONS:---clock-control none} --csv --page raw --print-units base --metrics "$metrics" "$@" > "$work/ncu.out" 2> "$work/ncu.err" ||
        { tail -5 "$work/ncu.out" "$work/ncu.err" >&2; return 1; }
    sed -n '/^"ID"/,$p' "$work/ncu.out" | grep '^"' > "$work/table"
    if [ -s "$csv" ]; then tail -n +3 "$work/table" >> "$csv"; else cp "$work/table" "$csv"; fi
}

cases_metrics() {
    for op in ld st; do
        for space in global local; do
            echo l1tex__t_requests_pipe_lsu_mem_${space}_op_$op.sum
            echo l1tex__t_sectors_pipe_lsu_mem_${space}_op_$op.sum
        done
        echo l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum
        echo l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum
        echo smsp__inst_executed_op_shared_$op.sum
        echo smsp__sass_inst_executed_op_global_$op.sum
        echo smsp__sass_inst_executed_op_shared_$op.sum
        echo smsp__sass_inst_executed_op_local_$op.sum
        echo l1tex__t_requests_pipe_tex_mem_surface_op_$op.sum
        echo l1tex__t_sectors_pipe_tex_mem_surface_op_$op.sum
        echo smsp__inst_executed_op_surface_$op.sum
        echo smsp__sass_average_data_bytes_per_sector_mem_global_op_$op.pct
        echo smsp__sass_average_data_bytes_per_sector_mem_local_op_$op.pct
    done
    for op in atom red; do
        echo l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum
        echo l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum
    done
    for what in t_requests t_sectors; do
        echo smsp__sass_l1tex_${what}_pipe_lsu_mem_global_op_ldgsts.sum
        echo smsp__sass_l1tex_${what}_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum
        echo l1tex__${what}_pipe_lsu_mem_global_op_ldgsts_cache_access.sum
        echo l1tex__${what}_pipe_tex_mem_texture.sum
        echo l1tex__${what}_pipe_tex_mem_surface.sum
    done
    echo smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum
    echo smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
    printf '%s\n' smsp__sass_inst_executed_op_tma.sum l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum \
        l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red.sum \
        l1tex__m_l1tex2xbar_write_sectors_mem_dshared_op_tma_st.sum smsp__imc_requests.sum derived__local_spilling_requests
    for bits in 8 16 32 64 128; do echo smsp__sass_inst_executed_op_memory_${bits}b.sum; done
    echo smsp__inst_executed_pipe_adu.sum
    echo smsp__inst_executed_op_ldc.sum
    echo l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
    echo l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum
    echo l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
    echo l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
    printf '%s\n' memory_l2_theoretical_sectors_global memory_l2_theoretical_sectors_global_ideal memory_l1_wavefronts_shared memory_l1_wavefronts_shared_ideal \
        memory_l1_tag_requests_global memory_l2_theoretical_sectors_local
    printf '%s\n' derived__memory_l1_wavefronts_shared_excessive derived__memory_l1_conflicts_shared_nway derived__memory_l2_theoretical_sectors_global_excessive
    printf '%s\n' idc__requests.sum
    for what in read write atom red; do echo lts__t_sectors_srcunit_tex_op_$what.sum; done
    echo l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum
    printf '%s\n' dram__bytes_read.sum dram__bytes_write.sum
    printf '%s\n' gpu__time_duration.sum sm__cycles_elapsed.max smsp__inst_issued.sum
    printf '%s\n' smsp__inst_executed.sum smsp__thread_inst_executed.sum smsp__thread_inst_executed_pred_on.sum \
        smsp__thread_inst_executed_per_inst_executed.ratio smsp__thread_inst_executed_pred_on_per_inst_executed.ratio
    for what in fp16 fp32 fp64 integer bit conversion control memory inter_thread_communication misc fadd fmul ffma dadd dmul dfma hadd hmul hfma; do
        echo smsp__sass_thread_inst_executed_op_${what}_pred_on.sum
    done
    printf '%s\n' smsp__sass_branch_targets.sum smsp__sass_branch_targets_threads_divergent.sum smsp__sass_branch_targets_threads_uniform.sum \
        smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct
    printf 'launch__%s\n' registers_per_thread occupancy_limit_blocks occupancy_limit_registers occupancy_limit_shared_mem occupancy_limit_warps \
        waves_per_multiprocessor shared_mem_per_block_static shared_mem_per_block_dynamic shared_mem_per_block shared_mem_config_size
    printf '%s\n' sm__maximum_warps_per_active_cycle_pct sm__warps_active.avg.pct_of_peak_sustained_active
    [ -z "${MORE_METRICS:-}" ] || cat "$MORE_METRICS"
}
record_cases() {
    local first=0 all step=45 metrics
    "$work/hw_cases" "$here/kernels.ptx" > "$out/results.txt"
    all=$(wc -l < "$out/results.txt")
    metrics=$(cases_metrics | keep_known)
    : > "$out/counters.csv"
    while [ $first -lt "$all" ] && [ $SECONDS -lt "$most" ]; do
        profile "$metrics" "$out/counters.csv" "$work/hw_cases" "$here/kernels.ptx" $first $step || break
        first=$((first + step))
        echo "cases up to $first after $SECONDS s"
    done
    # launches are numbered anew in each part
    awk -F, -v OFS=, 'NR > 2 { $1 = "\"" NR - 3 "\"" } 1' "$out/counters.csv" > "$work/table" && cp "$work/table" "$out/counters.csv"
}

pattern_metrics() { # of one group; the same order in the columns of patterns.GROUP.txt
    case $1 in
    lds) printf 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum\n' ld st; echo l1tex__data_pipe_lsu_wavefronts_mem_shared.sum ;;
    atoms) printf 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum\n' ld st atom; printf '%s\n' l1tex__data_pipe_lsu_wavefronts_mem_shared.sum smsp__inst_executed_op_shared_atom.sum smsp__inst_executed.sum ;;
    atomg) printf 'l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum\n' red atom; printf 'l1tex__t_requests_pipe_lsu_mem_global_op_%s.sum\n' red atom
        printf 'lts__t_%s_srcunit_tex_op_%s.sum\n' sectors red sectors atom requests red requests atom ;;
    ldc) printf '%s\n' idc__requests.sum smsp__inst_executed_pipe_adu.sum smsp__inst_executed_op_ldc.sum smsp__inst_issued.sum idc__request_cycles_active.sum ;;
    ldg) printf 'l1tex__t_%s_pipe_lsu_mem_global_op_%s.sum\n' requests ld sectors ld requests st sectors st requests ldgsts sectors ldgsts
        printf '%s\n' l1tex__data_pipe_lsu_wavefronts_mem_lg.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum ;;
    esac
}
record_patterns() { # GROUP
    local metrics part=0
    metrics=$(pattern_metrics "$1" | keep_known)
    python3 "$here/patterns.py" list "$1" > "$work/list"
    split -l 400 -d "$work/list" "$work/list."
    : > "$work/table.$1"
    for part in "$work"/list.[0-9]*; do
        [ $SECONDS -lt "$most" ] || break
        NCU_OPTIONS="--clock-control none --cache-control none" profile "$metrics" "$work/table.$1" "$work/hw_patterns" "$work/patterns.ptx" "$part" || break
        echo "$1: $part after $SECONDS s"
        cat "$part" >> "$work/done.$1"
    done
    # shellcheck disable=SC2046
    python3 "$here/patterns.py" join "$work/done.$1" "$work/table.$1" $(pattern_metrics "$1") > "$out/patterns.$1.txt"
    rm -f "$work"/list.[0-9]*
}
python3 "$here/patterns.py" ptx > "$work/patterns.ptx"
for part in "$@"; do
    if [ "$part" = cases ]; then record_cases; else record_patterns "$part"; fi || echo "$part: failed" >&2
done
wc -l "$out"/*
