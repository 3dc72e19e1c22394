#!/bin/sh
# options.sh SOFTWARP: what nvcc's options do, seen in what comes out.
set -eu
softwarp=$1
. "$(dirname "$0")/../support/script.sh"
enter_work
cc() { "$softwarp" cc "$@"; }

cat > k.cu << 'EOF'
#include <cstdio>
__constant__ int table[10];
__device__ int all[100];
__global__ void plain(float *p, float a) { p[threadIdx.x] = p[threadIdx.x] * a + sqrtf(p[1]) / a; }
__global__ void __launch_bounds__(128, 2) bounded(int *p)
{
    __shared__ float s[64];
    int local[100];
    for (int i = 0; i < 100; i++) local[i] = p[3 * i];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[0] = s[p[1]] + table[p[2]] + local[p[5]] + all[p[7]];
}
int main(int argc, char **argv)
{
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, plain);
    printf("%d %d %s\n", a.numRegs, argc, argc > 1 ? argv[1] : "-");
    return 0;
}
EOF

# Launch bounds and the target are in the PTX; so are the ways to calculate.
cc -ptx -arch=sm_80 k.cu
grep -q '^.target sm_80' k.ptx && grep -q '^.maxntid 128' k.ptx && grep -q '^.minnctapersm 2' k.ptx || die "launch bounds"
grep -q 'fma.rn.f32' k.ptx && grep -q 'sqrt.rn.f32' k.ptx && grep -q 'div.rn.f32' k.ptx || die "exact by default, fused"
cc -ptx -fmad=false -prec-div=false -prec-sqrt false -ftz=true k.cu
! grep -q 'fma.rn' k.ptx && grep -q 'sqrt.approx.ftz.f32' k.ptx && grep -q 'div.full.ftz.f32' k.ptx || die "single options"
cc -ptx -use_fast_math k.cu
grep -q 'sqrt.approx.ftz.f32' k.ptx && grep -q 'div.approx.ftz.f32' k.ptx || die "-use_fast_math"

# The report: the lines that scripts read, in ptxas's words; not without -v.
cc -Xptxas -v -arch=sm_80 -c k.cu 2> report
grep -q '^ptxas info    : 400 bytes gmem, 40 bytes cmem\[3\]$' report || die "report, module: $(cat report)"
grep -q "^ptxas info    : Compiling entry function '_Z7boundedPi' for 'sm_80'$" report || die "report, kernel"
grep -q '^    400 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads$' report || die "report, stack"
grep -Eq '^ptxas info    : Used [0-9]+ registers, used 1 barriers, 400 bytes cumulative stack size, 256 bytes smem, 360 bytes cmem\[0\] .*estimated' report ||
    die "report, resources: $(cat report)"
cc -c k.cu 2> report
[ ! -s report ] || die "a report that nobody asked for: $(cat report)"

# -maxrregcount reaches kernels without launch bounds, and what the runtime says of them.
cc -maxrregcount=10 -Xptxas -v k.cu -o limited 2> report
grep -A3 _Z5plain report | grep -q 'Used 10 registers' || die "-maxrregcount in the report: $(cat report)"
! grep -A3 _Z7bounded report | grep -q 'Used 10 registers' || die "-maxrregcount beside launch bounds"
./limited | grep -q '^10 1 -' || die "-maxrregcount when it runs: $(./limited)"

# Run at once; options from a file; another name with -x cu; several sources; -E and -M to a file.
[ "$(cc -maxrregcount 11 k.cu -o k -run -run-args one)" = "11 2 one" ] || die "-run"
echo '-DNAME=kernel -arch=sm_80' > words
cp k.cu k.cpp
cc -x cu @words -c k.cpp -o k.o && cc -x cu --options-file words -ptx k.cpp && grep -q sm_80 k.ptx || die "-x cu"
echo '__global__ void other() {}' > other.cu
rm -f *.ptx *.o && cc -ptx k.cu other.cu && [ -s k.ptx ] && [ -s other.ptx ] || die "-ptx of two files"
cc -c k.cu other.cu && [ -s k.o ] && [ -s other.o ] || die "-c of two files"
cc -E other.cu -o other.ii && grep -q 'void other' other.ii || die "-E"
cc -M other.cu -MT goal -o other.d && grep -q '^goal:.*other.cu' other.d || die "-M: $(cat other.d)"
cc -MD -MF other.d -MT goal -c other.cu && grep -q '^goal:.*other.cu' other.d || die "-MD"
cc --dryrun -c other.cu 2>&1 | grep -q -- '-fcuda-is-device' || die "--dryrun"
cc --version | grep -q 'release 13.0, V13.0' || die "--version"
cc --list-gpu-arch | grep -q '^compute_90$' || die "--list-gpu-arch"
cc --help | grep -q -- '--cubin (-cubin): Softwarp runs PTX' || die "--help"
cc -G -g k.cu -o debug && ./debug > /dev/null && cc -G -ptx k.cu && grep -q '^.target.*debug' k.ptx || die "-G"
cc -O0 -ptx k.cu && ! grep -q '\.local .*__local_depot0' k.ptx || die "-O0 is the host's level"

# Errors of inline PTX are errors of the build.
echo '__global__ void k(int *p) { asm("add.s32 %0, %1;" : "=r"(*p) : "r"(1)); }' > wrong.cu
! cc -c wrong.cu 2> message || die "wrong PTX was taken"
grep -q "'add.s32' in '_Z1kPi' (.*wrong.cu:1): expected 3 operands, found 2" message || die "wrong PTX: $(cat message)"
printf '__global__ void k(int *p)\n{\n    asm("bad.instr %%0;" : "=r"(*p));\n}\n' > unknown.cu # also one that is not known
for how in '-c' '-c -rdc=true' '-fatbin'; do
    code=0; cc $how unknown.cu -o unknown.out 2> message || code=$?
    [ $code = 3 ] || die "$how, an unknown instruction: exit status $code"
    grep -q ":[0-9]*:[0-9]*: unknown instruction 'bad.instr %r1' in kernel '_Z1kPi' (.*unknown.cu:3): " message || die "$how, an unknown instruction: $(cat message)"
done

# Options without effect are named, and refused ones too.
cc -ccbin g++ -c other.cu 2> message && grep -q "'-ccbin' has no effect" message || die "-ccbin: $(cat message)"
expect 3 "'-lib' is not supported" cc -lib other.cu
expect 1 '--no-such-option' cc --no-such-option -c other.cu
exit $failed
