#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: compile_linked.sh SOFTWARP SOURCE_DIR WORK_DIR      softwarp cc compiles the three files of api_linked: to objects, one of
# them in a library, which the host's linker links; and by one command. Both programs print ok.
set -eu
softwarp=$1 source=$2 work=$3/cc_linked
rm -rf "$work"
mkdir "$work"
cd "$work"
for part in main part library; do
    "$softwarp" cc -w -std=c++17 -dc "$source/api_linked_$part.cu" -o "$part.o"
done
ar rcs liblinked.a library.o
"$softwarp" cc -dlink main.o part.o -L. -llinked -o code.o
"$softwarp" cc main.o part.o code.o -L. -llinked -o by_objects
./by_objects | grep -qx ok
cp "$source"/api_linked_*.cu "$source"/api_linked.h "$source"/api_check.h .
"$softwarp" cc -w -std=c++17 -rdc=true -c api_linked_part.cu api_linked_library.cu
"$softwarp" cc -w -std=c++17 -rdc=true api_linked_main.cu api_linked_part.o api_linked_library.o -o by_one
./by_one | grep -qx ok
