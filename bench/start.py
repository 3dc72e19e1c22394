#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs to start: a program with one small kernel under `softwarp run`, with its kernel in the cache, beside the same program
with a CUDA runtime that does nothing. The two take turns; CPU time and time that passes, medians and least, in milliseconds.
usage: start.py BUILD [TURNS]
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = """#include <cstdio>
#include <cuda_runtime.h>
__global__ void numbers(int *out) { out[threadIdx.x] = threadIdx.x; }
int main()
{
    int *out, host[32] = {};
    cudaMalloc(&out, sizeof host);
    numbers<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\\n", host[31]);
}
"""


def nothing(program, folder):
    """A library in the place of the runtime whose functions return 0."""
    names = subprocess.run(["nm", "-D", "--undefined-only", program], check=True, capture_output=True, text=True).stdout
    names = [line.split()[-1].split("@")[0] for line in names.splitlines() if "cuda" in line]
    needed = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
    library = next(word for word in needed.replace("[", " ").replace("]", " ").split() if word.startswith("libcudart"))
    source = os.path.join(folder, "nothing.c")
    with open(source, "w") as file:
        file.write("".join(f"int {name}(void) {{ return 0; }}\n" for name in names))
    subprocess.run(["cc", "-w", "-shared", "-fPIC", f"-Wl,-soname,{library}", source, "-o", os.path.join(folder, library)], check=True)


def measure(command, environment):
    begun = time.perf_counter()
    process = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    usage = os.wait4(process.pid, 0)[2]
    process.returncode = 0
    return (usage.ru_utime + usage.ru_stime) * 1e3, (time.perf_counter() - begun) * 1e3


def main():
    softwarp = os.path.join(os.path.abspath(sys.argv[1]), "bin", "softwarp")
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 41
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        with open(program + ".cu", "w") as file:
            file.write(PROGRAM)
        subprocess.run([softwarp, "cc", "-O2", program + ".cu", "-o", program], check=True)
        nothing(program, folder)
        ways = {"a runtime that does nothing": ([program], {"LD_LIBRARY_PATH": folder}), "softwarp run": ([softwarp, "run", program], {})}
        times = {way: [] for way in ways}
        for _ in range(turns):
            for way, (command, environment) in ways.items():
                times[way].append(measure(command, environment))
    print("%-28s %18s %18s" % ("ms: median, least", "CPU time", "time"))
    for way, samples in times.items():
        print("%-28s" % way + "".join(" %9.1f %8.1f" % (statistics.median(v), min(v)) for v in zip(*samples)))


main()
