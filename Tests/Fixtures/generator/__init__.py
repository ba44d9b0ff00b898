# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Writers for the media fixtures, used by `make_fixtures.py`."""
