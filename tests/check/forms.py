#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What JSON and SARIF of softwarp check say of memcheck.cu in the current folder: sums, explanations, and lines where code-review
sites look for them. usage: forms.py REPORT.json... -- REPORT.sarif..."""
import json
import re
import sys

def check_json(report):
    assert report["errors"] == sum(f["count"] for f in report["findings"]), "errors are not the sum of the findings"
    for finding in report["findings"]:
        assert finding["explanations"][-1].startswith("To do: "), finding["explanations"]
        assert finding["place"]["line"] and finding["place"]["source"], "no source line"


def check_sarif(log):
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert log["version"] == "2.1.0" and len({rule["id"] for rule in rules}) == len(rules)
    assert run["results"], "no result"
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "memcheck.cu", "uriBaseId": "SRCROOT"}, place
        line = open("memcheck.cu", encoding="utf-8").read().split("\n")[place["region"]["startLine"] - 1]
        assert place["region"]["snippet"]["text"] == line and "FAULT" in line, place
        assert re.fullmatch("[0-9a-f]{16}", result["partialFingerprints"]["softwarpFinding/v1"])
        for related in result["relatedLocations"]:
            assert related["physicalLocation"]["region"]["startLine"] and related["message"]["text"]


def main():
    split = sys.argv.index("--")
    for name in sys.argv[1:split]:
        check_json(json.load(open(name)))
    for name in sys.argv[split + 1:]:
        check_sarif(json.load(open(name)))


if __name__ == "__main__":
    main()
