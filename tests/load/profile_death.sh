#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: profile_death.sh SOFTWARP LOAD_CACHE     A profiled program is killed (-9) at a random moment, SOFTWARP_DEATHS times
# (6): the report has every launch that was complete, numbered without gaps, whole rows only, the same counters in each.
softwarp=$1 program=$2 times=${SOFTWARP_DEATHS:-6}
. "$(dirname "$0")/../support/script.sh"
export CUDA_CACHE_PATH="$work"
unset CUDA_CACHE_DISABLE CUDA_CACHE_MAXSIZE
die_of_report() { die "$@" "; the report ends: $(tail -2 "$work/report.csv")"; }

cat > "$work/dies.sh" << 'END'
"$1" 0 1000 &
sleep "$2"
kill -9 $!
wait $!
END
awk -v n="$times" 'BEGIN { srand(7); for (i = 0; i < n; i++) printf "%.3f\n", 0.05 + rand() * 0.9 }' > "$work/delays"
rows=0
while read -r delay; do
    rm -f "$work/report.csv"
    "$softwarp" profile --csv --page raw -o "$work/report.csv" sh "$work/dies.sh" "$program" "$delay" > /dev/null 2> "$work/err" < /dev/null
    status=$?
    [ $status = 137 ] || die_of_report "exit status $status, not 137"
    grep -q 'ended abnormally' "$work/err" || [ ! -s "$work/report.csv" ] || die_of_report "nobody is told that the program was killed"
    [ -s "$work/report.csv" ] || continue # killed before its first launch was done
    awk -F'","' 'NR == 1 { fields = NF } NF != fields { print "row " NR " has " NF " fields, not " fields; exit 1 }
        NR > 2 { sub(/^"/, "", $1); if ($1 != NR - 3) { print "row " NR " is launch " $1; exit 1 } }' "$work/report.csv" ||
        die_of_report "after $delay s"
    n=$(sed 1,2d "$work/report.csv" | sed 's/^"[0-9]*"//' | sort -u | wc -l)
    [ "$n" -le 1 ] || die_of_report "launches of one size have $n different rows"
    rows=$((rows + $(wc -l < "$work/report.csv") - 2))
done < "$work/delays"
[ $rows -gt 0 ] || die_of_report "no launch was ever complete"
echo "ok: $rows launches in the reports of $times killed programs"
