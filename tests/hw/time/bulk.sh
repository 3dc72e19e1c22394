#!/bin/sh
# Waits for copies to shared memory: bulk.cu under softwarp profile with caches that stay warm, beside what an H200 took
# (tests/hw/h200/bulk-1.csv, -2.csv). No parameter of the model was chosen by these cases.
#   bulk.sh BUILD SOURCE-TREE recorded    the recorded PTX: each case within 20 %, 10 % in the mean (measured: 17, 7.7)
#   bulk.sh BUILD SOURCE-TREE cc          what `softwarp cc` makes of the same source, which is other code: clang unrolls
#                                         the sums otherwise. Each case within 33 %, 12 % in the mean (measured: 28, 9.0)
set -u
build=$1 source=$2
. "$(dirname "$0")/../../support/script.sh"
enter_work
case $3 in
recorded)
    each=20 mean=10
    must "$source/tests/support/recorded_program.sh" "$build" "$source/tests/hw/bulk.cu" bulk -O3 ;;
cc)
    each=33 mean=12
    must "$build/bin/softwarp" cc -O3 -arch=sm_90 -o bulk "$source/tests/hw/bulk.cu" ;;
esac
"$build/bin/softwarp" profile --device h200 --cache-control none -o report -- ./bulk 1 > bulk.csv 2> err || die profile
awk -F, -v each=$each -v most=$mean 'FNR == 1 { next }
    FILENAME != "bulk.csv" { recorded[$1 "," $2] += $4 / 2; next }
    { key = $1 "," $2; off = 100 * ($4 / recorded[key] - 1); sum += off < 0 ? -off : off; count++
      printf "%-14s %7.2f us, recorded %7.2f, %+.0f %%\n", key, $4, recorded[key], off
      if (off > each || off < -each) bad = 1 }
    END { printf "mean %.1f %% of %d\n", sum / count, count
          exit bad || count != 20 || sum / count > most }' \
    "$source/tests/hw/h200/bulk-1.csv" "$source/tests/hw/h200/bulk-2.csv" bulk.csv
