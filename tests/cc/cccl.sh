#!/bin/sh
# cccl.sh SOFTWARP FILE.cu: compile with the headers of CCCL, where there are any, and run.
set -eu
. "$(dirname "$0")/../support/script.sh"
headers=
for folder in "${SOFTWARP_CCCL:-}" /usr/local/cuda/include/cccl /usr/include/cccl; do
    [ -n "$folder" ] && [ -e "$folder/thrust/sort.h" ] && headers=$folder && break
done
[ -n "$headers" ] || skip "no headers of CCCL: SOFTWARP_CCCL=<folder>"
"$1" cc -arch=sm_90 -std=c++17 -I"$headers" "$2" -o "$work/program"
"$work/program"
