#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh COMPILER VARIANT MATH_TEST PTX [RECORDING]: compile math_kernels.cu, see that the options have done something,
# measure the errors, and compare with the recording where there is one.
set -eu
. "$(dirname "$0")/../support/script.sh"
"$here/compile.sh" "$1" "$2" "$here/math_kernels.cu" "$4"

has() { # yes or no, pattern
    if grep -qE "$2" "$4"; then found=yes; else found=no; fi
    [ "$found" = "$1" ] || die "$3: '$2' in its PTX: $found"
}
kernel=$work/kernel
expect() { # yes or no, pattern, kernel
    sed -n "/entry k_$3(/,/^}/p" "$ptx" > "$kernel"
    has "$1" "$2" "$variant $3" "$kernel"
}
ptx=$4 variant=$2
case $2 in
precise | nofma)
    expect yes 'div\.rn\.f32' divide
    expect yes 'sqrt\.rn\.f32' sqrtf
    expect no 'sin\.approx' sinf
    ;;
rough)
    expect yes 'div\.full\.ftz\.f32' divide
    expect yes '[^r]sqrt\.approx\.(ftz\.)?f32' sqrtf
    expect no 'sin\.approx' sinf
    ;;
fast)
    expect yes 'div\.approx\.ftz\.f32' divide
    expect yes '[^r]sqrt\.approx\.ftz\.f32' sqrtf
    expect yes 'sin\.approx(\.ftz)?\.f32' sinf
    expect yes 'ex2\.approx(\.ftz)?\.f32' expf
    ;;
esac
"$3" bounds "$4" "$2"
[ $# -lt 5 ] || "$3" compare "$4" "$2" "$5" "$here/differences.txt"
