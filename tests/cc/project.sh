#!/bin/sh
# project.sh PREFIX PROJECT: CMake builds the project with the toolchain file of PREFIX, its tests pass, and so do its installed
# programs; then a makefile that calls nvcc; then the same without CMake knowing CUDA as a language.
set -eu
toolchain=$1/share/softwarp/cmake/softwarp-toolchain.cmake project=$2
. "$(dirname "$0")/../support/script.sh"
unset LD_LIBRARY_PATH CUDAFLAGS CUDACXX || true

cmake -S "$project" -B "$work/build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_INSTALL_PREFIX="$work/installed" \
    -DCMAKE_BUILD_TYPE=Release > "$work/out" 2>&1 || die "cmake"
grep -q 'Found CUDAToolkit.*13.0.0' "$work/out" || die "find_package(CUDAToolkit)"
cmake --build "$work/build" --target all install > "$work/out" 2>&1 || die "build"
grep -q "ptxas info    : Compiling entry function '_Z5whichPi' for 'sm_80'" "$work/out" || die "an option of NVIDIA's compiler"
! grep -qi warning "$work/out" || die "warnings"
(cd "$work/build" && ctest --output-on-failure) > "$work/out" 2>&1 || die "ctest"
grep -q '100% tests passed, 0 tests failed out of 4' "$work/out" || die "number of tests"
grep -q '^.target sm_80' "$work/build/CMakeFiles/text.dir/whole.ptx" || die "PTX"
"$work/installed/bin/whole" > "$work/out" || die "an installed program"
# A second run of the build has nothing to do: dependencies are known, and only real files are among them.
cmake --build "$work/build" --target all > "$work/out" 2>&1 || die "build again"
! grep -q Building "$work/out" || die "builds again what is built"

# The folder laid out as a toolkit, for makefiles.
cp "$project/main.cu" "$project"/device_*.cu "$project/device_sum.h" "$project/host.cpp" "$work"
cat > "$work/Makefile" << 'EOF'
NVCC := $(CUDA_HOME)/bin/nvcc
NVCCFLAGS := -std=c++17 -O2 -gencode arch=compute_80,code=sm_80 -Xcompiler "-Wall -Wextra" -rdc=true
all: main host
%.o: %.cu
	$(NVCC) $(NVCCFLAGS) -dc $< -o $@
libdevice.a: device_sum.o device_part.o
	$(NVCC) -V > version
	ar rcs $@ $^
main: main.o libdevice.a
	$(NVCC) $(NVCCFLAGS) $^ -o $@ -L$(CUDA_HOME)/lib64 -lcudart -lcudadevrt
host: libdevice.a
	$(CXX) -I$(CUDA_HOME)/include host.cpp -o $@ $^ -L$(CUDA_HOME)/lib64 -L$(CUDA_HOME)/lib64/stubs -lcudart -lcuda -Wl,-rpath,$(CUDA_HOME)/lib64
EOF
make -C "$work" CUDA_HOME="$1/share/softwarp/cuda" > "$work/out" 2>&1 || die "make"
"$work/main" && "$work/host" || die "what make built"
grep -q 'release 13.0' "$work/version" || die "nvcc -V"
