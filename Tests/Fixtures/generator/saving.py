# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""What Pillow writes, as bytes."""

import io


def saved(image, kind, **options):
    """`image` in Pillow's format `kind`."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()
