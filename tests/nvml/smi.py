#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: smi.py SOFTWARP RECORDED DIFFERENCES HOLDER     What `softwarp smi` prints equals what nvidia-smi printed on H200s
(RECORDED): labels, fields, order, units, constants and exit statuses. Values that vary from moment to moment or from board to
board are left out (VARIES); DIFFERENCES (label or field TAB reason) has the others. HOLDER holds device memory for some seconds
where the recording had a process."""
import os
import re
import subprocess
import sys
import tempfile
import time

softwarp, recorded, differences, holder = sys.argv[1:5]
known = dict(line.rstrip("\n").split("\t") for line in open(differences) if line.strip() and line[0] != "#")
hits = {name: 0 for name in known}
VARIES = set("""Timestamp|Driver Version|Serial Number|GPU UUID|Minor Number|Module Id|Board ID|Bus|Device|Bus Id|GPU|GPU Current Temp|
GPU T.Limit Temp|Memory Current Temp|Average Power Draw|Instantaneous Power Draw|Tx Throughput|Rx Throughput|GSP Firmware Version|
Process ID|Name|Used GPU Memory|Max|Min|Avg|Duration|Number of Samples|Idle|Virtualization Mode|Used""".replace("\n", "").split("|"))
VARIES_CSV = set("""timestamp serial uuid gpu_uuid gpu_serial gpu_bus_id pci.bus_id pci.bus pci.device driver_version temperature.gpu
temperature.gpu.tlimit temperature.memory power.draw power.draw.average power.draw.instant clocks_event_reasons.active pid process_name
clocks_event_reasons.gpu_idle used_gpu_memory used_memory utilization.gpu""".split())
CLOCKS = {"Graphics", "SM", "Video", "clocks.current.graphics", "clocks.current.sm", "clocks.current.video"}


def blocks():
    block = None
    for line in open(recorded):
        line = line.rstrip("\n")
        if line.startswith("== "):
            mark, _, args = line[3:].partition(" ")
            block = [mark, args, []]
        elif block and re.match(r"^-- \d+$", line):
            yield *block, int(line[3:])
            block = None
        elif block:
            block[2].append(line)


def differs(name):
    if name in known:
        hits[name] += 1
        return True
    return False


def log_line(line, heading):
    line = line.rstrip()
    label, colon, value = line.partition(": ")
    label = label.strip()
    if re.match(r"GPU [0-9A-F:.]+$", line):
        return "GPU ~"
    if not colon:
        return line
    unit = value.split(" ")[-1] if " " in value and value[0].isdigit() else ""
    varies = label in VARIES or (label in CLOCKS and heading == "Clocks")
    return f"{line[:line.index(': ')]}: {'~ ' + unit if varies else value}"


def log_lines(lines):
    out, heading = [], ""
    for line in lines:
        if re.match(r"^ {4}\S.*[^:]$", line) and ": " not in line:
            heading = line.strip()
        out.append((line.partition(": ")[0].strip(), log_line(line, heading)))
    return out


def table_line(line):
    line = re.sub(r"^\w{3} \w{3} +\d+ .*", "~", line)
    line = re.sub(r"\| (NVIDIA|SOFTWARP)-SMI .*", "| ~", line)
    line = re.sub(r"0000\d{4}:\w\w:\w\w\.0", "~bus", line)
    line = re.sub(r" +\d+C ", "  ~C ", line)
    line = re.sub(r" +\d+W /", " ~W /", line)
    line = re.sub(r" +\d+MiB /", " ~MiB /", line)
    line = re.sub(r" +\d+%", " ~%", line)
    return re.sub(r"( N/A +)\d+( +C +)\S+ +\d+MiB", r" N/A ~\2~ ~MiB", line)


def rows(lines, header):
    names = (header or lines[0]).split(", ")
    names = [n.split(" [")[0] for n in names]
    units = [n.split(" [")[1][:-1] if " [" in n else "" for n in (header or lines[0]).split(", ")]
    out = [] if header else [("header", lines[0])]
    for line in lines[0 if header else 1:]:
        for name, unit, value in zip(names, units, line.split(", ")):
            varies = name in VARIES_CSV or name in CLOCKS
            out.append((name, f"{name} = {'~ ' + value.split(' ')[-1] if varies and unit and ' ' in value else '~' if varies else value}"))
        out.append(("row", f"{len(line.split(', '))} columns"))
    return out


def normal(args, lines, header):
    if "--query-" in args and lines and "Field" not in lines[0] and "modifier" not in lines[0] and "devices" not in lines[0]:
        return rows(lines, header)
    if args.startswith("-q"):
        return log_lines(lines)
    if args.startswith(("-L", "--list")):
        return [("", re.sub(r"GPU-[0-9a-f-]+", "~", line)) for line in lines]
    return [("", table_line(line)) for line in lines]


bad, checked = 0, 0
with tempfile.TemporaryDirectory() as runtime:
    held = None
    for mark, args, lines, code in blocks():
        env = dict(os.environ, SOFTWARP_RUNTIME_DIR=runtime, SOFTWARP_DEVICE="h200:" + mark[0])
        if "P" in mark and not held:
            held = subprocess.Popen([holder, "hold-child"], env=env, stdout=subprocess.PIPE)
            for _ in range(3):
                held.stdout.readline()
        if "P" not in mark and held:
            held.kill()
            held.wait()
            held = None
        words = re.findall(r"--query-gpu=name, index|--format=csv, noheader|\S+|^$", args) if args else []
        ours = subprocess.run([softwarp, "smi", *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if ours.returncode != (2 if code == 255 else code):  # an unknown option is wrong use, as elsewhere on our command line
            print(f"{args[:100]}: exit status {ours.returncode}, recorded {code}")
            bad = 1
        mine = ours.stdout.split("\n")[:-1] if ours.stdout else []
        if code in (2, 255) and not lines:
            continue
        header = None
        if "noheader" in args and "--query-" in args and code == 0:
            names = re.search(r"--query-[a-z-]+[= ](\S+)", args)[1]
            header = ", ".join(n for n in names.split(","))
        a, b = normal(args, lines, header), normal(args, mine, header)
        if len(a) != len(b):
            print(f"{args[:100]}: {len(b)} parts, recorded {len(a)}")
            bad = 1
        for (name, theirs), (other, got) in zip(a, b):
            checked += 1
            if theirs != got and not differs(name):
                print(f"{args[:60]}: recorded: {theirs}\n{args[:60]}: ours:     {got}")
                bad = 1
    if held:
        held.kill()
for name, count in hits.items():
    if not count:
        print(f"listed as different, but equal: {name}")
        bad = 1
print(f"{checked} lines and values compared")
sys.exit(bad)
