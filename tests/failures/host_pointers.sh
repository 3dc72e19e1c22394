#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: host_pointers.sh SOFTWARP FILE.cu [OPTION...]   A kernel that accesses host memory through a parameter fails as
# on a GPU without pageable memory access: error 700 when the host next waits, and a line that says what to do.
set -u
softwarp=$1 source=$2
shift 2
. "$(dirname "$0")/../support/script.sh"
"$softwarp" cc -rdc=true "$@" "$source" -o "$work/program" || exit 1

"$work/program" right > "$work/out" 2> "$work/err" && grep -qx ok "$work/out" || fail right
[ -s "$work/err" ] && fail "right: there is something on stderr"

fails() { # fails CASE KERNEL WHAT : the answers, and the kernel and what the memory is in the message
    "$work/program" "$1" > "$work/out" 2> "$work/err"
    printf 'launch: cudaSuccess\nsynchronize: cudaErrorIllegalAddress\nafter: cudaErrorIllegalAddress\n' |
        cmp -s - "$work/out" || fail "$1: not the answers of a GPU"
    says err "$2"
    says err "$3"
}
advice='use cudaMalloc and cudaMemcpy, or cudaMallocManaged'
fails malloc 'fill\(int ?\*, int\)' "host_pointers.cu:$(grep -n '^__global__ void fill(' "$source" | cut -d: -f1) .*writes host memory.*parameter 1.*malloc.*$advice"
fails offset fill "parameter 1.*malloc.*$advice"
fails stack fill "writes host memory.*parameter 1.*stack.*$advice"
fails global fill "parameter 1.*variable.*$advice"
fails read sum "reads host memory.*parameter 1.*$advice"
fails atomic bump "parameter 1.*$advice"
fails struct scale "parameter 1, at byte 8.*$advice"
fails wide fill_wide "parameter 1, at byte 600.*$advice"
fails condition fill_maybe "parameter 2.*$advice"
fails iterators fill_to "parameter 1.*$advice"
fails mixed mixed "parameter 1.*$advice"
fails large fill "parameter 1.*malloc.*$advice"
fails cooperative together "parameter 1.*$advice"
fails graph fill "parameter 1.*$advice"
fails child fill_maybe "parameter 2.*$advice"
fails freed fill 'illegal address'
fails unregistered fill "parameter 1.*malloc.*$advice"

"$softwarp" profile "$work/program" malloc > "$work/out" 2> "$work/err"
grep -qx 'synchronize: cudaErrorIllegalAddress' "$work/out" && grep -q 'writes host memory' "$work/err" ||
    fail "profile: it does not fail"

[ $failed = 0 ] && echo "host memory is out of reach of kernels"
exit $failed
