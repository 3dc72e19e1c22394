#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: warm.sh BUILD SOURCE     Kernels that are compiled before they are launched: by softwarp cache --warm, after which
# a run compiles nothing, and by CUDA_MODULE_LOADING=EAGER while the program waits.
softwarp=$1/bin/softwarp source=$2
. "$(dirname "$0")/../support/script.sh"
enter_work
unset CUDA_CACHE_DISABLE CUDA_CACHE_MAXSIZE CUDA_MODULE_LOADING SOFTWARP_DEVICE
entries() { "$softwarp" cache | sed -n 's/^entries *\([0-9]*\).*/\1/p'; }
must "$softwarp" cc "$source/tests/cli/warm.cu" -o program

expect 0 '^compiled   3$' "$softwarp" cache --warm ./program
says out '^kernels    3$' || fail "kernels of a program"
[ "$(entries)" = 3 ] || fail "$(entries) entries, not 3"
expect 0 '^6$' "$softwarp" run ./program
[ "$(entries)" = 3 ] || fail "a run after --warm compiled: $(entries) entries"
expect 0 '^cached     3 ' "$softwarp" cache --warm ./program
says out '^compiled   0$' || fail "kernels were compiled again"
expect 0 '^compiled   4$' "$softwarp" cache --warm ./program --block 128,32x32 # 'bounded' takes 64 threads at most

expect 2 'is no list' "$softwarp" cache --warm ./program --block 128,16x
expect 2 'is no list' "$softwarp" cache --warm ./program --block 64x64
expect 2 'need --warm' "$softwarp" cache --block 128
expect 2 'holds no kernels' "$softwarp" cache --warm /bin/true
expect 2 'not found' "$softwarp" cache --warm ./nothing
expect 3 'has no PTX for compute capability 7.0' "$softwarp" cache --warm ./program --device v100
expect 0 '^kernels    3$' "$softwarp" cache --warm ./program --device v100 --any-target
cat > bad.ptx << 'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry fine() { ret; }
.visible .entry bad() { frobnicate.u32; ret; }
END
expect 3 '^failed     1$' "$softwarp" cache --warm bad.ptx
says err 'bad' || fail "which kernel was not compiled"
says out '^kernels    2$' || fail "kernels of a PTX file"

# separate compilation: two files, linked as a run links them
printf '__device__ float twice(float x) { return 2 * x; }\n' > part.cu
printf 'extern __device__ float twice(float);\n__global__ void k(float *x) { x[threadIdx.x] = twice(x[threadIdx.x]); }\nint main() { float *x; cudaMalloc(&x, 1024); k<<<1, 256>>>(x); return cudaDeviceSynchronize(); }\n' > whole.cu
must "$softwarp" cc -rdc=true part.cu whole.cu -o separate
must "$softwarp" cache --clear
expect 0 '^compiled   1$' "$softwarp" cache --warm ./separate
expect 0 '' "$softwarp" run ./separate
[ "$(entries)" = 1 ] || fail "a run of separate compilation after --warm compiled: $(entries) entries"

# EAGER: in the background, while the program waits for its input
[ "$(nproc)" -gt 1 ] || exit $failed
must "$softwarp" cache --clear
mkfifo input
CUDA_MODULE_LOADING=EAGER "$softwarp" run ./program waits < input > eager.out 2>&1 &
exec 3> input
for i in $(seq 300); do
    [ "$(entries)" = 3 ] && break
    sleep 0.1
done
[ "$(entries)" = 3 ] || fail "EAGER: $(entries) kernels, not 3, while the program waited"
exec 3>&-
wait $! || fail "EAGER: the program failed: $(cat eager.out)"
must "$softwarp" cache --clear
expect 0 '^6$' env CUDA_MODULE_LOADING=EAGER "$softwarp" run ./program
must "$softwarp" cache --clear
expect 0 '^6$' env CUDA_MODULE_LOADING=EAGER "$softwarp" run ./program resets
must "$softwarp" cache --clear
CUDA_MODULE_LOADING=LAZY "$softwarp" run ./program waits < /dev/null || fail "LAZY: the program failed"
[ "$(entries)" = 0 ] || fail "LAZY: $(entries) kernels were compiled"
exit $failed
