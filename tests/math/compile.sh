#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compile.sh COMPILER VARIANT SOURCE PTX      COMPILER: nvcc or 'softwarp cc'; both understand the same options.
set -eu
case $2 in
precise) flags= ;;
nofma) flags=-fmad=false ;;
rough) flags='-ftz=true -prec-div=false -prec-sqrt=false' ;;
fast) flags=-use_fast_math ;;
*) exit 2 ;;
esac
case $1 in
*nvcc) flags="$flags -diag-suppress 177,550 -gencode arch=compute_90,code=compute_90" ;;
*) flags="$flags -arch=sm_90" ;;
esac
# shellcheck disable=SC2086
$1 -std=c++17 $flags -ptx "$3" -o "$4"
