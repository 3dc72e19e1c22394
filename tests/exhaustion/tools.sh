#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: tools.sh SOFTWARP STEPS INJECT     Calls of the C library fail one at a time, and all from one on, in either process of
# softwarp profile, check and trace (EXHAUST_POINTS of each kind: 2). Each command ends in 20 s, by itself, right or with a
# message or an error of CUDA's; nothing is left in the temporary folder after the next command, which is right.
softwarp=$1 steps=$2 inject=$3 points=${EXHAUST_POINTS:-2}
. "$(dirname "$0")/../support/script.sh"
enter_work
mkdir tmp
export TMPDIR="$work/tmp"
inject_kinds="1 2 4 8 16" # enum inject_kind, exhaust_inject.h

injected() # PROCESS KIND AT ON COMMAND...
{
    INJECT_PROGRAM=$1 INJECT_KINDS=$2 INJECT_AT=$3 INJECT_ON=$4 LD_PRELOAD=$inject timeout -s KILL 20 "${@:5}" \
        > out 2> err < /dev/null
}

attack() # PROCESS KIND ON COMMAND...
{
    rm -f count
    INJECT_COUNT=$work/count injected "$1" "$2" 0 0 "${@:4}"
    calls=$(cat count 2> /dev/null || echo 0)
    stride=$(((calls + points - 1) / points))
    for ((at = 1, place = 0; at <= calls; at += stride, place++)); do
        in_share $place || continue
        injected "$1" "$2" "$at" "$3" "${@:4}"
        status=$?
        made=$((made + 1))
        [ $status -lt 128 ] || fail "$* at call $at: status $status"
        [ $status = 0 ] || grep -q '==SOFTWARP==' err || grep -Eq ' gives (2|304)$' out ||
            fail "$* at call $at: status $status without a message"
    done
}

made=0
"$softwarp" run "$steps" > /dev/null || die "the program"
for tool in "profile --page raw --csv" check "trace -o t.json"; do
    for process in softwarp "$(basename "$steps")"; do
        for kind in $inject_kinds; do
            for on in 0 1; do
                # shellcheck disable=SC2086 # words of the command
                attack "$process" "$kind" "$on" "$softwarp" $tool "$steps"
            done
        done
    done
    # shellcheck disable=SC2086
    expect 0 . "$softwarp" $tool "$steps"
    [ -z "$(ls -A tmp)" ] || fail "left in the temporary folder: $(ls -A tmp)"
done
[ $made -ge 20 ] || fail "only $made failures were made"
[ $failed = 0 ] && echo "ok: $made failures, none of them deadly"
exit $failed
