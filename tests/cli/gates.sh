#!/bin/sh
# Gates over reports of programs that fail: the report says so in each form, and compare does not pass. Profiles of no kernel say why.
# usage: gates.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
unset LC_ALL LC_MESSAGES LANG LANGUAGE
enter_work
for program in faults many; do
    must "$softwarp" cc -o $program "$source/tests/cli/$program.cu"
done
gate='inst_executed>1.05x'

# A launch that fails, in JSON and on each page of CSV; the base is of the same program without the fault.
profile() # FILE FAULT OPTIONS...
{
    file=$1 fault=$2
    shift 2
    "$softwarp" profile "$@" -o "$file" ./faults "$fault" > out 2> err
}
for form in --json '--csv --page raw' '--csv --metrics inst_executed' '--csv --print-summary per-kernel'; do
    # shellcheck disable=SC2086
    profile good none $form || fail "faults none $form"
    # shellcheck disable=SC2086
    profile bad address $form && fail "faults address $form: exit status 0"
    expect 0 '^pass: ' "$softwarp" compare good good --fail-if "$gate"
    expect 1 '^  failed-launches: touch: 1 of its 1 launches failed in bad' "$softwarp" compare good bad --fail-if "$gate"
    expect 0 '^pass: ' "$softwarp" compare good bad --fail-if "$gate" --allow failed-launches,failed-programs
done
profile good.csv none --csv --page raw || fail "faults none"
grep -q 'launch__status' good.csv && fail "a column for failures where there is none"
profile bad.csv address --csv --page raw
grep -q '"an illegal memory access was encountered"' bad.csv || fail "the raw page does not say how a launch failed"
profile bad.txt address --page raw
grep -q 'This launch failed: an illegal memory access' bad.txt || fail "the raw page as text does not say that a launch failed"

# The program's exit status, and a process that was killed while its kernel ran.
profile good none --json
grep -q '"exit_status": 0,' good && grep -q '"processes": \[{"process": "faults", "finished": true}\]' good || fail "how a good program ended"
profile bad address --json
grep -q '"exit_status": 1,' bad || fail "the exit status is not in the report"
expect 1 'failed-programs: bad: the program ended with exit status 1' "$softwarp" compare good bad --fail-if "$gate" --allow failed-launches
"$softwarp" profile --json -o killed ./faults forever > out 2> err &
pid=$!
i=0
until grep -q spinning out || [ $i = 100 ]; do sleep 0.1; i=$((i + 1)); done
program=$(pgrep -P $pid)
kill -KILL "$program"
wait $pid 2> /dev/null
expect 1 'failed-programs: killed: process 0 (faults) ended abnormally' "$softwarp" compare killed killed --fail-if "$gate"
grep -q 'failed-programs: killed: the program ended with exit status 137' out || fail "a signal is not an exit status"

# A kernel that is refused, in a program that does not look: status 3, in the report, too.
cat > refused.cu << 'END'
__global__ void refused() { asm volatile("wgmma.fence.sync.aligned;"); }
__global__ void fine(int *p) { *p = 1; }
int main()
{
    int *p;
    cudaMalloc(&p, sizeof *p);
    fine<<<1, 32>>>(p);
    refused<<<1, 128>>>();
    cudaDeviceSynchronize();
    return 0;
}
END
"$softwarp" cc -arch=sm_90a -o refused refused.cu > out 2> err || fail "softwarp cc refused.cu"
expect 3 'not supported: ' "$softwarp" profile --json -o refused.json ./refused
expect 1 'failed-programs: refused.json: the program ended with exit status 3' "$softwarp" compare refused.json refused.json --fail-if "$gate"

# Launches taken together count as what they are, in each form.
"$softwarp" profile --json -o many.json ./many 5 > out 2> err || fail "many 5"
"$softwarp" profile --csv --print-summary per-kernel -o many.csv ./many 5 > out 2> err || fail "many 5 --csv"
"$softwarp" profile --csv --print-summary per-kernel -o fewer.csv ./many 4 > out 2> err || fail "many 4 --csv"
expect 0 '^pass: ' "$softwarp" compare many.json many.csv --fail-if "$gate"
expect 1 'fewer-launches: count_up: 5 launches in many.csv, 4 in fewer.csv' "$softwarp" compare many.csv fewer.csv --fail-if "$gate"

# A profile of nothing says why, and fails gates.
expect 0 "no kernel was profiled: none was launched whose demangled name matches -k 'nosuch'" "$softwarp" profile -k nosuch --json -o none.json ./many 2
grep -q "^==SOFTWARP== -k 'nosuch' matches none of the kernels that were launched: .*count_up(int \*)" err || fail "which kernels there are"
expect 0 'no kernel was profiled: -s skips the first 99 launches' "$softwarp" profile -s 99 --csv -o none.csv ./many 2
expect 0 'no kernel was profiled: the program launched none' "$softwarp" profile ./faults nothing
expect 0 'count_up' "$softwarp" profile -k count_up --csv --page raw ./many 2
grep -q 'matches none' err && fail "a pattern that matches some is said to match none"
for none in none.json none.csv; do
    expect 1 "empty-reports: no kernel was launched in $none" "$softwarp" compare many.json $none --fail-if "$gate"
done
exit $failed
