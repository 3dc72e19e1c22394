#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check says how the address of a wrong access came about, what was written, and which line launched the kernel; the same
# at any number of threads. usage: explain.sh BUILD
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
softwarp=$1/bin/softwarp
cases=0
must "$softwarp" cc -O2 -g -lineinfo -arch=sm_80 -o "$work/explain" "$here/explain.cu"
cp "$here/explain.cu" "$work"
have_lines=$(command -v addr2line || true)
tab=$(printf '\t')
grep -v '^#' "$here/explain.tsv" > "$work/cases"
while IFS=$tab read -r name tool wanted; do
    cases=$((cases + 1))
    expect 4 '' env SOFTWARP_THREADS=3 "$softwarp" check --tool "$tool" "$work/explain" "$name"
    cp "$work/out" "$work/three"
    expect 4 '' env SOFTWARP_THREADS=1 "$softwarp" check --tool "$tool" "$work/explain" "$name"
    cmp -s "$work/three" "$work/out" || fail "$name: another report with three threads"
    launch=$(grep -n "\"$name\") == 0) $name<<<\|LAUNCH $name\>" "$here/explain.cu" | cut -d: -f1)
    [ -z "$have_lines" ] && launch='explain\+0x[0-9a-f]+' || launch="explain.cu:$launch"
    line=$(grep -n "LINE $name\>" "$here/explain.cu" | cut -d: -f1)
    printf '%s\n' "$wanted" | tr ';' '\n' | sed "s,LAUNCH,$launch,; s,LINE,$line," > "$work/wanted"
    while read -r pattern; do
        grep -Eq "^=========     +$pattern\$" "$work/out" || fail "$name: no line '$pattern'"
    done < "$work/wanted"
done < "$work/cases"
[ "$cases" -ge 12 ] || fail "$cases cases"

# Where the source cannot be read, parameters have numbers.
mv "$work/explain.cu" "$work/elsewhere.cu"
must "$softwarp" cc -O2 -g -lineinfo -arch=sm_80 -o "$work/moved" "$work/elsewhere.cu"
rm "$work/elsewhere.cu"
expect 4 'Address: parameter 3 + 4 \* index = ' "$softwarp" check "$work/moved" gather
says out 'from the address parameter 2 \+ 4 \* \(blockIdx.x \* blockDim.x \+ threadIdx.x\)$'
expect 4 '地址：参数 3 + 4 \* index = ' "$softwarp" check --lang zh "$work/moved" gather

# JSON and SARIF have the same.
expect 4 '"formula": {"address": "table + 4 \* index", ' "$softwarp" check --json - "$work/explain" gather
says out '"index": "loaded", "value": "123456", "terms": \[\{"kind": "loaded", "name": "loaded", "value": "123456", "at": "explain.cu:[0-9]+", "source": "order '
says out '"launch": \{"call": "cudaLaunchKernel", "caller": ".*", "function": "main"\}'
[ -z "$have_lines" ] || expect 4 'the kernel was launched here' "$softwarp" check --sarif - "$work/explain" gather
echo "$cases cases"
exit $failed
