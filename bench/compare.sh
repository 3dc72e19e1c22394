#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/compare.sh BUILD BASE   Is BUILD slower than the commit BASE? Builds BASE in a git worktree below BUILD (with ccache
# where it is), then runs the kernels of bench.c and of the cliff finder with both builds in turns (compare.py). Both run
# this tree's kernels, compiled once by BUILD's `softwarp cc`. Exit status 1: some kernel is slower by more than 10 % in three series.
set -eu
build=$(readlink -f "$1")
base=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
commit=$(git -C "$root" rev-parse --verify --quiet "$base^{commit}") || {
    echo "bench-check: no commit '$base': make bench-check BASE=commit" >&2
    exit 2
}
work=$build/bench/compare
tree=$build/bench/base
mkdir -p "$work"

# One worktree, moved to the commit that is asked for: its build folder is used again.
git -C "$root" worktree prune
if [ -e "$tree/.git" ]; then git -C "$tree" checkout --quiet --detach "$commit"; else git -C "$root" worktree add --quiet --detach "$tree" "$commit"; fi
if command -v ccache > /dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1
fi
make -C "$tree" --no-print-directory products PRESET=release

clang-19 -std=gnu17 -O3 -march=native -ffp-contract=fast -fopenmp-simd -fno-math-errno -c "$here/bench_native.c" -o "$work/bench_native.o"
python3 "$here/cliffs/cliffs.py" "$build" --compile "$work"

# runner NAME BUILD: the program that compare.py runs
runner() {
    clang-19 -std=gnu17 -O2 -I"$root/cuda/include" "$here/bench.c" "$work/bench_native.o" -o "$work/bench.$1" \
        "$2/lib/libcuda.so.1" -lOpenCL -lm -Wl,-rpath,"$(readlink -f "$2/lib")"
    cat > "$work/run.$1" << END
#!/bin/sh
# usage: run.$1 [KERNEL]   lines "KERNEL<tab>MS"; those of the cliff finder begin with "cliff "
set -eu
export SOFTWARP_THREADS=1
pin="taskset -c $(taskset -cp $$ | sed 's/.*[ ,-]//')"
only=\${1:-}
case \$only in "cliff "*) ;; *)
    \$pin "$work/bench.$1" "$here/kernels.ptx" "$here/kernels.cl" --softwarp-only -r 5 \${only:+-k "\$only"} > "$work/out.$1"
    sed -n 's/  *\([0-9.]*\)\$/\t\1/p' "$work/out.$1"
esac
case \$only in "" | "cliff "*)
    \$pin "$2/bin/softwarp" run "$work/cliffs" 5 "\${only#cliff }" > "$work/out.$1"
    awk -F'\t' 'NR == FNR { name[FNR - 1] = \$0; next } { print "cliff " name[\$1] "\t" \$3 }' "$work/names.txt" "$work/out.$1"
esac
END
    chmod +x "$work/run.$1"
}
runner base "$tree/build"
runner new "$build"
python3 "$here/compare.py" "$work/run.base" "$work/run.new"
