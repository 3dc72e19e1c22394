#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# softwarp check --tool racecheck over suites of others with known answers, which are built elsewhere: suites.tsv says what it finds,
# and where that differs from the suite's answer. A row whose number of programs differs fails: a suite that lacks programs proves
# nothing. Prints a confusion matrix a suite. SOFTWARP_CHECK_SUITES: the folder with a folder a suite; skipped without it.
# usage: suites.sh BUILD [SUITE]
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
folder=${SOFTWARP_CHECK_SUITES:-}
[ -n "$folder" ] && [ -d "$folder" ] || skip "SOFTWARP_CHECK_SUITES names no folder"
softwarp=$(cd "$1" && pwd)/bin/softwarp
only=${2:-}
limit=120 # seconds for one program
cd "$folder" || exit 1
tab=$(printf '\t')

# What racecheck says of a command: found, clean, or why there is no answer.
judge()
{
    timeout $limit "$softwarp" check --tool racecheck "$@" > "$work/out" 2> "$work/err" < /dev/null
    status=$?
    if [ $status = 124 ]; then echo "over $limit s"
    elif [ $status != 0 ] && [ $status != 4 ]; then echo "exit status $status"
    elif ! grep -q 'RACECHECK SUMMARY' "$work/out"; then echo "no answer"
    elif grep -q 'Race reported' "$work/out"; then echo found
    else echo clean
    fi
}

grep -v '^#' "$here/suites.tsv" > "$work/rows"
: > "$work/judged"
# the last field is for readers; a field that may be empty is no variable of `read`, which joins tabs
while IFS= read -r row; do
    suite=$(echo "$row" | cut -f1) names=$(echo "$row" | cut -f2) answer=$(echo "$row" | cut -f3)
    wanted=$(echo "$row" | cut -f4) programs=$(echo "$row" | cut -f5) arguments=$(echo "$row" | cut -f6)
    [ -z "$only" ] || [ "$suite" = "$only" ] || continue
    [ -d "$suite" ] || { echo "$suite: not there"; continue; }
    count=0
    for name in $(cd "$suite" && find . -maxdepth 1 -type f -perm -u+x | sed 's|^\./||' | LC_ALL=C sort | grep -E -e "$names"); do
        grep -q "^$suite$tab$name$tab" "$work/judged" && continue
        count=$((count + 1))
        # shellcheck disable=SC2086 # several arguments
        got=$(judge "./$suite/$name" $arguments)
        printf '%s\t%s\t%s\t%s\n' "$suite" "$name" "$answer" "$got" >> "$work/judged"
        [ "$got" = "$wanted" ] || fail "$suite/$name is $answer: $got, not $wanted"
    done
    [ "$count" = "$programs" ] || fail "$suite '$names': $count programs, not $programs"
done < "$work/rows"
[ -s "$work/judged" ] || skip "no suite of suites.tsv is in $folder"
cut -f1,3,4 "$work/judged" | sort | uniq -c | awk '{ printf "%-10s %s: %d ", $2, $3, $1; for (i = 4; i <= NF; i++) printf "%s%s", $i, i < NF ? " " : "\n" }'
exit $failed
