#!/bin/sh
# What copies.cu prints under softwarp profile beside what it printed on an H200: the table in docs/accuracy.md, or a test.
#   copies.sh BUILD SOURCE-TREE write        everything, up to 1 GiB; minutes
#   copies.sh BUILD SOURCE-TREE              up to 4 MiB: 10 % in the mean for each kind of copy, sizes that nothing was fitted to
#   copies.sh BUILD SOURCE-TREE show GPU     up to 64 MiB beside the recording of another GPU (tests/hw/GPU)
# Its kernels are the recorded PTX (tests/hw/copies.ptx).
set -u
build=$1 source=$2 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../../support/script.sh"
enter_work
export SOFTWARP_DEVICE="${4-h200}"
must "$source/tests/support/recorded_program.sh" "$build" "$source/tests/hw/copies.cu" copies -O2
most=4
[ "${3-}" = write ] && most=1024
[ "${3-}" = show ] && most=64
parts='copies'
[ "${3-}" = write ] && parts='copies both mapped'
for part in $parts; do
    options='--set basic'
    [ "$part" = mapped ] && options='--set full -k add' # the kernels have a time of their own
    # shellcheck disable=SC2086
    "$softwarp" profile $options -o report -- ./copies $most "$part" > "$part.csv" 2> err || die profile
done
"$source/tests/hw/time/copies.py" "${3-check}" "$SOFTWARP_DEVICE" "$source" ./*.csv
