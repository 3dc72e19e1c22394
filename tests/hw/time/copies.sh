#!/bin/sh
# What copies.cu prints under softwarp profile beside what it printed on an H200: the table in docs/accuracy.md, or a test.
#   copies.sh BUILD SOURCE-TREE write        everything, up to 1 GiB; minutes
#   copies.sh BUILD SOURCE-TREE              up to 4 MiB: 10 % in the mean for each kind of copy, sizes that nothing was fitted to
#   copies.sh BUILD SOURCE-TREE show GPU     up to 64 MiB beside the recording of another GPU (tests/hw/GPU)
# Its kernels are the recorded PTX (tests/hw/copies.ptx).
set -u
build=$1
source=$2
softwarp=$build/bin/softwarp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export CUDA_CACHE_PATH=$work/cache SOFTWARP_DEVICE="${4-h200}"
"$source/tests/support/recorded_program.sh" "$build" "$source/tests/hw/copies.cu" copies -O2 > log 2>&1 || { cat log; exit 1; }
most=4
[ "${3-}" = write ] && most=1024
[ "${3-}" = show ] && most=64
parts='copies'
[ "${3-}" = write ] && parts='copies both mapped'
for part in $parts; do
    watch='--set basic'
    [ "$part" = mapped ] && watch='--set full -k add' # the kernels have a time of their own
    # shellcheck disable=SC2086
    "$softwarp" profile $watch -o report -- ./copies $most "$part" > "$part.csv" 2> log || { cat log; exit 1; }
done
exec "$source/tests/hw/time/copies.py" "${3-check}" "$SOFTWARP_DEVICE" "$source" ./*.csv
