# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Prints the slowest tests of a run: slowest_tests.py EVENTS COUNT

EVENTS is the event stream of Swift Testing. The time of a test is that of its cases, without the wait for a free place.
"""

import collections
import json
import sys


def seconds_by_test(lines):
    starts, seconds = {}, collections.Counter()
    for line in lines:
        record = json.loads(line)
        if record["kind"] != "event":
            continue
        event = record["payload"]
        # A test without arguments has one case, which has no identity.
        key = event.get("testID"), json.dumps(event.get("_testCase", {}).get("id"))
        if event["kind"] == "testCaseStarted":
            starts[key] = event["instant"]["absolute"]
        elif event["kind"] == "testCaseEnded" and key in starts:
            seconds[event["testID"].split("/")[0] + "/" + "/".join(event["testID"].split("/")[1:-1])] += (
                event["instant"]["absolute"] - starts.pop(key))
    return seconds


def main():
    path, count = sys.argv[1:]
    with open(path, encoding="utf-8") as lines:
        for test, seconds in seconds_by_test(lines).most_common(int(count)):
            print(f"{seconds:8.1f} s  {test}")


main()
