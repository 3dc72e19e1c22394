#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a plain run says of a kernel that faults: one line with the kernel, block, thread, source line, access, and the nearest
# allocation with the line that made it. The program gets CUDA's error. profile has no advice for it. usage: fault.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
must "$softwarp" cc -O2 -g -lineinfo -o "$work/fault" "$here/fault.cu"
have_lines=$(command -v addr2line || true)
line_of() { grep -n "$1 $2\>" "$here/fault.cu" | cut -d: -f1; }
# said CASE PATTERN...: one line on standard error, with these patterns
said() {
    name=$1
    shift
    for how in 1 3; do
        SOFTWARP_THREADS=$how "$softwarp" run "$work/fault" "$name" > "$work/out" 2> "$work/err" || fail "$name: exit status"
        grep -Eq '^cudaError(IllegalAddress|MisalignedAddress)$' "$work/out" || fail "$name: CUDA's error"
        [ "$(wc -l < "$work/err")" = 1 ] || fail "$name: not one line"
        for pattern in "$@"; do grep -Eq "$pattern" "$work/err" || fail "$name: no '$pattern' in $(cat "$work/err")"; done
    done
}
near="the nearest allocation, 0x[0-9a-f]+ of 4000 bytes, made at"
[ -z "$have_lines" ] && made='fault\+0x[0-9a-f]+' || made="fault.cu:$(line_of MADE scatter)"
check="; run 'softwarp check PROGRAM' for all errors\$"
said scatter "^==SOFTWARP== scatter\(int\*, int const\*, int\): illegal address 0x[0-9a-f]+ in block \(3,0,0\), warp 0, thread \(9,0,0\): fault.cu:$(line_of FAULT scatter) \(PTX line [0-9]+\) writes 4 bytes; 396000 bytes past the end of $near $made$check"
said gather "in block \(0,0,0\), warp 1, thread \(3,5,0\): fault.cu:$(line_of FAULT gather) \(PTX line [0-9]+\) reads 8 bytes; 796000 bytes past the end of $near $made$check"
said misaligned "misaligned address 0x[0-9a-f]+ in block \(0,0,0\), warp 0, thread \(9,0,0\): fault.cu:$(line_of FAULT misaligned) .*accesses 4 bytes.*$check"
said talks "thread \(1,0,0\): fault.cu:$(line_of FAULT talks) .*$near $made$check"
[ "$(grep -c '^thread' "$work/out")" = 2 ] || fail 'talks: the kernel prints twice'
# without the thread: found out in another way than it failed
said stays "in block \(0,0,0\), warp 0; 39[0-9]+ bytes past the end of $near $made$check"
said changes "in block \(0,0,0\), warp 0; 39[0-9]+ bytes past the end of $near $made$check"

"$work/fault" scatter > "$work/out" 2> "$work/err" || fail 'without softwarp: exit status'
grep -q 'thread (9,0,0): fault.cu' "$work/err" || fail "without softwarp: $(cat "$work/err")"
must "$softwarp" profile "$work/fault" scatter
grep -q 'This launch failed' "$work/out" || fail 'profile: the launch did not fail'
grep -Eq '^ +(High|Medium|Low): ' "$work/out" && fail 'profile: advice for a launch that failed'
must "$softwarp" profile --page advice "$work/fault" scatter
grep -q 'No advice for a launch that failed' "$work/out" || fail 'profile: the page of advice'
exit $failed
