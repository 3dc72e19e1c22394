#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record what compute-sanitizer says of the planted bugs of tests/check, on a machine with a GPU, nvcc and compute-sanitizer.
# usage: tests/hw/sanitizer/record.sh OUTDIR [FILE...]     FILE: memcheck racecheck_shared ... (all)
# Every case, fault and fine, under every tool, at most LIMIT_S (30) seconds each, JOBS (12) at a time. A tool that has not ended by
# then is killed. Writes OUTDIR/logs.tar.gz (a log for each run), findings.tsv (findings.py), messages.txt (messages.py), hazards.txt,
# slowdown.tsv (slowdown.sh) and machine.txt. A quarter of an hour with 16 processors. PARTS="findings hazards slowdown": some of them
# alone. TOOLS="own others padded": some of the tool of the row, the other tools, and memcheck with padding behind allocations and
# the order of streams in pools (memcheck-padded). CASES=FILE: only these, a line each: file and case (unrecorded.txt is such a
# list). findings.py makes one table of several folders of logs.
set -u
out=$1
shift
. "$(dirname "$0")/../../support/script.sh"
check=$here/../../check
[ $# -gt 0 ] || set -- $(python3 "$here/findings.py" files)
mkdir -p "$out" "$work/logs"
export work LIMIT_S=${LIMIT_S:-30}
{ describe_machine; compute-sanitizer --version | tail -2; } > "$out/machine.txt"

# FILE CASE VARIANT TOOL [OPTIONS]: one log, whose last line is the exit status and the milliseconds
one()
{
    local file=$1 name=$2 variant=$3 tool=$4 begun log status=0
    log="$work/logs/$file.$name.$variant.$tool"
    shift 4
    if [ "$tool" = memcheck-padded ]; then tool=memcheck && set -- --padding 256 --track-stream-ordered-races all; fi
    begun=$(date +%s%N)
    ( cd "$work" && timeout -s KILL "$LIMIT_S" compute-sanitizer --tool "$tool" --print-limit 20 "$@" "./$file" "$name" "$variant" ) > "$log" 2>&1 || status=$?
    echo "@ $status $((($(date +%s%N) - begun) / 1000000))" >> "$log"
}
export -f one

# Of runs, those of the cases that CASES names, if it does.
chosen()
{
    if [ -z "${CASES:-}" ]; then cat; else awk 'NR == FNR { wanted[$1, $2] = 1; next } ($1, $2) in wanted' "$CASES" -; fi
}

findings()
{
    local file pids=""
    for file in "$@"; do
        nvcc -O2 -std=c++17 -arch=native -lineinfo -Xcompiler -g -cudart shared -o "$work/$file" "$check/$file.cu" &
        pids="$pids $!"
    done
    wait $pids
    # the tool of the row first, with the row's options
    for file in "$@"; do
        grep -v '^#' "$check/$file.tsv" | while IFS=$'\t' read -r name tool _; do
            [ "$file" != memcheck ] || tool=memcheck # the second column of memcheck.tsv is another
            for variant in fault fine; do
                case " ${TOOLS:-own others padded} " in *" own "*) echo "0 $file $name $variant $tool" ;; esac
                case " ${TOOLS:-own others padded} " in *" padded "*) echo "1 $file $name $variant memcheck-padded" ;; esac
                case " ${TOOLS:-own others padded} " in *" others "*)
                    for other in memcheck racecheck initcheck synccheck; do
                        [ "$other" = "${tool%% *}" ] || echo "2 $file $name $variant $other"
                    done
                    ;;
                esac
            done
        done
    done | sort -s -k1,1 | cut -d' ' -f2- | chosen > "$work/runs"
    xargs -P "${JOBS:-12}" -I{} bash -c 'one {}' < "$work/runs"
    tar -C "$work" -czf "$out/logs.tar.gz" logs
    python3 "$here/findings.py" "$work/logs" > "$out/findings.tsv"
    python3 "$here/messages.py" "$work/logs" > "$out/messages.txt"
    wc -l "$work/runs" "$out/findings.tsv"
}
# What racecheck prints of each hazard, where it is asked for more than its analysis.
hazards()
{
    nvcc -O2 -std=c++17 -arch=native -lineinfo -Xcompiler -g -cudart shared -o "$work/hazards" "$check/racecheck_shared.cu"
    for report in hazard all; do
        for name in raw war waw atomic_read async_own; do
            echo "# $name fault, --racecheck-report $report"
            timeout -s KILL "$LIMIT_S" compute-sanitizer --tool racecheck --racecheck-report $report --print-limit 3 "$work/hazards" $name fault 2>&1
        done
    done
}
for part in ${PARTS:-findings hazards slowdown}; do
    case $part in
    slowdown) "$here/slowdown.sh" > "$out/slowdown.tsv" ;;
    hazards) hazards > "$out/hazards.txt" ;;
    *) findings "$@" ;;
    esac
done
