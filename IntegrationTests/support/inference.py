# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What could be put around the inference library to change its scores: variables and planted libraries."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from support.reporting import Skipped

# Between zero bytes, as strings of a program lie.
NAME = re.compile(rb"(?<![\x20-\x7e])([A-Z][A-Z0-9_]{3,60})(?=\x00)")
# oneDNN puts these before many of its names.
PREFIXES = ("ONEDNN_", "DNNL_")
# Each of these changed scores, ran code, or wrote and read files when inference ran in the app's process.
KNOWN = ("DNNL_VERBOSE", "HWLOC_XMLFILE", "INTEL_JIT_PROFILER64", "INTEL_LIBITTNOTIFY64", "ONEDNN_JIT_DUMP",
         "ONEDNN_VERBOSE", "OV_ENABLE_PROFILE_PASS", "OV_ENABLE_SERIALIZE_TRACING")
# OpenVINO, and the loader on its behalf, look for these.
LIBRARIES = ("libopenvino_auto_batch_plugin.so", "libopenvino_auto_plugin.so", "libopenvino_intel_cpu_plugin.so",
             "libopenvino_onnx_frontend.so.2641", "libtbb.so.12", "libtbbmalloc.so.2", "libtcm.so.1", "libirml.so.1",
             "libiomp5.so")
PLANTED = """
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void leave_mark(void) { close(open("%s", O_CREAT | O_WRONLY, 0644)); }
"""


def library_folder():
    """The folder of OpenVINO that the tests use."""
    for folder in (os.environ.get("SCA_OPENVINO"), "/usr/local/lib/sensitive-content-analysis/openvino",
                   Path.home() / ".local/lib/sensitive-content-analysis/openvino"):
        if folder and any(Path(folder).glob("libopenvino_c.so*")):
            return Path(folder)
    raise Skipped("OpenVINO is not installed: run scripts/bootstrap --for test")


def variable_names():
    """Every upper-case name in the strings of the inference library and of the libraries that it brings."""
    found = set(KNOWN)
    for path in library_folder().glob("lib*"):
        found.update(match.decode() for match in NAME.findall(path.read_bytes()))
    # They would change the loader or the shell, which are not the library's.
    return sorted(name for name in found if not name.startswith("LD_") and name != "PATH")


def with_prefixes(name, value):
    return {name: value, **{prefix + name: value for prefix in PREFIXES}}


def planted_library(folder, mark):
    """Makes a library that leaves a mark as soon as it is loaded."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if compiler is None:
        raise Skipped("there is no C compiler: install Swift, which brings clang")
    source = folder / "planted.c"
    source.write_text(PLANTED % mark)
    library = folder / "planted.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    subprocess.run(["/bin/true"], env={"LD_PRELOAD": str(library)}, check=True)
    if not mark.exists():
        raise Skipped("this machine does not run planted libraries at all")
    mark.unlink()
    return library
