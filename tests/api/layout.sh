#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: layout.sh CC layout.c OUR_HEADERS TOOLKIT WORK_DIR      Sizes, offsets and constants of our headers equal those of
# NVIDIA's. Exit status 77: no toolkit to compare with.
set -eu
cc=$1 program=$2 ours=$3 toolkit=$4 work=$5
[ -f "$toolkit/include/cuda_runtime_api.h" ] || skip "no cuda_runtime_api.h in $toolkit/include"
"$cc" -I"$ours" "$program" -o "$work/layout_ours"
"$cc" -Wno-deprecated-declarations -I"$toolkit/include" "$program" -o "$work/layout_theirs"
"$work/layout_ours" > "$work/layout_ours.txt"
"$work/layout_theirs" > "$work/layout_theirs.txt"
diff -u "$work/layout_theirs.txt" "$work/layout_ours.txt"
