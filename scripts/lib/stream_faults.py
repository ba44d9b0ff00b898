# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The faults of scripts/plant-stream-faults that change nothing that a stream does, and why."""

EQUIVALENT = {
}
