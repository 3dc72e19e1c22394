#!/bin/sh
# behaviour.sh CC EXAMPLES: outputs, source lines, no NVIDIA file, and messages when something is missing.
set -eu
cc=$1
. "$(dirname "$0")/../support/script.sh"
enter_work

"$cc" -ptx "$2/vectoradd.cu"
[ -s vectoradd.ptx ] || die "-ptx writes FILE.ptx"
grep -q 'vectoradd.cu' vectoradd.ptx || die "source lines by default"
! grep -q '\.file.*include' vectoradd.ptx || die "lines of headers in device code"

"$cc" -fatbin "$2/vectoradd.cu" -o v.fatbin
[ "$(od -An -tx4 -N4 v.fatbin | tr -d ' ')" = ba55ed50 ] || die "-fatbin writes a container"

# A toolkit on the machine, or in the user's own -I, is not read.
mkdir toolkit
for h in cuda_runtime.h cuda_fp16.h vector_types.h; do echo '#error foreign header' > "toolkit/$h"; done
echo '#include <cuda_fp16.h>' > h.cu
CUDA_PATH=$work/toolkit CUDA_HOME=$work/toolkit "$cc" -I toolkit -c h.cu -MD -MF h.d
! grep -E '/usr/local/cuda|nvidia' h.d || die "a toolkit's header was read"

# Device and host in one file, C++ host file beside it.
printf '#include <cuda_runtime.h>\nint twice(int v) { return 2 * v; }\n' > host.cpp
"$cc" -c host.cpp -o host.o || die "a host file"
# A C file is C, as with nvcc, also beside a CUDA file.
printf '#include <stdlib.h>\n#include <cuda_runtime.h>\nint *make(void) { int *class = malloc(4); return class; }\n' > plain.c
printf 'extern "C" int *make(void);\nint main() { return make() == 0; }\n' > calls_c.cu
"$cc" -c plain.c -o plain.o && "$cc" plain.c calls_c.cu -o calls_c && ./calls_c || die "a C file"

# OpenMP on the host: without the library for OpenMP's own offloading, which clang adds and the loader does not find.
echo 'int main() { return 0; }' > omp.cu
if "$cc" -Xcompiler -fopenmp omp.cu -o omp 2> /dev/null; then # where libomp is installed
    ! readelf -d omp | grep -q libomptarget || die "needs libomptarget"
fi

# What killed commands left in /tmp goes when the next one needs a folder; what is in use, or new, stays.
echo '__global__ void k() {} int main() { k<<<1, 1>>>(); }' > folders.cu
left=$(mktemp -d /tmp/softwarp-cc-XXXXXX) used=$(mktemp -d /tmp/softwarp-cc-XXXXXX) new=$(mktemp -d /tmp/softwarp-cc-XXXXXX)
touch "$left/0.o" "$used/0.o" && touch -d '2 hours ago' "$left" "$used"
flock "$used" "$cc" -rdc=true -c folders.cu -o folders.o || die "-rdc=true -c"
[ ! -e "$left" ] || die "$left is still there"
[ -e "$used/0.o" ] && [ -e "$new" ] || die "a folder in use was removed"
rm -r "$used" "$new"

# Objects alone are linked as any program: no target makes clang look for its linker of offloaded OpenMP.
"$cc" -c omp.cu -o omp.o
"$cc" '-###' -Xcompiler -fopenmp -arch=sm_90 omp.o -o omp > shown 2>&1 || true
grep -q 'libcudart.so.13' shown && ! grep -q 'clang-linker-wrapper' shown || die "a link of objects with OpenMP: $(cat shown)"

expect 2 "SOFTWARP_CLANG='/nowhere/clang++' is not a clang" env SOFTWARP_CLANG=/nowhere/clang++ "$cc" -c h.cu
expect 2 'clang++ 19 not found: install it' env PATH=/nowhere "$cc" -c h.cu
expect 3 "'-cubin' is not supported" "$cc" -cubin h.cu
expect 2 'no input file' "$cc"
echo 'int main( {}' > bad.cu
code=0; "$cc" -c bad.cu 2> message || code=$?
[ $code = 1 ] || die "clang's own exit status: $code"
echo '__global__ void child() {} __global__ void parent() { child<<<1, 1>>>(); } int main() {}' > launches.cu
expect 1 'launch kernels with -rdc=true' "$cc" -c launches.cu

# With -rdc=true it is taken, also in a file that the source includes; messages and lines name the program's own files.
mkdir -p part
printf '__global__ void child(int *p) { *p = 7; }\n__device__ void go(int *p)\n{\n    child<<<1, 1>>>(p);\n}\n' > part/go.cuh
printf '#include "part/go.cuh"\n__global__ void parent(int *p) { go(p); }\nint main() {}\n' > launches.cu
"$cc" -rdc=true -ptx launches.cu || die "a launch in an included file"
grep -q 'cudaCDP2LaunchDevice' launches.ptx || die "no launch in $(cat launches.ptx)"
grep -q '\.file.*part/go.cuh' launches.ptx && ! grep -q 'softwarp-cc-' launches.ptx || die "files of $(grep file launches.ptx)"
sed -i 's/(p);$/(p) oops/' part/go.cuh
! "$cc" -rdc=true -c launches.cu 2> message && grep -q '^.*part/go.cuh:4:.*error' message || die "names another file: $(cat message)"
printf '__global__ void k() {}\nint main() { k << <1, 2 >> > (); }\n' > blanks.cu
"$cc" -c blanks.cu || die "a launch with blanks"
printf '__global__ void k(float *p)\n{\n    __shared__ alignas(16) float a[8];\n    a[threadIdx.x] = *p;\n    *p = a[0];\n}\n' > align.cu
"$cc" -ptx align.cu && grep -q 'shared .align 16' align.ptx || die "alignas behind __shared__: $(cat align.ptx)"
[ -z "$(find /tmp -maxdepth 1 -name 'softwarp-cc-*' -newer align.cu -user "$(id -u)" -exec grep -ls "$work" {}/files.yaml \;)" ] || die "left files in /tmp"

# Separate compilation: a device function that no object has is an error of the link.
printf 'extern __device__ int nowhere(int);\n__global__ void k(int *p) { *p = nowhere(*p); }\nint main() {}\n' > lacks.cu
expect 1 'undefined reference to `softwarp.device._Z7nowherei' "$cc" -rdc=true lacks.cu -o lacks

# Headers and libraries of NVIDIA's: which one it is, and what works instead.
for header in cutensor.h cusolverMg.h cudnn.h npp.h; do
    echo "#include <$header>" > needs.cu
    ! "$cc" -c needs.cu 2> message || die "$header is not ours"
    grep -q "$header belongs to NVIDIA's .*what works instead: " message || die "$header: $(cat message)"
done
echo '#include <thrust/sort.h>' > needs.cu
! "$cc" -c needs.cu 2> message && grep -q 'thrust/sort.h belongs to CCCL.*with -I' message || die "Thrust: $(cat message)"
echo 'int main() { return 0; }' > empty.cu
"$cc" empty.cu -lcutensor -o empty 2> message && grep -q "'-lcutensor' has no effect: NVIDIA's cuTENSOR is .*what works instead" message ||
    die "-lcutensor: $(cat message)"
# Headers of three of them, together.
cat > mentions.cu << 'EOF'
#include <cublas_v2.h>
#include <curand.h>
#include <cusparse.h>
static const char *say(cublasStatus_t status) { return status == CUBLAS_STATUS_SUCCESS ? "good" : "bad"; }
int main() { return say(CUBLAS_STATUS_SUCCESS)[0] != 'g' || CUSPARSE_STATUS_SUCCESS || CURAND_STATUS_SUCCESS; }
EOF
"$cc" mentions.cu -o mentions && ./mentions || die "types of cuBLAS and others"
exit $failed
