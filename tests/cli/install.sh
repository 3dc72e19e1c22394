#!/bin/sh
# What `make install` leaves works on its own: GPUs, compiler, libraries. usage: install.sh BUILD SOURCE-TREE
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cd "$work"
export CUDA_CACHE_PATH=$work/cache
softwarp=$work/prefix/bin/softwarp
"$softwarp" devices | grep -q h200
"$softwarp" cc -o vectoradd "$source/examples/vectoradd.cu"
./vectoradd -n 1000 # softwarp cc wrote where its libraries are
"$softwarp" profile --metrics gld_transactions --csv --page raw -o out.csv ./vectoradd -n 262144
grep -q '"65,536"' out.csv
