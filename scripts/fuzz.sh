#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/fuzz.sh BUILD    Runs all fuzzers (docs/reliability.md): random sequences of API calls with the libraries in
# BUILD, then, where clang is installed, the readers of PTX and of fat binaries. SECONDS_EACH=N: how long each runs (300).
# SEED=N: the first sequence (from the date). What fails is printed with the seed, or is a file in build-fuzz/found.
set -u
build=$(cd "$1" && pwd)
seconds=${SECONDS_EACH:-300}
status=0
export SOFTWARP_DEVICE="$build/tests/fuzz/small.ini:2"
mkdir -p build-fuzz
echo "random calls for $seconds seconds; build-fuzz/api.log"
"$build/tests/fuzz_api" --libraries "$build/lib" --seed "${SEED:-$(date +%s)}" --count 1000000000 \
  --seconds "$seconds" --functions >build-fuzz/api.log || status=1
grep -v '^never succeeded' build-fuzz/api.log
echo "random calls of stand-in libraries for $seconds seconds; build-fuzz/stand-ins.log"
"$build/tests/fuzz_api" --libraries "$build/lib" --stand-ins --seed "${SEED:-$(date +%s)}" --count 1000000000 \
  --seconds "$seconds" --functions >build-fuzz/stand-ins.log || status=1
grep -v '^never succeeded\|^not reached' build-fuzz/stand-ins.log
unset SOFTWARP_DEVICE
clang=$(command -v clang-19 || command -v clang) || { echo "no clang: the fuzzers of PTX and fat binaries are left out"; exit $status; }
echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long bytes) { return !data && bytes; }' | \
  "$clang" -fsanitize=fuzzer,address -x c - -o build-fuzz/probe 2>/dev/null || {
  echo "the fuzzers of PTX and fat binaries are left out: clang's run-time libraries are missing (package libclang-rt-19-dev)"
  exit 1
}
cmake -B build-fuzz -G Ninja -DSW_FUZZ=ON -DCMAKE_C_COMPILER="$clang" >build-fuzz/build.log && \
  cmake --build build-fuzz --target fuzz_ptx fuzz_fatbin >>build-fuzz/build.log || { tail -20 build-fuzz/build.log; exit 1; }
for what in ptx fatbin; do
  mkdir -p build-fuzz/found build-fuzz/new-$what
  dictionary=
  [ $what = ptx ] && dictionary=-dict=tests/fuzz/ptx.dict
  # shellcheck disable=SC2086 # no dictionary is no argument
  build-fuzz/tests/fuzz_$what -max_len=20000 -max_total_time="$seconds" -artifact_prefix=build-fuzz/found/ -verbosity=0 \
    $dictionary build-fuzz/new-$what tests/fuzz/corpus/$what || status=1
done
exit $status
