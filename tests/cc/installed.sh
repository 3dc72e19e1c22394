#!/bin/sh
# installed.sh BUILD EXAMPLES: the installed tree compiles and runs a program without the build tree, by its own command, by the
# links that makefiles use, and from CMake.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cmake --install "$1" --prefix "$out/prefix" > "$out/log" 2>&1 || { cat "$out/log"; exit 1; }
"$out/prefix/bin/softwarp" cc "$2/vectoradd.cu" -o "$out/vectoradd"
ldd "$out/vectoradd" | grep -q "$out/prefix/lib/softwarp/libcudart.so.13" || { echo "another runtime: $(ldd "$out/vectoradd")"; exit 1; }
"$out/vectoradd" | grep -q PASSED
"$out/prefix/bin/softwarp-cc" "$2/vectoradd.cu" -o "$out/vectoradd" && "$out/vectoradd" | grep -q PASSED
"$out/prefix/share/softwarp/cuda/bin/nvcc" "$2/vectoradd.cu" -o "$out/vectoradd" && "$out/vectoradd" | grep -q PASSED
"$(dirname "$0")/project.sh" "$out/prefix" "$(dirname "$0")/project"
