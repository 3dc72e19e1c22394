#!/bin/sh
# What waits for what on the virtual clock: overlap.cu prints each case beside its formula of single costs, and they agree
# within half a microsecond and 0.1 %. Its kernels take no modelled time, so that its PTX does not matter.
#   overlap.sh BUILD SOURCE-TREE cc|nvcc    the test, of the program that `softwarp cc` or nvcc ($SW_NVCC) makes
#   overlap.sh BUILD SOURCE-TREE write      the table of docs/accuracy.md, beside what a real H200 took
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../../support/script.sh"
enter_work
options='-O2 -std=c++17 -rdc=true'
# shellcheck disable=SC2086
if [ "$3" = nvcc ]; then
    must "$SW_NVCC" $options -cudart shared -gencode arch=compute_90,code=compute_90 -o overlap "$source/tests/hw/overlap.cu" -lcudadevrt
else
    must "$softwarp" cc $options -arch=sm_90 -o overlap "$source/tests/hw/overlap.cu"
fi
check() { # PART DEVICE CASES: so many have a formula
    "$softwarp" profile --device "$2" --set basic -o report -- ./overlap "$1" 1 > "$1.csv" 2> err || fail profile
    awk -F, -v cases="$3" -v part="$1" 'NR > 1 && $NF > 0 {
            off = $(NF - 2) - $NF; n++
            if (off < 0) off = -off
            if (off > 0.5 + 0.001 * $NF) { print "not by its formula: " $0; bad++ }
        } END { if (n != cases) { print part ": " n " cases instead of " cases; bad++ } exit bad > 0 }' "$1.csv" || failed=1
}
check streams h200 13
check launches h200 6
check graphs h200 8
check queues h200 4
check priorities h200 2
check devices h200:4 2
[ "$3" != write ] || exec "$source/tests/hw/time/overlap.py" "$source" streams.csv launches.csv graphs.csv queues.csv priorities.csv
exit $failed
