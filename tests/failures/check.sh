#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD   What users see when something goes wrong: messages, exit codes, and that the rest goes on.
set -u
softwarp=$1/bin/softwarp
program=$1/tests/misbehave
. "$(dirname "$0")/../support/script.sh"

expect 0 '' timeout 600 "$softwarp" run "$program" fine
says out 'read: CUDA_SUCCESS 42'

expect 0 '' timeout 600 "$softwarp" run "$program" oom
says out 'too much: CUDA_ERROR_OUT_OF_MEMORY'
says out 'fine synchronize: CUDA_SUCCESS'

expect 0 '' timeout 600 "$softwarp" run "$program" illegal
says out 'store_at synchronize: CUDA_ERROR_ILLEGAL_ADDRESS'
says out 'after: CUDA_ERROR_ILLEGAL_ADDRESS'
says err '==SOFTWARP== .*store_at.*0x[0-9a-f]+'

expect 0 '' timeout 600 "$softwarp" run "$program" null
says out 'synchronize: CUDA_ERROR_ILLEGAL_ADDRESS'

expect 0 '' timeout 600 "$softwarp" run "$program" trap
says out 'synchronize: CUDA_ERROR_(LAUNCH_FAILED|ILLEGAL_INSTRUCTION)'

expect 3 '' timeout 600 "$softwarp" run "$program" unsupported
says out 'fine synchronize: CUDA_SUCCESS'
says out 'read: CUDA_SUCCESS 42'
says err '==SOFTWARP== .*frobnicate'
says err 'unknown'

expect 0 '' timeout 600 "$softwarp" run "$program" broken "$(dirname "$0")/broken.ptx"
says out 'load: CUDA_ERROR_INVALID_PTX'
says err '9:5: .*add.f32.*%rd1'

expect 2 '' timeout 600 "$softwarp" run --device nosuchgpu "$program" fine
says err 'nosuchgpu'
says err 'h200'

expect 9 '' timeout 600 env SOFTWARP_APPROX=quick "$softwarp" run "$program" fine
says err "SOFTWARP_APPROX is 'quick'; use exact or fast"

# The object cache: found again, and apart for code that is compiled otherwise
export CUDA_CACHE_PATH=$work/cache
cases="SOFTWARP_APPROX=exact:1 SOFTWARP_APPROX=exact:1 SOFTWARP_APPROX=fast:2 SOFTWARP_APPROX=fast:2"
[ "$(od -An -tx1 -j18 -N1 "$softwarp" | tr -d ' ')" = b7 ] || cases="$cases SOFTWARP_ISA=sse2:3" # b7: ELF's number of AArch64
for options in $cases; do
    expect 0 '' timeout 600 env "${options%:*}" "$softwarp" run "$program" fine
    kept=$(find "$CUDA_CACHE_PATH" -type f | wc -l)
    [ "$kept" = "${options#*:}" ] || fail "object cache: $kept objects after ${options%:*}, not ${options#*:}"
done
unset CUDA_CACHE_PATH

expect 2 '' timeout 600 "$softwarp" run "$work/no-such-program"
says err 'no-such-program'

expect 2 '' timeout 600 "$softwarp" run --no-such-option "$program"
says err '--no-such-option'

expect 2 '' timeout 600 "$softwarp" profile --metrics no_such_metric "$program" fine
says err 'no_such_metric'

# A kernel that never ends: an interrupt ends the program as it would any other (128 + SIGINT).
# (A background job of a script ignores SIGINT; env undoes that.)
env --default-signal=INT "$softwarp" run "$program" forever > "$work/out" 2> "$work/err" &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.3
    grep -q 'forever launch' "$work/out" && break
done
kill -INT "$pid"
( sleep 20; kill -KILL "$pid" ) > /dev/null 2>&1 &
killer=$!
wait "$pid"
got=$?
kill "$killer" 2> /dev/null
[ "$got" = 130 ] || fail "interrupt: exit code $got, expected 130"
pgrep -f "$program forever" > /dev/null && { fail "interrupt: the program still runs"; pkill -KILL -f "$program forever"; }

[ $failed = 0 ] && echo "every failure has its message and exit code"
exit $failed
