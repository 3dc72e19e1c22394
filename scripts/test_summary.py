#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_summary.py RESULTS.xml    What ctest's JUnit file says: skipped tests with their reasons, failed tests, and how
many passed. Exit status 1 when there is no file, no test in it, or a test failed."""
import sys
import xml.etree.ElementTree

try:
    cases = list(xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"))
except (OSError, xml.etree.ElementTree.ParseError) as error:
    sys.exit("no results of tests: %s" % error)
by_status = {"run": [], "notrun": [], "fail": []}
for case in cases:
    by_status.setdefault(case.get("status"), []).append(case)


def reason(case):
    """The last line that the test printed."""
    lines = [line for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
    return lines[-1].replace("SKIPPED: ", "") if lines else "no reason given"


skipped = by_status["notrun"] + by_status.get("disabled", [])
by_reason = {}
for case in skipped:
    by_reason.setdefault(reason(case), []).append(case.get("name"))
for text, names in by_reason.items():
    print("skipped, %s: %s" % (text, " ".join(names)))
for case in by_status["fail"]:
    print("FAILED: %s" % case.get("name"))
print("%d passed, %d failed, %d skipped" % (len(by_status["run"]), len(by_status["fail"]), len(skipped)))
sys.exit(bool(by_status["fail"]) or not by_status["run"])
