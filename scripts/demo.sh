#!/bin/sh
# usage: demo.sh BUILD    Compile an example with `softwarp cc` and profile it on a virtual H200: how long it takes to transpose a
# matrix by way of shared memory and by stores along its columns, what to change first in the latter, and what to type next.
# What is most useful stands last, because a terminal shows the end.
set -eu
build=${1:-build}
here=$(cd "$(dirname "$0")/.." && pwd)
bin=$(cd "$build" && pwd)/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$bin:$PATH

show() # COMMAND...: as it is typed, then what it prints
{
    printf '\n$ %s\n' "$*"
    "$@"
}
cp "$here/examples/transpose.cu" "$here/examples/example.h" "$work"
cd "$work"
show softwarp cc transpose.cu -o transpose
show softwarp profile --device h200 --metrics gpu__time_duration.sum ./transpose -kernel padded
show softwarp profile --device h200 --metrics gpu__time_duration.sum ./transpose -kernel naive_row
show softwarp profile --device h200 --page advice ./transpose -kernel naive_row
cat << END
That is what to change first. Now with a program of yours:

  export PATH=$bin:\$PATH
  softwarp cc program.cu -o program                or nvcc -cudart shared program.cu -o program
  softwarp profile ./program                       the whole report; --device t4: of another GPU (softwarp devices)
  softwarp profile --page advice ./program         what to change first, as above
  softwarp profile --html report.html ./program    all of it in one file, for a browser

examples/ and docs/profiling.md (one optimisation from the first report to the last) are in $here
END
