# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""A campaign that compares the verdicts of sca with the pictures that common viewers show."""
