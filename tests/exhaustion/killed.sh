#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: killed.sh SOFTWARP STEPS     Either process of softwarp profile, check and trace is killed (-9), or told to end, at moments
# spread over a second (EXHAUST_TIMES of each: 2). The command ends, and so does the program; the next command is right, and
# after it nothing is left in the temporary folder, the runtime folder, /dev/shm and the cache.
softwarp=$1 steps=$2 times=${EXHAUST_TIMES:-2}
. "$(dirname "$0")/../support/script.sh"
enter_work
mkdir tmp
export TMPDIR="$work/tmp" SOFTWARP_RUNTIME_DIR="$work/runtime"
"$softwarp" run "$steps" > /dev/null || die "the program"
find runtime | sort > runtime.before

gone() # PROCESS: within 20 s
{
    for ((i = 0; i < 200; i++)); do
        kill -0 "$1" 2> /dev/null || return 0
        sleep 0.1
    done
    kill -9 "$1"
    return 1
}

attack() # VICTIM SIGNAL DELAY COMMAND...
{
    "${@:4}" "$steps" 300 > out 2> err < /dev/null &
    command=$!
    sleep "$3"
    program=$(ps -o pid= --ppid $command | head -1 | tr -d ' ')
    victim=$command
    [ "$1" = command ] || victim=$program
    [ -z "$victim" ] || kill "-$2" "$victim" 2> /dev/null && hit=$((hit + 1))
    gone $command || fail "$* hangs"
    wait $command 2> /dev/null
    [ -z "$program" ] || gone "$program" || fail "$*: the program goes on"
    [ "$("$softwarp" run "$steps" 2>&1)" = right ] || fail "$*: the next run"
    [ -z "$(ls -A tmp)" ] || fail "$*: left in the temporary folder: $(ls -A tmp)"
    find runtime | sort | cmp -s - runtime.before || fail "$*: left in the runtime folder: $(find runtime)"
    [ -z "$(find cache -name '*.o.*')" ] || fail "$*: left in the cache: $(find cache -name '*.o.*')"
}

hit=0
awk -v n="$times" 'BEGIN { srand(11); for (i = 0; i < n; i++) printf "%.3f\n", 0.02 + rand() }' > delays
for tool in "profile" "check" "trace -o t.json"; do
    for victim in command program; do
        for signal in KILL TERM; do
            while read -r delay <&3; do
                # shellcheck disable=SC2086 # words of the command
                attack $victim $signal "$delay" "$softwarp" $tool
            done 3< delays
        done
    done
done
[ $hit -ge $((4 * times)) ] || fail "only $hit processes were there to be killed"
[ $failed = 0 ] && echo "ok: $hit processes killed or ended"
exit $failed
