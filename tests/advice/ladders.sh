#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The guides' ladders of optimisation: what is said of each step's kernel (ladders.tsv). A step takes away the finding that it
# is for, and nothing comes back. usage: ladders.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2
. "$(dirname "$0")/../support/script.sh"
tab=$(printf '\t')
while IFS="$tab" read -r example args want; do
    case $example in '' | '#'*) continue ;; esac
    [ -x "$work/$example" ] || "$build/bin/softwarp" cc -o "$work/$example" "$source/examples/$example.cu" || exit 1
    # shellcheck disable=SC2086
    "$build/bin/softwarp" profile --lang en --page advice --csv -o "$work/out.csv" "$work/$example" $args > "$work/out" 2>&1 ||
        die "$example $args"
    got=$(python3 -c 'import csv, sys
print(" ".join(sorted({row["Rule"] for row in csv.DictReader(open(sys.argv[1])) if row["Kernel Name"] != "host"})) or "-")' "$work/out.csv")
    [ "$got" = "$want" ] || fail "$example $args: '$got' is said, not '$want'"
done < "$source/tests/advice/ladders.tsv"
exit $failed
