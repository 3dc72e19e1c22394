#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: answers.sh PROGRAM RECORDED DIFFERENCES      What the runtime answers equals what a real H200 answered, line by line,
# but for the lines that DIFFERENCES names with the reason.
set -eu
program=$1 recorded=$2 differences=$3
. "$(dirname "$0")/../support/script.sh"
grep -v '^#' "$recorded" > "$work/theirs"
sed -n 's/^== //p' "$work/theirs" | while read -r part; do
    SOFTWARP_DEVICE=h200 "$program" "$part" || echo "exit status $?"
done > "$work/ours" 2> "$work/errors"
if ! [ "$(wc -l < "$work/ours")" = "$(wc -l < "$work/theirs")" ]; then
    echo "the number of answers differs"
    diff "$work/theirs" "$work/ours"
fi
awk -F '\t' -v ours="$work/ours" '
    FILENAME == ARGV[1] { if ($0 !~ /^#/ && NF > 1) known[$1 "\t" $2] = 1; next }
    {
        getline mine < ours
        if ($0 ~ /^== /) part = substr($0, 4)
        question = $0
        sub(/(: |: ?$).*/, "", question)
        if (mine != $0 && !((part "\t" question) in known) && !((part "\t*") in known)) {
            print part ": recorded: " $0 "\n" part ": ours:     " mine
            failed = 1
        }
    }
    END { exit failed }' "$differences" "$work/theirs"
