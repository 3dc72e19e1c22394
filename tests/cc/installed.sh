#!/bin/sh
# installed.sh BUILD EXAMPLES: the installed tree compiles and runs a program without the build tree, by its own command, by the
# links that makefiles use, and from CMake.
set -eu
. "$(dirname "$0")/../support/script.sh"
must cmake --install "$1" --prefix "$work/prefix"
"$work/prefix/bin/softwarp" cc "$2/vectoradd.cu" -o "$work/vectoradd"
ldd "$work/vectoradd" | grep -q "$work/prefix/lib/softwarp/libcudart.so.13" || die "another runtime: $(ldd "$work/vectoradd")"
"$work/vectoradd" | grep -q PASSED
"$work/prefix/bin/softwarp-cc" "$2/vectoradd.cu" -o "$work/vectoradd" && "$work/vectoradd" | grep -q PASSED
"$work/prefix/share/softwarp/cuda/bin/nvcc" "$2/vectoradd.cu" -o "$work/vectoradd" && "$work/vectoradd" | grep -q PASSED
"$(dirname "$0")/project.sh" "$work/prefix" "$(dirname "$0")/project"
