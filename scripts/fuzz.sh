#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/fuzz.sh BUILD    Runs all fuzzers (docs/reliability.md): random sequences of API calls with the libraries in
# BUILD, changed kernels that run and are compared with the oracle, then, where clang is installed, the readers of files: one
# for each folder of tests/fuzz/corpus. MINUTES=N: how long all of them run together. SECONDS_EACH=N: how long each runs (300).
# SEED=N: the first sequence (from the date). ONLY=NAMES: these readers alone. What fails is printed with the seed, or is a
# file in build-fuzz/found; new inputs are kept in build-fuzz/new-NAME, where the next run goes on.
set -u
build=$(cd "$1" && pwd)
names=${ONLY:-$(ls tests/fuzz/corpus)}
count=$(echo "$names" | wc -w)
seconds=${SECONDS_EACH:-300}
others=3
[ -z "${ONLY:-}" ] || others=0
[ -z "${MINUTES:-}" ] || seconds=$((MINUTES * 60 / (count + others)))
[ "$seconds" -gt 0 ] || seconds=1
status=0
mkdir -p build-fuzz
api() # LOG ARGUMENT...
{
  log=build-fuzz/$1
  shift
  "$build/tests/fuzz_api" --libraries "$build/lib" --seed "${SEED:-$(date +%s)}" --count 1000000000 --seconds "$seconds" \
    --functions "$@" >"$log" || status=1
}
if [ -z "${ONLY:-}" ]; then
  export SOFTWARP_DEVICE="$build/tests/fuzz/small.ini:2"
  echo "random calls for $seconds seconds; build-fuzz/api.log"
  api api.log
  grep -v '^never succeeded\|^not reached' build-fuzz/api.log
  echo "random calls of stand-in libraries for $seconds seconds; build-fuzz/stand-ins.log"
  api stand-ins.log --stand-ins
  grep -v '^never succeeded\|^not reached' build-fuzz/stand-ins.log
  unset SOFTWARP_DEVICE
  echo "changed kernels for $seconds seconds; build-fuzz/kernels.log, those that failed in build-fuzz/found/kernels"
  mkdir -p build-fuzz/found/kernels
  "$build/tests/fuzz_kernels" --seed "${SEED:-$(date +%s)}" --count 1000000000 --seconds "$seconds" \
    --keep build-fuzz/found/kernels tests/exec/kernels/*.ptx >build-fuzz/kernels.log || status=1
  tail -12 build-fuzz/kernels.log
fi
clang=$(command -v clang-19 || command -v clang) || { echo "no clang: the fuzzers of files are left out"; exit $status; }
echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long bytes) { return !data && bytes; }' | \
  "$clang" -fsanitize=fuzzer,address -x c - -o build-fuzz/probe 2>/dev/null || {
  echo "the fuzzers of files are left out: clang's run-time libraries are missing (package libclang-rt-19-dev)"
  exit 1
}
# shellcheck disable=SC2046 # a target each
cmake -B build-fuzz -G Ninja -DSW_FUZZ=ON -DCMAKE_C_COMPILER="$clang" >build-fuzz/build.log && \
  cmake --build build-fuzz --target $(for name in $names; do echo "fuzz_$name"; done) >>build-fuzz/build.log || {
  tail -20 build-fuzz/build.log
  exit 1
}
for name in $names; do
  echo "reading $name for $seconds seconds; build-fuzz/$name.log"
  mkdir -p "build-fuzz/found/$name" "build-fuzz/new-$name"
  dictionary=tests/fuzz/$name.dict
  [ -e "$dictionary" ] && dictionary=-dict=$dictionary || dictionary=
  # shellcheck disable=SC2086 # no dictionary is no argument
  "build-fuzz/tests/fuzz_$name" -max_len=20000 -timeout=10 -rss_limit_mb=2048 -max_total_time="$seconds" -close_fd_mask=2 \
    -print_final_stats=1 -artifact_prefix="build-fuzz/found/$name/" $dictionary "build-fuzz/new-$name" "tests/fuzz/corpus/$name" \
    >"build-fuzz/$name.log" 2>&1 || { status=1; grep -a 'SUMMARY\|ERROR\|BUG\|Test unit written' "build-fuzz/$name.log"; }
  grep -a 'number_of_executed_units\|peak_rss_mb' "build-fuzz/$name.log"
done
exit $status
