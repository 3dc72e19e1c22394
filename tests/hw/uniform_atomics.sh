#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: uniform_atomics.sh BUILD GPU cc|nvcc   Counters of atomics at addresses that a warp has in common, beside those that
# record_uniform_atomics.sh recorded.
set -eu
build=$1
gpu=$2
. "$(dirname "$0")/../support/script.sh"
if [ "$3" = cc ]; then must "$build/bin/softwarp" cc -std=c++17 -o "$work/atomics" "$here/uniform_atomics.cu"; else
    must "$SW_NVCC" -w -arch=sm_90 -cudart shared -o "$work/atomics" "$here/uniform_atomics.cu"; fi
must "$build/bin/softwarp" profile --device "$gpu" --set full --csv --page raw -o "$work/ours.csv" "$work/atomics"
python3 "$here/compare.py" "$here/$gpu/uniform_atomics.csv" "$work/ours.csv" "$here/uniform_atomics.txt"
