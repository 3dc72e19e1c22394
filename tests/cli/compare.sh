#!/bin/sh
# softwarp compare on reports written by hand: gates fail closed, each reason can be allowed, and what matters comes first.
# usage: compare.sh BUILD
set -u
build=$1
softwarp=$build/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
cd "$work" || exit 1
unset LC_ALL LC_MESSAGES LANG LANGUAGE

# report FILE KERNEL=METRIC:VALUE,...[!STATUS]... : a launch each; with ENDS what says how the program ended
ENDS=
report()
{
    file=$1
    shift
    {
        printf '{"schema": "softwarp-profile/1", "launches": ['
        comma=
        for launch in "$@"; do
            status=ok
            case $launch in *!*) status=${launch#*!} launch=${launch%%!*} ;; esac
            printf '%s{"kernel": "%s(int)", "status": "%s", "metrics": {' "$comma" "${launch%%=*}" "$status"
            echo "${launch#*=}" | tr ',' '\n' | sed '/^$/d; s/\(.*\):\(.*\)/"\1": {"value": \2}/' | paste -sd ',' -
            printf '}}'
            comma=,
        done
        printf ']%s}\n' "$ENDS"
    } > "$file"
}
compare() # STATUS PATTERN ARGUMENTS...
{
    status=$1 pattern=$2
    shift 2
    expect "$status" "$pattern" "$softwarp" compare "$@"
}
allowed() # NAME PATTERN ARGUMENTS... : fails with the pattern, saying how to allow it, and passes with the option
{
    name=$1 pattern=$2
    shift 2
    compare 1 "$pattern" "$@"
    head -1 out | grep -q '^FAIL: ' || fail "the first line is not FAIL:" "$@"
    grep -q "^  if this is intended, accept it with: --allow $name\$" out || fail "no --allow $name" "$@"
    compare 0 "^  allowed: $name: " "$@" --allow "$name"
    head -1 out | grep -q '^pass: .*allowed: ' || fail "the first line is not 'pass: ... allowed:'" "$@"
}
load=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
store=l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
gate='gld_transactions>1.05x'
report base.json "f=$load:100,$store:10" "g=$load:100,$store:10" "g=$load:100,$store:10"

# Both directions of a gate.
compare 0 '^pass: gates: 1; kernels compared: 2; values checked: 2$' base.json base.json --fail-if "$gate"
report more.json "f=$load:106,$store:10" "g=$load:100,$store:40" "g=$load:100,$store:10"
compare 1 '^FAIL: gates failed: 1 of 1$' base.json more.json --fail-if "$gate"
grep -q '^  gate failed: f: gld_transactions>1.05x: 100 -> 106 (1.06x)$' out || fail "which gate failed"
compare 0 '^no gate given; kernels compared: 2; values that differ: 2$' base.json more.json

# The verdict, the rows of failed gates, what changed most, the rest.
compare 1 '' base.json more.json --fail-if "$gate" --all
sed -n '/^  ----/,$p' out | awk 'NR > 1 { print $1 ":" $2 }' | paste -sd ' ' - > order
echo "f:$load g:$store f:launches f:$store g:launches g:$load" | cmp -s - order || fail "the order of the rows: $(cat order)"
[ "$(head -1 out)" = 'FAIL: gates failed: 1 of 1' ] || fail "the verdict is not first"
compare 1 '^==SOFTWARP== FAIL: gates failed: 1 of 1$' base.json more.json --fail-if "$gate" --csv
sed -n 2p out | grep -q '^"","","","","","FAIL","FAIL: gates failed: 1 of 1"$' || fail "the verdict is not the first row of CSV"
sed -n 3p out | grep -q "^\"f\",\"$load\",\"100\",\"106\",\"1.06\",\"gate failed\",\"$gate\"\$" || fail "the failed gate is not the second row of CSV"
sed -n 4p out | grep -q "^\"g\",\"$store\",\"20\",\"50\",\"2.5\",\"changed\",\"\"\$" || fail "what changed is not the third row of CSV"
compare 1 '^==SOFTWARP== gate failed: f: ' base.json more.json --fail-if "$gate" --json
if command -v python3 > /dev/null; then
    python3 - << 'END' || fail "JSON of a comparison"
import json

result = json.load(open("out"))
assert list(result)[:3] == ["schema", "verdict", "text"] and result["verdict"] == "FAIL" and result["schema"] == "softwarp-compare/1"
assert result["gates"] == result["failed_gates"] == 1 and not result["problems"]
assert [check["failed"] for check in result["checks"]] == [True, False]
assert [row["result"] for row in result["rows"]] == ["failed", "changed"] and result["rows"][1]["ratio"] == 2.5
END
fi
compare 1 '^==SOFTWARP== FAIL' base.json more.json --fail-if "$gate" -o written
[ "$(head -1 written)" = 'FAIL: gates failed: 1 of 1' ] && [ ! -s out ] || fail "-o FILE of a comparison"

# What is gone.
report gone.json "f=$load:100,$store:10"
allowed missing-kernels '^  missing-kernels: g is in base.json but not in gone.json$' base.json gone.json --fail-if "$gate"
compare 0 'missing-kernels: g is in base.json' base.json gone.json
report fewer.json "f=$load:100,$store:10" "g=$load:100,$store:10"
allowed fewer-launches '^  fewer-launches: g: 2 launches in base.json, 1 in fewer.json$' base.json fewer.json --fail-if "$gate"
report empty.json
allowed empty-reports '^  empty-reports: no kernel was launched in empty.json$' base.json empty.json --fail-if "$gate"
allowed empty-reports 'no kernel was launched in empty.json' empty.json base.json --fail-if "$gate"
: > empty.csv # as profile --csv leaves it
allowed empty-reports 'no kernel was launched in empty.csv' base.json empty.csv --fail-if "$gate"
compare 2 'nothing to compare' base.json empty.json

# What failed: a launch, the program, a process that ended abnormally; in the base, too.
report failed.json "f=$load:0,$store:0!an illegal memory access" "g=$load:100,$store:10" "g=$load:100,$store:10"
allowed failed-launches '^  failed-launches: f: 1 of its 1 launches failed in failed.json: an illegal memory access$' base.json failed.json --fail-if "$gate"
allowed failed-launches 'failed in failed.json' failed.json failed.json --fail-if "$gate"
ENDS=', "exit_status": 134, "processes": [{"process": "p", "finished": false}]'
report crashed.json "f=$load:100,$store:10" "g=$load:100,$store:10" "g=$load:100,$store:10"
allowed failed-programs '^  failed-programs: crashed.json: process 0 (p) ended abnormally' base.json crashed.json --fail-if "$gate"
allowed failed-programs '^  failed-programs: crashed.json: the program ended with exit status 134$' crashed.json crashed.json --fail-if "$gate"
ENDS=', "exit_status": 0, "processes": [{"process": "p", "finished": true}]'
report ended.json "f=$load:100,$store:10" "g=$load:100,$store:10" "g=$load:100,$store:10"
compare 0 '^pass: ' base.json ended.json --fail-if "$gate"
ENDS=

# Metrics that do not exist, are gone, or have no value.
compare 2 "there is no metric named 'gld_transaction': did you mean 'gld_transactions'?" base.json base.json --fail-if 'gld_transaction>1.05x'
compare 2 "did you mean 'gst_efficiency'?" base.json base.json --metrics gst_eficiency
compare 2 "there is no metric named 'utterly_different': softwarp profile --page raw lists the metrics" base.json base.json --fail-if 'utterly_different>1'
compare 0 '^  allowed: unknown-metrics: there is no metric named gld_transaction$' base.json base.json --fail-if 'gld_transaction>1.05x' --allow unknown-metrics
report less.json "f=$store:10" "g=$load:100,$store:10" "g=$load:100,$store:10"
allowed missing-metrics '^  missing-metrics: f: gld_transactions has no value in less.json$' base.json less.json --fail-if "$gate"
allowed missing-metrics '^  missing-metrics: f: gld_transactions has no value in less.json$' less.json base.json --fail-if "$gate"
report part.json "f=$load:100,$store:10" "g=$load:100,$store:10" "g=$store:10"
allowed missing-metrics 'g: gld_transactions has no value in 1 of the 2 launches of part.json' base.json part.json --fail-if "$gate"
allowed missing-metrics 'no kernel has a value of achieved_occupancy in either report' base.json base.json --fail-if 'achieved_occupancy<0.9x'
report neither.json "f=$store:10" "g=$load:100,$store:10"
compare 0 '^pass: gates: 1; kernels compared: 2; values checked: 1$' neither.json neither.json --fail-if "$gate" # f has no loads, in neither
compare 1 'gate failed: f: gld_transactions>99: 100' less.json base.json --fail-if 'gld_transactions>99' --allow missing-metrics # the new value alone

# From nothing to something is more than any ratio; nothing to nothing is as it was.
report zero.json "f=$load:0"
report one.json "f=$load:1"
compare 1 'gate failed: f: gld_transactions>1.05x: 0 -> 1$' zero.json one.json --fail-if "$gate"
compare 0 '^pass: ' zero.json zero.json --fail-if "$gate"
compare 0 '^pass: ' zero.json one.json --fail-if 'gld_transactions<0.9x'
compare 1 'gate failed: f: gld_transactions<0.9x: 1 -> 0 (0x)' one.json zero.json --fail-if 'gld_transactions<0.9x'

# New and renamed kernels.
report new.json "f=$load:100,$store:10" "g=$load:100,$store:10" "g=$load:100,$store:10" "h=$load:1,$store:1" "i=$load:1,$store:1"
compare 0 '^  new kernels: h, i$' base.json new.json --fail-if "$gate"
report renamed.json "f2=$load:100,$store:10" "g=$load:100,$store:10" "g=$load:100,$store:10"
allowed missing-kernels '^  missing-kernels: f is in .* if it is now named f2, --allow renamed-kernels compares the two$' base.json renamed.json --fail-if "$gate"
grep -q '^  new kernels: f2$' out || fail "a new kernel is not named"
compare 0 '^pass: gates: 1; kernels compared: 2; values checked: 2$' base.json renamed.json --fail-if "$gate" --allow renamed-kernels
report slower.json "f2=$load:200,$store:10" "g=$load:100,$store:10" "g=$load:100,$store:10"
compare 1 'gate failed: f -> f2: ' base.json slower.json --fail-if "$gate" --allow renamed-kernels

# Several reasons at once, and all of them allowed.
report both.json "g=$load:100,$store:10"
compare 1 '^FAIL: gates failed: 0 of 1; missing kernels: 1; kernels with fewer launches: 1$' base.json both.json --fail-if "$gate"
grep -q -e '--allow missing-kernels,fewer-launches$' out || fail "all names of what to allow"
compare 1 '; kernels with fewer launches: 1; allowed: missing kernels: 1$' base.json both.json --fail-if "$gate" --allow missing-kernels
compare 0 '; allowed: missing kernels: 1; kernels with fewer launches: 1$' base.json both.json --fail-if "$gate" --allow missing-kernels,fewer-launches

# Files that are not whole are refused, gates or not.
head -c 90 base.json > cut.json
compare 2 "'cut.json' is not JSON, or was cut off" base.json cut.json --fail-if "$gate"
printf '"ID","Kernel Name","%s"\n"","","sector"\n"0","f(int)","100"\n"1","g(int)"' $load > cut.csv
compare 2 "'cut.csv' was cut off: its row of kernel 'g(int)' is not whole" base.json cut.csv
printf '"ID","Kernel Name","%s"\n"","","sector"\n"0","f(int)","10' $load > cut.csv
compare 2 "'cut.csv' was cut off: its row of kernel 'f(int)' is not whole" base.json cut.csv

# ncu's CSV: without the metric, with a value that is none, of a program that failed, of no kernel.
ncu() # METRIC VALUE
{
    printf '==PROF== Connected to process 1\n"ID","Kernel Name","%s"\n"","",""\n"0","f(int)","%s"\n' "$1" "$2"
}
report alone.json "f=$load:100,$store:10"
ncu $load 100 > ncu.csv
compare 0 '^pass: ' ncu.csv alone.json --fail-if "$gate"
ncu $store 10 > ncu.csv
allowed missing-metrics 'gld_transactions has no value in ncu.csv' ncu.csv alone.json --fail-if "$gate"
ncu $load nan > ncu.csv
allowed missing-metrics 'gld_transactions has no value in ncu.csv' ncu.csv alone.json --fail-if "$gate"
{ ncu $load 100; echo '==ERROR== The application returned an error code (11).'; } > ncu.csv
allowed failed-programs 'ncu.csv: message of ncu: ==ERROR== The application returned an error code (11).' alone.json ncu.csv --fail-if "$gate"
printf '==PROF== Connected to process 1\n==WARNING== No kernels were profiled.\n' > ncu.csv
allowed empty-reports 'no kernel was launched in ncu.csv' alone.json ncu.csv --fail-if "$gate"

# Wrong use.
compare 2 "--allow does not know 'missing-kernel': did you mean 'missing-kernels'?" base.json base.json --fail-if "$gate" --allow missing-kernel
compare 2 'choose from empty-reports, failed-programs' base.json base.json --fail-if "$gate" --allow everything
compare 2 -- '--allow is for gates' base.json base.json --allow missing-kernels
compare 2 -- "'--fail-if' needs a value" base.json base.json --fail-if ''
expect 0 'missing-kernels, renamed-kernels' "$softwarp" compare --help

# In Chinese the words change, the verdict's place and the exit status do not.
if [ -d "$build/share/locale/zh_CN" ]; then
    compare 1 '^失败：未通过的门限：0/1；缺失的核函数：1' base.json gone.json --fail-if "$gate" --lang zh
    expect 1 '"FAIL: gates failed: 0 of 1; missing kernels: 1"' env LANG=zh_CN.UTF-8 "$softwarp" compare base.json gone.json --fail-if "$gate" --csv
fi
exit $failed
