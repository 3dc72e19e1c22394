#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh FOLDER      On a machine with a GPU: what nvidia-smi prints, what the management library answers
# (nvml_answers), and what the driver answers about shared memory and devices (tests/driver/sharing_answers). Into FOLDER.
set -u
out=$1
. "$(dirname "$0")/../support/script.sh"
include=${INCLUDE:-$here/../../cuda/include}
cuda=${CUDA_HOME:-/usr/local/cuda}
head=$(recorded_by tests/nvml/record.sh)
cc -std=gnu17 -I "$include" -o "$out/nvml_answers" "$here/nvml_answers.c" -ldl
cc -std=gnu17 -w -I "$include" -o "$out/sharing_answers" "$here/../driver/sharing_answers.c" -L "$cuda/lib64/stubs" -lcuda
{ echo "$head"; timeout 60 "$out/nvml_answers"; } > "$out/nvml_answers.txt" 2>&1
{ echo "$head"; timeout 120 "$out/sharing_answers"; } > "$out/sharing_answers.txt" 2>&1
say() {
    echo "== nvidia-smi $*"
    timeout 20 nvidia-smi "$@" 2>&1
    echo "-- $?"
}
{
    echo "$head"
    say -L
    fields=$(nvidia-smi --help-query-gpu | grep -oE '^"[^" ]+"' | tr -d '"' | paste -sd,)
    other=$(nvidia-smi --help-query-gpu | sed -nE 's/^"[^" ]+" or "([^" ]+)".*/\1/p' | paste -sd,)
    say -i 0 --query-gpu="$fields" --format=csv
    say -i 0 --query-gpu="$fields" --format=csv,nounits,noheader
    say -i 0 --query-gpu="$other" --format=csv
    say --query-gpu=index,name,memory.total --format=csv
    say --query-gpu=index,name,memory.total --format=csv,noheader,nounits
    say --query-gpu=index,nonsense --format=csv
    say --query-gpu=name
    say --query-gpu=name --format=nonsense
    say -i 9 --query-gpu=name --format=csv
    say -i nonsense --query-gpu=name --format=csv
    say -i 9 -L
    say --nonsense
    say --query-compute-apps=pid,process_name,used_memory --format=csv
    "$out/sharing_answers" hold-child > /dev/null &
    sleep 2.5
    say --query-compute-apps=pid,process_name,used_memory,gpu_uuid,gpu_name,gpu_bus_id,gpu_serial,name,used_gpu_memory --format=csv
    say --query-compute-apps=pid,used_memory --format=csv,noheader,nounits
    say
    say -q -d PIDS -i 0
    wait
    say -q -i 0
    for section in MEMORY UTILIZATION ECC TEMPERATURE POWER CLOCK COMPUTE PERFORMANCE ROW_REMAPPER PAGE_RETIREMENT ACCOUNTING NONSENSE; do
        say -q -i 0 -d "$section"
    done
    say -q -d SUPPORTED_CLOCKS -i 0
    say topo -m
    say --version
} > "$out/nvidia_smi.txt" 2>&1
rm -f "$out/nvml_answers" "$out/sharing_answers"
