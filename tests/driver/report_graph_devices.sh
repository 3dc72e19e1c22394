#!/bin/sh
# usage: report_graph_devices.sh SOFTWARP PROGRAM    Of a graph over two devices, profile and trace show each kernel on its
# own: kernel "first" on device 0, "second" on device 1.
set -eu
. "$(dirname "$0")/../support/script.sh"
must "$1" profile --csv --page raw -o "$work/report.csv" "$2" "captures_keep*"
must "$1" trace -o "$work/trace.json" "$2" "captures_keep*"
python3 - "$work/report.csv" "$work/trace.json" << 'PYTHON'
import csv, json, sys

DEVICES = {"first": "0", "second": "1"}
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["ID"]]
assert {row["Kernel Name"] for row in rows} == set(DEVICES), "a kernel is missing"
assert all(row["Device"] == DEVICES[row["Kernel Name"]] for row in rows), "a kernel is on the wrong device"
trace = json.load(open(sys.argv[2]))
events = trace["traceEvents"] if isinstance(trace, dict) else trace
device_of = {}
for event in events:
    if event["name"] == "process_name" and "device " in event["args"]["name"]:
        device_of[event["pid"]] = event["args"]["name"].split("device ")[1].split()[0]
kernels = [event for event in events if event.get("cat") == "kernel"]
assert {event["name"] for event in kernels} == set(DEVICES), "the trace lacks a kernel"
assert all(device_of[event["pid"]] == DEVICES[event["name"]] for event in kernels), "a kernel is traced on the wrong device"
PYTHON
