#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: header.py CC OUR_INCLUDE NVML_H BUILD    Our nvml.h against NVIDIA's: every enumerator and constant has the same value,
every record the same size and field offsets, every function the same type, and nvml_api.def's names are all of its functions.
Exits 77 (skipped) where there is no such header."""
import os
import re
import subprocess
import sys

cc, ours, theirs, build = sys.argv[1:5]
if not os.path.exists(theirs):
    print("SKIPPED: no nvml.h of NVIDIA's at " + theirs)
    sys.exit(77)
text = re.sub(r"/\*.*?\*/", "", open(os.path.join(ours, "nvml.h")).read(), flags=re.S)
flags = ["-std=gnu17", "-w", "-DNVML_NO_UNVERSIONED_FUNC_DEFS"]
names = re.findall(r"\b(NVML_\w+) =", text)
names += re.findall(r"\b(NVML_\w+_COUNT|NVML_P2P_STATUS_\w+|NVML_GRAPHICS\w*)\b", text)
names += [m for m in re.findall(r"^#define (NVML_\w+|nvml\w+_v\d+|nvmlEventType\w+|nvmlClocks\w+) ", text, re.M)
          if m not in ("NVML_API_VERSION_STR", "NVML_STRUCT_VERSION")]
body = ["#include <stddef.h>", "#include <stdio.h>", "#include <nvml.h>", "int main(void) {"]
body += [f'printf("{n} %lld\\n", (long long)({n}));' for n in dict.fromkeys(names)]
records = 0
for m in re.finditer(r"typedef (?:struct|union) \w* ?\{(.*?)^\} ([\w, ]+);", text, re.S | re.M):
    record = m[2].split(",")[0].strip()
    body.append(f'printf("{record} %zu\\n", sizeof({record}));')
    records += 1
    if "{" in m[1]:
        continue
    for field in re.findall(r"(\w+)(?:\[[^]]*\])*;", m[1]):
        body.append(f'printf("{record}.{field} %zu\\n", offsetof({record}, {field}));')
body.append("return 0; }")
calls = re.findall(r"^(nvmlReturn_t|const char \*)\s*(nvml\w+)\(([^;]*?)\);", text, re.M | re.S)
checks = ["#include <nvml.h>"]
checks += [f'_Static_assert(__builtin_types_compatible_p(__typeof__(&{n}), {r} (*)({p})), "{n}");' for r, n, p in calls]


def write(name, lines):
    path = os.path.join(build, name)
    open(path, "w").write("\n".join(lines) + "\n")
    return path


source, outputs = write("nvml_values.c", body), []
for include in (ours, os.path.dirname(theirs)):
    program = os.path.join(build, "nvml_values")
    subprocess.run([cc, *flags, "-I", include, source, "-o", program], check=True)
    outputs.append(subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines())
bad = [f"{a}  (NVIDIA: {b})" for a, b in zip(*outputs) if a != b]
subprocess.run([cc, *flags, "-fsyntax-only", "-I", os.path.dirname(theirs), write("nvml_calls.c", checks)], check=True)
listed = set(re.findall(r"^(?:DONE|REFUSED)\((\w+)\)", open(os.path.join(ours, "../../src/nvml/nvml_api.def")).read(), re.M))
plain = re.sub(r"/\*.*?\*/|//[^\n]*", "", open(theirs).read(), flags=re.S)
all_names = set(re.findall(r"DECLDIR\s+(?:char\s*\*\s*)?(nvml\w+)\s*\(", plain))
bad += [f"not in nvml_api.def: {n}" for n in sorted(all_names - listed)] + [f"not NVIDIA's: {n}" for n in sorted(listed - all_names)]
print("\n".join(bad) or f"{len(outputs[0])} values of {records} records, {len(calls)} functions of {len(listed)} agree")
sys.exit(bool(bad))
