#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh PROGRAM RECORDED DIFFERENCES GROUP...      The answers of these groups equal the recorded ones, but for the questions that
# DIFFERENCES names with the reason (a name that ends in * names all that begin so, /expression/ all answers like it); one of them that is equal after all is an error too.
set -eu
program=$1 recorded=$2 differences=$3
shift 3
. "$(dirname "$0")/../support/script.sh"
for group; do
    SOFTWARP_DEVICE=h200 "$program" "$group" > "$work/ours" 2> "$work/errors" || { echo "$group: exit status $?"; tail -3 "$work/errors"; exit 1; }
    awk -v group="$group" '/^== / { on = $2 == group } on' "$recorded" > "$work/theirs"
    awk -F '\t' -v group="$group" '
        function question(line) { sub(/(: |: ?$).*/, "", line); return line }
        function known(name, line, k) {
            if (name in listed) return name
            for (k in listed) if (k ~ /\*$/ && index(name, substr(k, 1, length(k) - 1)) == 1) return k
            for (k in listed) if (k ~ /^\/.*\/$/ && line ~ substr(k, 2, length(k) - 2)) return k
            return ""
        }
        FILENAME == ARGV[1] { if ($0 !~ /^#/ && NF > 1) listed[$1] = 1; next }
        FILENAME == ARGV[2] { name = question($0); ours[name, ++asked[name]] = $0; next }
        {
            name = question($0); mine = ours[name, ++seen[name]]; k = known(name, $0)
            if (mine == $0) { equal++; if (k == name) { print "equal, but listed as different: " name; failed = 1 } next }
            if (k != "") { apart++; next }
            print "recorded: " $0 "\nours:     " mine
            failed = 1
        }
        END { print group ": " equal " equal, " apart + 0 " known to differ"; exit failed }' "$differences" "$work/ours" "$work/theirs" || failed=1
done
exit "${failed:-0}"
