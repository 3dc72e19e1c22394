#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: recorded_program.sh BUILD SOURCE.cu PROGRAM [OPTIONS...]
# Build PROGRAM with the device code that was recorded: the host code of SOURCE.cu by `softwarp cc`, and SOURCE.ptx, which
# nvcc made (tests/hw/recorded_ptx.sh), in the place of what clang would make of its kernels. So a test that compares with a
# recording runs the same PTX on every machine.
set -eu
build=$1 source=$2 program=$3
shift 3
image=$program.fatbin
"$build/share/softwarp/cuda/sdk/bin/fatbinary" --create "$image" --64 --image=profile=compute_90,file="${source%.cu}.ptx"
"$build/bin/softwarp" cc --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang "$image" "$@" -o "$program" "$source"
