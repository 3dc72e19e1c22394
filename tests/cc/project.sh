#!/bin/sh
# project.sh PREFIX PROJECT: CMake builds the project with the toolchain file of PREFIX, its tests pass, and so do its installed
# programs; then a makefile that calls nvcc; then the same without CMake knowing CUDA as a language.
set -eu
toolchain=$1/share/softwarp/cmake/softwarp-toolchain.cmake project=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
unset LD_LIBRARY_PATH CUDAFLAGS CUDACXX || true
fail() { echo "FAILED: $*"; cat "$out/log"; exit 1; }

cmake -S "$project" -B "$out/build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_INSTALL_PREFIX="$out/installed" \
    -DCMAKE_BUILD_TYPE=Release > "$out/log" 2>&1 || fail "cmake"
grep -q 'Found CUDAToolkit.*13.0.0' "$out/log" || fail "find_package(CUDAToolkit)"
cmake --build "$out/build" --target all install > "$out/log" 2>&1 || fail "build"
grep -q "ptxas info    : Compiling entry function '_Z5whichPi' for 'sm_80'" "$out/log" || fail "an option of NVIDIA's compiler"
! grep -qi warning "$out/log" || fail "warnings"
(cd "$out/build" && ctest --output-on-failure) > "$out/log" 2>&1 || fail "ctest"
grep -q '100% tests passed, 0 tests failed out of 4' "$out/log" || fail "number of tests"
grep -q '^.target sm_80' "$out/build/CMakeFiles/text.dir/whole.ptx" || fail "PTX"
"$out/installed/bin/whole" > "$out/log" || fail "an installed program"
# A second run of the build has nothing to do: dependencies are known, and only real files are among them.
cmake --build "$out/build" --target all > "$out/log" 2>&1 || fail "build again"
! grep -q Building "$out/log" || fail "builds again what is built"

# The folder laid out as a toolkit, for makefiles.
cp "$project/main.cu" "$project"/device_*.cu "$project/device_sum.h" "$project/host.cpp" "$out"
cat > "$out/Makefile" << 'EOF'
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
make -C "$out" CUDA_HOME="$1/share/softwarp/cuda" > "$out/log" 2>&1 || fail "make"
"$out/main" && "$out/host" || fail "what make built"
grep -q 'release 13.0' "$out/version" || fail "nvcc -V"
