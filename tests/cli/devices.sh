#!/bin/sh
# GPUs by file: profile and trace run with them as they do the catalogue's, from any folder, several of them, and under a name that the
# catalogue has too. usage: devices.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$softwarp" cc -gline-tables-only -o add "$source/examples/vectoradd.cu"
mkdir own other
sed 's/^name = NVIDIA H200/name = Half of an H200/; s/^sm_count = 132/sm_count = 66/' "$source/gpus/h200.ini" > half.ini
cp half.ini own/h200.ini

# value NAME COMMAND...: what the raw page of a profiled launch says
value()
{
    name=$1
    shift
    expect 0 '' "$softwarp" profile --csv --page raw --metrics "$name" -o value.csv "$@"
    grep -q 'not be profiled' err && fail "not profiled:" "$@"
    tail -1 value.csv | sed 's/.*,"\([^"]*\)"$/\1/; s/,//g'
}
waves=launch__waves_per_multiprocessor
whole=$(value $waves ./add -n 4194304)
half=$(value $waves --device "$work/half.ini" ./add -n 4194304)
[ "$(echo "$half" "$whole" | awk '{ print ($1 > 1.99 * $2 && $1 < 2.01 * $2 && $2 > 0) }')" = 1 ] || fail "waves of a GPU by file: '$half', '$whole' by the catalogue"
time=gpu__time_duration.sum
whole=$(value $time ./add -n 4194304)
half=$(value $time --device "$work/half.ini" ./add -n 4194304)
[ "$(echo "$half" "$whole" | awk '{ print ($1 > 1.1 * $2 && $2 > 0) }')" = 1 ] || fail "time of a GPU by file: '$half', '$whole' by the catalogue"

for file in "$work/half.ini" ./half.ini half.ini ./half.ini:2; do
    expect 0 'device Half of an H200' "$softwarp" profile --device "$file" ./add
    grep -q 'not be profiled\|no kernel was profiled' out err && fail "--device $file: not profiled"
    grep -q 'Time~' out || fail "--device $file: no time"
done
# the program's folder is another
expect 0 'device Half of an H200' "$softwarp" profile --device half.ini sh -c 'cd other && exec ../add'
grep -q 'Time~' out || fail 'from another folder: no time'
# a name that the catalogue has
[ "$(value $time --device own/h200.ini ./add -n 4194304)" = "$half" ] || fail "a GPU by file with a name of the catalogue's"
export CUDA_VISIBLE_DEVICES=1
[ "$(value $time --device h200,own/h200.ini ./add -n 4194304)" = "$half" ] || fail 'the second of two with one name'
[ "$(value $time --device own/h200.ini,h200 ./add -n 4194304)" = "$whole" ] || fail 'the second of two with one name, the catalogue behind'
unset CUDA_VISIBLE_DEVICES

expect 0 'Timeline by the virtual clock of half ' "$softwarp" trace --device half.ini:2 -o half.json ./add
grep -q 'kernels .* 1$' out || fail 'a timeline without its kernel'
grep -q '"half' half.json || grep -q '(half)' half.json || fail 'a timeline that does not name its GPU'
expect 2 "cannot read 'nosuch.ini'\|there is no GPU named 'nosuch.ini'" "$softwarp" profile --device nosuch.ini ./add

exit $failed
