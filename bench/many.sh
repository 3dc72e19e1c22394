#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/many.sh BUILD [OTHER-BUILD]   CPU time of `softwarp profile` for 1,000 small launches of one kernel, counted
# alone and with caches and time: milliseconds, medians of 5; builds take turns.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1/bin/softwarp" cc -O2 "$here/many.cu" -o "$work/many"
export SOFTWARP_THREADS=1 CUDA_CACHE_PATH="$work/cache"
for build in "$@"; do "$build/bin/softwarp" profile -o "$work/report" "$work/many" 1 && "$build/bin/softwarp" profile -o "$work/report" "$work/many" 1 wide; done
for round in 1 2 3 4 5; do
    for build in "$@"; do
        for set in basic full; do
            for wide in '' wide; do
                # shellcheck disable=SC2086
                python3 - "$build" $set "${wide:-small}" "$build/bin/softwarp" profile --set $set -o "$work/report" "$work/many" 1000 $wide << 'EOF'
import resource, subprocess, sys
subprocess.run(sys.argv[4:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(*sys.argv[1:4], round(1000 * (used.ru_utime + used.ru_stime)))
EOF
            done
        done
    done
done | sort -k1,3 -k4n | awk '{ n[$1 " " $2 " " $3]++; if (n[$1 " " $2 " " $3] == 3) print $1, "--set", $2, $3 ":", $4, "ms" }'
