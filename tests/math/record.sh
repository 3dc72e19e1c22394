#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Record what a GPU computes. usage: tests/math/record.sh OUTDIR      on a machine with a GPU, nvcc and gcc.
# Writes OUTDIR/VARIANT.txt (math_test record) and machine.txt (GPU, driver, toolkit, date).
set -eu
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$1"
include=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")/include
${CC:-gcc} -std=gnu17 -O2 -D_GNU_SOURCE -ffp-contract=off -I"$include" -I"$here/../device" -I"$here/../support" -I"$here" "$here/math_test.c" \
    -o "$work/math_test" -L"$include/../lib64/stubs" -lcuda -lm
for variant in precise nofma rough fast; do
    "$here/compile.sh" nvcc "$variant" "$here/math_kernels.cu" "$work/$variant.ptx"
    "$work/math_test" record "$work/$variant.ptx" "$variant" > "$1/$variant.txt"
done
describe_machine > "$1/machine.txt"
