#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks JSON against a JSON Schema, the part of it that docs/*-schema.json use, with nothing but python3.
usage: schema.py SCHEMA.json TEXT.md FILE.json...    TEXT.md must name every member that the schema has, and no other in its tables
Also: what the report of a profile says of itself adds up (launches of kernels, sums of lines)."""
import json
import re
import sys

schema = json.load(open(sys.argv[1]))
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float)}
KNOWN = {"$schema", "$defs", "title", "type", "required", "additionalProperties", "properties", "items", "const", "enum", "pattern", "minimum",
         "minItems", "maxItems", "$ref"}


def check(value, rule, where):
    unknown = set(rule) - KNOWN
    assert not unknown, "schema.py does not know %s" % unknown
    if "$ref" in rule:
        return check(value, schema["$defs"][rule["$ref"].split("/")[-1]], where)
    if "const" in rule:
        assert value == rule["const"], "%s is %r, not %r" % (where, value, rule["const"])
    if "enum" in rule:
        assert value in rule["enum"], "%s is %r" % (where, value)
    if "type" in rule:
        assert isinstance(value, TYPES[rule["type"]]) and not isinstance(value, bool), "%s is no %s: %r" % (where, rule["type"], value)
    if "minimum" in rule:
        assert value >= rule["minimum"], "%s is %r" % (where, value)
    if "pattern" in rule:
        assert re.search(rule["pattern"], value), "%s is %r" % (where, value)
    if isinstance(value, list):
        assert rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)), "%s has %d items" % (where, len(value))
        for i, item in enumerate(value):
            check(item, rule["items"], "%s[%d]" % (where, i))
    if isinstance(value, dict):
        for name in rule.get("required", []):
            assert name in value, "%s has no '%s'" % (where, name)
        for name, member in value.items():
            inner = rule.get("properties", {}).get(name, rule.get("additionalProperties"))
            assert inner, "%s has a member '%s' that the schema lacks" % (where, name)
            check(member, inner, "%s.%s" % (where, name))


def members(rule):
    for name, inner in rule.get("properties", {}).items():
        yield name
        yield from members(inner)
    for inner in rule.get("$defs", {}).values():
        yield from members(inner)


def stalls_add_up(kernel):
    """Reasons make a line's cycles, and lines the kernel's reasons, by their shares."""
    lines = [line["stalls"] for line in kernel["lines"] if "stalls" in line]
    ratios = {name.split("stalled_")[1].split("_per_")[0]: m["mean"] for name, m in kernel["metrics"].items() if "average_warps_issue_stalled_" in name}
    for stalls in lines:
        assert stalls["cycles"] == sum(stalls.values()) - stalls["cycles"], "a line's stalls are not the sum of their reasons"
    issued = sum(stalls.get("selected", 0) for stalls in lines)
    for reason, ratio in ratios.items():
        here = sum(stalls.get(reason, 0) for stalls in lines)
        assert kernel["launches"] > 1 or abs(here - ratio * issued) <= 0.001 * issued + 64, "%s: %d cycles at lines, not %g" % (reason, here, ratio * issued)


def adds_up(report):
    assert sum(kernel["launches"] for kernel in report["kernels"]) == len(report["launches"])
    assert [launch["id"] for launch in report["launches"]] == list(range(len(report["launches"])))
    for kernel in report["kernels"]:
        stalls_add_up(kernel)
        for roof in kernel.get("roofline", {}).get("roofs", []):
            flop = {"FP32": "flop_count_sp", "FP64": "flop_count_dp", "FP16": "flop_count_hp"}.get(roof["roof"])
            if flop in kernel["metrics"]:
                assert abs(roof["work"] - kernel["metrics"][flop]["mean"] * kernel["launches"]) < 1, "%s's work is not %s" % (roof["roof"], flop)
            if roof["roof"] == "L1":
                assert roof["work"] == kernel["traffic_bytes"], "L1 moves other bytes than the traffic"
            if "time_share" in roof:
                alone = roof["work"] / roof["peak_per_second"] * 1e9 / kernel["roofline"]["time_ns"]
                assert abs(roof["time_share"] - alone) < 1e-5 + 1e-4 * alone, roof
        if "memory_l2_theoretical_sectors_global" in kernel["metrics"]:
            units = sum(line.get("global", {"units": 0})["units"] for line in kernel["lines"])
            mean = kernel["metrics"]["memory_l2_theoretical_sectors_global"]["mean"]
            assert abs(units - mean * kernel["launches"]) < 1e-3 * kernel["launches"], "lines have %d sectors, launches %g" % (units, mean)


text = open(sys.argv[2]).read()
named = set(re.findall(r"`([a-z0-9_]+)`", text))
for name in members(schema):
    assert name in named, "%s does not speak of '%s'" % (sys.argv[2], name)
for path in sys.argv[3:]:
    with open(path) as file:
        report = json.load(file)
    check(report, schema, "report")
    if "launches" in report:
        adds_up(report)
for broken in ({}, {"schema": "softwarp-profile/2"}):
    try:
        check(broken, schema, "broken")
    except AssertionError:
        continue
    sys.exit("the schema takes %s" % broken)
print("%d reports are as the schema says" % len(sys.argv[3:]))
