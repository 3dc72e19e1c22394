#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every rule of the table has a pair: RULE.cu, whose kernel has the fault or has it not ("fault", "fine"). The rule speaks of
# the one and is silent about the other; RULE.CASE.cu is a further pair of the rule. What else may be said of the one without the fault stands in the file: "// also: RULE".
# SW_SHARE=K/N: every Nth pair, from the Kth on; the two compilers have different ones.
# usage: pairs.sh BUILD SOURCE-TREE cc|nvcc
set -u
build=$1
source=$2
compiler=$3
. "$(dirname "$0")/../support/script.sh"

compile() # FILE OUTPUT
{
    if [ "$compiler" = cc ]; then "$build/bin/softwarp" cc -o "$2" "$1"; else "$SW_NVCC" -arch=sm_90 -lineinfo -cudart shared -o "$2" "$1"; fi
}

said() # PROGRAM VARIANT: rules, one a line
{
    device=$(sed -n 's|^// device: ||p' "$source/tests/advice/$1.cu")
    "$build/bin/softwarp" profile --device "${device:-h200}" --lang en --page advice --csv -o "$work/$1.$2.csv" "$work/$1" "$2" 2> "$work/err" ||
        fail "$1 $2: $(cat "$work/err")"
    python3 -c 'import csv, sys; print("\n".join(sorted({row["Rule"] for row in csv.DictReader(open(sys.argv[1]))})))' "$work/$1.$2.csv"
}

rules=$(sed -n 's/^RULE([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$source/src/prof/advice/prof_advice.def")
[ -n "$rules" ] || fail "no rules in the table"
count=0
place=$([ "$compiler" = cc ] && echo 0 || echo 1)
for rule in $rules; do
    [ -f "$source/tests/advice/$rule.cu" ] || fail "rule $rule has no pair: $rule.cu"
    for file in "$source/tests/advice/$rule.cu" "$source/tests/advice/$rule".*.cu; do
        [ -f "$file" ] || continue
        pair=$(basename "$file" .cu)
        place=$((place + 1))
        in_share $place || continue
        if [ "$compiler" = nvcc ] && grep -q '^// only: cc' "$file"; then continue; fi
        compile "$file" "$work/$pair" > "$work/err" 2>&1 || { fail "$pair does not compile: $(cat "$work/err")"; continue; }
        said "$pair" fault > "$work/fault"
        said "$pair" fine > "$work/fine"
        grep -qx "$rule" "$work/fault" || fail "$pair: silent about the fault; said: $(tr '\n' ' ' < "$work/fault")"
        for other in $(cat "$work/fine"); do
            grep -qx "// also: $other" "$file" || fail "$pair: of the kernel without the fault it is said: $other"
        done
        count=$((count + 1))
    done
done
echo "$count pairs, built by $compiler"
exit $failed
