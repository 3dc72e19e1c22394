#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Record how many machine instructions ptxas makes of PTX instructions on each compute capability.

usage: record.py OUT        writes OUT/counts.tsv and OUT/machine.txt (needs ptxas and nvdisasm of a CUDA toolkit)

Each line of forms.txt is an instruction: its name and, behind it, a letter for each operand, the result first: r 32 bits,
d 64 bits, h 16 bits, f and g floats of 32 and 64 bits, p a predicate, q a second result that is a predicate. A kernel executes it
STEPS times on the result before and on values that it loads, and stores each result, so that nothing is left out or merged.
counts.tsv has the machine instructions of one of them by pipe: those of the kernel less those of one with a single step,
divided; loads, stores, branches and what is at the end of the code (calls of slow paths) included, but for the loads and stores that
the kernel itself needs; moves are apart. '-': ptxas does not take the form on this compute capability."""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = [75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121]
STEPS = 9
KINDS = {"r": ("b32", 4), "d": ("b64", 8), "h": ("b16", 2), "f": ("f32", 4), "g": ("f64", 8)}
PIPES = {
    "fma": "FFMA FADD FMUL IMAD IMUL FFMA32I FADD32I FMUL32I FFMA2 FADD2 FMUL2 IDP FSWZADD",
    "alu": "IADD3 IADD LOP3 LOP SHF SHL SHR PRMT ISETP SEL FMNMX FMNMX3 FSETP FSEL IMNMX VIMNMX VIMNMX3 LEA IABS FSET PLOP3 VIADD VIADDMNMX I2FP "
           "F2FP HMNMX2 VHMNMX BMSK SGXT P2R R2P FCHK I2I ISCADD IADD2 VABSDIFF VABSDIFF4 IDP4A FMNMX2 I2IP F2IP VOTE CSEL IADD64",
    "xu": "MUFU I2F F2I F2F FRND POPC FLO BREV",
    "fp64": "DADD DMUL DFMA DSETP",
    "moves": "MOV IMAD.MOV MOV64IUR",
    "half": "HADD2 HMUL2 HFMA2 HSET2 HSETP2 HFMA2_MMA",
}
PIPE_OF = {name: pipe for pipe, names in PIPES.items() for name in names.split()}
COLUMNS = ["fma", "alu", "xu", "fp64", "half", "other", "moves"]
OWN = {"LDG", "STG", "NOP"}  # a kernel's own


def kernel(name, text, letters, steps):
    regs, lines = collections.OrderedDict(), []
    result, operands = letters[0], [c for c in letters[1:] if c != "q"]
    second = "q" in letters

    def reg(letter, number):
        regs.setdefault(letter, 0)
        regs[letter] = max(regs[letter], number + 1)
        return "%%%s%d" % (letter, number)

    before = None
    for s in range(steps):
        values = []
        for o, letter in enumerate(operands):
            if letter == "p":
                lines.append("setp.ne.u32 %s, %s, %d;" % (reg("p", 900 + o), reg("r", 990), o + 7)) if s == 0 else None
                values.append(reg("p", 900 + o))
            elif o == 0 and before and letter == result:
                values.append(before)
            else:
                value = reg(letter, 100 + s * 8 + o)
                lines.append("ld.global.%s %s, [%%in+%d];" % (KINDS[letter][0], value, (s * 8 + o) * 8))
                values.append(value)
        out = reg("p" if result == "p" else result, s)
        outs = out + ("|" + reg("p", 500 + s) if second else "")
        lines.append("%s %s;" % (text, ", ".join([outs] + values)))
        if result == "p":
            lines.append("@%s st.global.u32 [%%out+%d], %d;" % (out, s * 8, s + 1))
        else:
            lines.append("st.global.%s [%%out+%d], %s;" % (KINDS[result][0], s * 8, out))
            before = out
        if second:
            lines.append("@%s st.global.u32 [%%out+%d], %d;" % (reg("p", 500 + s), 4096 + s * 8, s + 1))
    declared = ["  .reg .%s %%%s<1000>;" % ("pred" if c == "p" else KINDS[c][0], c) for c in regs]
    return "\n".join([".visible .entry %s(.param .u64 a, .param .u64 b, .param .u32 c) {" % name] + declared + [
        "  .reg .u64 %in, %out;", "  ld.param.u64 %in, [a];", "  ld.param.u64 %out, [b];",
        "  cvta.to.global.u64 %in, %in;", "  cvta.to.global.u64 %out, %out;"] + (["  ld.param.u32 %r990, [c];"] if "p" in operands else []) +
        ["  " + line for line in lines if line] + ["  ret;", "}"]) + "\n"


def count(code):
    """Instructions of each function of a disassembly, by opcode."""
    counts, now = {}, None
    for line in code.split("\n"):
        section = re.match(r"\s*\.section\s+\.text\.(\w+)", line)
        if section:
            now = counts.setdefault(section.group(1), collections.Counter())
        instr = re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*(?:\.MOV)?)", line)
        if instr and now is not None:
            now[instr.group(1)] += 1
    return counts


def measure(job):
    number, name, letters, target = job
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = os.path.join(folder, "a.ptx"), os.path.join(folder, "a.cubin")
        with open(ptx, "w") as f:
            f.write(".version 9.0\n.target sm_%d\n.address_size 64\n" % target + kernel("one", name, letters, 1) + kernel("many", name, letters, STEPS))
        made = subprocess.run(["ptxas", "-arch=sm_%d" % target, ptx, "-o", cubin], capture_output=True, text=True)
        if made.returncode:
            return number, target, None, made.stderr.strip().split("\n")[0]
        code = subprocess.run(["nvdisasm", "-c", cubin], capture_output=True, text=True, check=True).stdout
        counts = count(code)
        more = counts["many"]
        more.subtract(counts["one"])
        return number, target, {k: v / (STEPS - 1) for k, v in more.items() if v and k not in OWN}, ""


def main(out):
    forms = [line.split() for line in open(os.path.join(HERE, "forms.txt")) if line.strip() and line[0] != "#"]
    os.makedirs(out, exist_ok=True)
    jobs = [(n, form[0], form[1], t) for n, form in enumerate(forms) for t in TARGETS]
    results, errors = {}, collections.defaultdict(set)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, target, counts, error in pool.map(measure, jobs):
            results[number, target] = counts
            if error:
                errors[number].add(error)
    with open(os.path.join(out, "counts.tsv"), "w") as f:
        f.write("\t".join(["form", "operands", "cc"] + COLUMNS + ["opcodes"]) + "\n")
        for n, (name, letters) in enumerate(forms):
            for t in TARGETS:
                counts, cc = results[n, t], "%d.%d" % (t // 10, t % 10)
                if counts is None:
                    f.write("\t".join([name, letters, cc] + ["-"] * (len(COLUMNS) + 1)) + "\n")
                    continue
                sums = collections.Counter()
                for opcode, value in counts.items():
                    sums[PIPE_OF.get(opcode, "other")] += value
                f.write("\t".join([name, letters, cc] + ["%g" % sums[p] for p in COLUMNS] +
                                  [" ".join("%s:%g" % (k, v) for k, v in sorted(counts.items()))]) + "\n")
    with open(os.path.join(out, "machine.txt"), "w") as f:
        for tool in ("ptxas", "nvdisasm"):
            f.write(tool + ": " + subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.strip().split("\n")[-2] + "\n")
    for n, messages in sorted(errors.items()):
        print("%s: %s" % (forms[n][0], "; ".join(sorted(messages))[:200]))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(sys.argv[1])
