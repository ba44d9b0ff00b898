# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Files that hold one JSON value."""

import json


def replace(path, value):
    """Writes a file whole or not at all."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value, indent=2) + "\n")
    new.replace(path)
