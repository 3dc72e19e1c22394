#!/bin/sh
# What access-policy windows keep in L2 from launch to launch: those of graphs' nodes and streams, until they are reset.
# usage: windows.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2
. "$(dirname "$0")/../support/script.sh"
enter_work
must "$build/bin/softwarp" cc -O2 -o windows "$source/tests/cli/windows.cu"
expect 0 'no error' "$build/bin/softwarp" profile --device "$source/tests/support/gpus/test90.ini" --sample 1 --cache-control none --csv --page raw \
    --metrics dram__sectors_read.sum -o windows.csv ./windows
# Sectors that DRAM gives the third launch of each round: all of 524,288, or none.
found=$(python3 -c '
import csv
rows = [r for r in csv.DictReader(open("windows.csv")) if r["ID"]]
print(*["all" if r["dram__sectors_read.sum"] == "524,288" else r["dram__sectors_read.sum"] for r in rows[2::3]])')
[ "$found" = 'all 0 all 0' ] || fail "third launches read '$found' sectors from DRAM, not 'all 0 all 0'"
exit $failed
