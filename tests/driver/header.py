#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: header.py CC OUR_INCLUDE TOOLKIT BUILD    Our cuda.h against the toolkit's: every enumerator and constant has the
same value, every record the same size and field offsets, every call the same type, every name the same version, with and
without per-thread default streams. Exits 77 (skipped) where no toolkit is installed."""
import os
import re
import subprocess
import sys

cc, ours, toolkit, build = sys.argv[1:5]
theirs = os.path.join(toolkit, "include")
if not os.path.exists(os.path.join(theirs, "cuda.h")):
    print("SKIPPED: no cuda.h in " + theirs)
    sys.exit(77)
text = open(os.path.join(ours, "cuda.h")).read()
text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def records():
    for m in re.finditer(r"^typedef (?:struct|union) \w+ \{\n(.*?)^\} (\w+)[^;]*;", text, re.S | re.M):
        depth, fields = 1, []
        for line in m[1].splitlines():
            if line.endswith("{"):
                depth += 1
            elif line.strip().startswith("}"):
                depth -= 1
                named = re.search(r"\} (\w+)", line)
                if depth == 1 and named:
                    fields.append(named[1])
            elif depth == 1:
                for part in re.sub(r"\[[^]]*\]", "", line).rstrip(";").split(","):
                    fields.append(re.search(r"(\w+)\s*$", part)[1] if re.search(r"(\w+)\s*$", part) else None)
        yield m[2], [f for f in fields if f]


enumerators = re.findall(r"\b((?:CU|CUDA)_\w+) = ", text)
constants = [m for m in re.findall(r"^#define ((?:CU|CUDA)_\w+) ", text, re.M)]
names = sorted(set(re.findall(r"^#define (cu\w+) ", text, re.M)) - {"cuGetProcAddress_v2"})
calls = re.findall(r"^CUresult CUDAAPI (\w+)\(([^;]*)\);", text, re.M)

body = ["#include <cuda.h>", "#if __has_include(<cudaProfiler.h>)", "#include <cudaProfiler.h>", "#endif",
        "#include <stddef.h>", "#include <stdio.h>", "#define S_(x) #x", "#define S(x) S_(x)", "int main(void) {"]
body += [f'printf("{e} %lld\\n", (long long){e});' for e in enumerators]
body += [f'printf("{c} %lld\\n", (long long)({c}));' for c in constants]
body += [f'printf("{n} %s\\n", S({n}));' for n in names]
for record, fields in records():
    body.append(f'printf("{record} %zu\\n", sizeof({record}));')
    body += [f'printf("{record}.{f} %zu\\n", offsetof({record}, {f}));' for f in fields]
body.append("return 0; }")
checks = ["#include <cuda.h>", "#include <cudaProfiler.h>"]
for name, parameters in calls:
    checks.append(f'_Static_assert(__builtin_types_compatible_p(__typeof__(&{name}), CUresult (*)({parameters})), "{name}");')


def write(name, lines):
    path = os.path.join(build, name)
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
    return path


source = write("header_values.c", body)
outputs = []
for flags in ([], ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]):
    for include in (ours, theirs):
        program = os.path.join(build, "header_values")
        subprocess.run([cc, "-std=c17", "-w", *flags, "-I", include, source, "-o", program], check=True)
        outputs.append(subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines())
bad = [f"{a}  (toolkit: {b})" for i in (0, 2) for a, b in zip(outputs[i], outputs[i + 1]) if a != b]
subprocess.run([cc, "-std=c17", "-w", "-fsyntax-only", "-I", theirs, write("header_calls.c", checks)], check=True)
print("\n".join(bad) or f"{len(outputs[0])} values and {len(calls)} calls agree")
sys.exit(bool(bad))
