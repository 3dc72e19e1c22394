#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: messages.sh CONFORM_TEST     What a kernel is told that accesses memory which its device was not given: kernel, PTX line,
# address, whose memory it is, and what to call.
program=$1
. "$(dirname "$0")/../support/script.sh"
said() { # part, pattern
    SOFTWARP_DEVICE=h200:2 "$program" "$1" > "$work/out" 2> "$work/err" || die "$1"
    shift
    for pattern in "$@"; do says err "^==SOFTWARP== $pattern"; done
}
at="illegal address 0x[0-9a-f]+ in block \(0,0,0\), warp 0"
said "peers: kernels" \
    "store: $at, thread \(0,0,0\): PTX line [0-9]+ writes memory of device 1; call cudaDeviceEnablePeerAccess\(1, 0\) or cuCtxEnablePeerAccess on device 0" \
    "one_lane: $at, thread \(5,0,0\): PTX line [0-9]+ reads memory of device 1" \
    "bulk_load: $at: PTX line [0-9]+ reads memory of device 1" \
    "load: $at, thread \(0,0,0\): PTX line [0-9]+ reads a variable of a module on device 0, which no other device can access"
said "peers: pools" "load: $at.* reads a pool's memory of device 1; call cudaMemPoolSetAccess or cuMemPoolSetAccess for device 0"
said "peers: mappings" "store: $at.* writes a mapping of device 1's memory; call cuMemSetAccess to let device 0 do so" \
    "load: $at; inside the mapping 0x[0-9a-f]+ of 2097152 bytes, whose access flags do not allow it; call cuMemSetAccess"
exit $failed
