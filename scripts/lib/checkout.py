# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The state of the working tree."""

import subprocess

from steps import ROOT


def _git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def commit():
    """The commit that is checked out, with a plus where files differ from it."""
    return _git("rev-parse", "--short=10", "HEAD") + ("+" if _git("status", "--porcelain") else "")
