#!/bin/sh
# run.sh SOFTWARP FILE.cu TARGET: compile, run, and take the program's own word for it.
set -eu
. "$(dirname "$0")/../support/script.sh"
"$1" cc -arch="$3" "$2" -o "$work/program"
"$work/program"
