#!/bin/sh
# What peer.cu prints under softwarp profile beside what it printed on two H100: the mean error of each kind, of sizes that
# nothing was fitted to, is what copies.py says was measured, and a margin.
#   peer.sh BUILD SOURCE-TREE
set -u
build=$1 source=$2
. "$(dirname "$0")/../../support/script.sh"
enter_work
export SOFTWARP_DEVICE=h100:2
must "$source/tests/support/recorded_program.sh" "$build" "$source/tests/hw/peer.cu" peer -O2
"$build/bin/softwarp" profile --set basic -o report -- ./peer 256 > peer.csv 2> err || die profile
"$source/tests/hw/time/copies.py" peers h100 "$source" peer.csv
