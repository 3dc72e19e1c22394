#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh [PATTERN]      Runs the programs of SOFTWARP_LIST (default programs.list beside this script) that match PATTERN
# (extended regular expression, default all), from the folder SOFTWARP_PROGRAMS, with the libraries of SOFTWARP_LIB, each for
# at most SOFTWARP_TIMEOUT seconds (default 60). One line a program: PASS, FAIL with the reason, or MISSING. Exit status: 0 all passed, 1 some failed, 77
# there is no folder or no program. With SOFTWARP_LOGS set, output is kept there; with SOFTWARP_INTERPOSE naming the library made of interpose.c,
# what the programs read back from the device too. With SOFTWARP_PROFILE naming the softwarp command, each runs under its `profile`, which
# must write a report ($SOFTWARP_LOGS/*.report). With SOFTWARP_TIMES naming a file, each one's seconds of processor time go to its end. Runs on a
# GPU as well, with SOFTWARP_LIB empty.
set -u
here=$(dirname "$(readlink -f "$0")")
programs=${SOFTWARP_PROGRAMS:-}
[ -n "$programs" ] && [ -d "$programs" ] || { echo "SOFTWARP_PROGRAMS names no folder"; exit 77; }
work=${SOFTWARP_LOGS:-$(mktemp -d)}
mkdir -p "$work"
ran=0 failed=0

judge() { # status, log, must match, must not match
    if [ "$1" = 124 ]; then echo "ran over the time limit"
    elif [ "$1" != 0 ]; then echo "exit status $1"
    elif grep -Eq '^==SOFTWARP==.*(unsupported|not supported)' "$2.err"; then echo "refused"
    elif [ "${3#md5:}" != "$3" ]; then [ "$(md5sum < "$2.out")" = "${3#md5:}  -" ] || echo "prints something else"
    elif [ "$3" != - ] && ! tr '\n\000' '  ' < "$2.out" | grep -Eq -- "$3"; then echo "output lacks '$3'"
    elif [ "$4" != - ] && tr '\n\000' '  ' < "$2.out" | grep -Eq -- "$4"; then echo "output has '$4'"
    fi
}

seconds() { # what `times` printed: its second line is of the children, user and system
    sed -n 2p "$1" | tr 'ms' '  ' | awk '{ printf "%.2f", 60 * $1 + $2 + 60 * $3 + $4 }'
}

run_one() { # suite, program, arguments, must match, must not match
    program=$programs/$1/$2
    if [ ! -x "$program" ]; then echo "MISSING $1/$2"; return; fi
    ran=$((ran + 1))
    log=$work/$(echo "$1/$2" | tr / _)
    arguments=$3
    [ "$arguments" = - ] && arguments=
    variable=
    case $arguments in [A-Z]*=*) variable=${arguments%% *} arguments=$(echo "${arguments#"$variable"}") ;; esac
    rm -f "$log.results" "$log.report"
    profile=
    [ -n "${SOFTWARP_PROFILE:-}" ] && profile="$SOFTWARP_PROFILE profile -o $log.report --"
    # shellcheck disable=SC2086
    (cd "$(dirname "$program")" && LD_LIBRARY_PATH=${SOFTWARP_LIB:-}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        timeout "${SOFTWARP_TIMEOUT:-60}" env ${SOFTWARP_INTERPOSE:+LD_PRELOAD=$SOFTWARP_INTERPOSE RESULTS_FILE=$log.results} $variable $profile "./$(basename "$program")" $arguments > "$log.out" 2> "$log.err" < /dev/null
     status=$?
     times > "$log.times"
     exit $status)
    reason=$(judge $? "$log" "$4" "$5")
    [ -z "${SOFTWARP_TIMES:-}" ] || printf '%s\t%s\n' "$1/$2" "$(seconds "$log.times")" >> "$SOFTWARP_TIMES"
    [ -n "$reason" ] || [ -z "$profile" ] || [ -s "$log.report" ] || reason="no report"
    if [ -z "$reason" ]; then echo "PASS $1/$2"; return; fi
    failed=$((failed + 1))
    echo "FAIL $1/$2: $reason: $(grep -h SOFTWARP "$log.err" | head -n 1)"
}

tab=$(printf '\t')
while IFS="$tab" read -r suite program arguments match avoid; do
    case $suite in '#'* | '') continue ;; esac
    echo "$suite/$program" | grep -Eq -- "${1:-.}" || continue
    run_one "$suite" "$program" "$arguments" "$match" "$avoid"
done < "${SOFTWARP_LIST:-$here/programs.list}"
[ "$ran" -gt 0 ] || exit 77
echo "$((ran - failed)) of $ran passed"
[ "$failed" = 0 ]
