# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The state of the working tree."""

import subprocess
import sys

from steps import ROOT


def _git(*arguments):
    answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"git does not name the commit of {ROOT}: {answer.stderr.strip()}")
    return answer.stdout.strip()


def commit():
    """The commit that is checked out, with a plus where files differ from it."""
    return _git("rev-parse", "--short=10", "HEAD") + ("+" if _git("status", "--porcelain") else "")
