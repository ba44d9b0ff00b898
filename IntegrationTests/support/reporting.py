# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""How tests talk: plain lines with figures, and one clear sentence when a claim is not true."""

import os
import signal
import sys
from pathlib import Path


class Failed(Exception):
    """A claim that is not true, or why it could not be looked at."""


class Skipped(Exception):
    """What the machine lacks for this test."""


def say(text=""):
    print(text, flush=True)


def skip_part(text):
    """Says that one part of a test is left out; the others still count.

    The list of steps that runs the test names it at its end."""
    say(f"SKIPPED: {text}")
    if "SCA_SKIPPED" in os.environ:
        with open(os.environ["SCA_SKIPPED"], "a", encoding="utf-8") as skipped:
            skipped.write(f"{text}\n")


class Claims:
    """Looks at many things before it gives up, so that one run shows all that is wrong."""

    def __init__(self):
        self.count = 0
        self.failures = 0

    def check(self, holds, sentence):
        self.count += 1
        if not holds:
            self.failures += 1
            say(f"FAILED: {sentence}")
        return holds

    def end(self):
        if self.failures:
            raise Failed(f"{self.failures} of {self.count} checks failed; the lines with FAILED say which.")


def run_test(main):
    """Runs a test: exit status 0 where its claims hold or it says what it skips, 1 where they don't."""
    name = Path(sys.argv[0]).name
    # As an exception, so that files and processes are cleaned up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # A shell ignores the interrupt for programs in the background, and the programs of a test would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main()
    except Failed as failure:
        sys.stdout.flush()
        sys.exit(f"{name}: {failure}")
    except Skipped as reason:
        skip_part(f"{name}: {reason}")
    except KeyboardInterrupt:
        sys.exit(130)
