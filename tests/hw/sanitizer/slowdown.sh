#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What each tool of compute-sanitizer costs on bench/'s kernels: times in ms, and the multiple of the time without a tool.
# usage: slowdown.sh > slowdown.tsv   On a machine with a GPU, nvcc and compute-sanitizer. ROW_S (25): seconds for each row of
# racecheck, which takes its rows one by one; a row that has not ended by then stays empty.
set -u
. "$(dirname "$0")/../../support/script.sh"
nvcc -O2 -std=c++17 -arch=native -lineinfo -o "$work/slowdown" "$here/slowdown.cu" || exit 1
"$work/slowdown" 21 > "$work/none"
for tool in memcheck initcheck synccheck; do
    timeout -s KILL 100 compute-sanitizer --tool $tool "$work/slowdown" 3 2>&1 | grep -v '^=====' > "$work/$tool"
done
for number in $(seq 0 $(($(wc -l < "$work/none") - 1))); do
    timeout -s KILL "${ROW_S:-25}" compute-sanitizer --tool racecheck "$work/slowdown" 1 "$number" 2>&1 | grep -v '^=====' >> "$work/racecheck"
done
printf '# kernel\tnone_ms'
for tool in memcheck initcheck synccheck racecheck; do printf '\t%s_ms\t%s_times' $tool $tool; done
echo
cd "$work" && awk -F'\t' '
    { time[FILENAME, $1] = $2 }
    FILENAME == "none" { rows[++count] = $1 }
    END {
        tools = split("memcheck initcheck synccheck racecheck", tool, " ")
        for (i = 1; i <= count; i++) {
            line = rows[i] "\t" time["none", rows[i]]
            for (k = 1; k <= tools; k++) {
                t = time[tool[k], rows[i]]
                line = line "\t" t "\t" (t == "" ? "" : sprintf("%.1f", t / time["none", rows[i]]))
            }
            print line
        }
    }' none memcheck initcheck synccheck racecheck
