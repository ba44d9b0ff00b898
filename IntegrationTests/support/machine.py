# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""A machine for one test: this one, with packages and accounts added that are gone when the test ends.

Everything that is written goes to an overlay in memory, in a mount and process namespace of its own, so that neither
services nor parental controls are ever installed where the test runs."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from support.reporting import Skipped

_INSIDE = "SCA_TEST_MACHINE"


def enter():
    """Continues on the test's machine: the script is run again there, as its first process."""
    folder = os.environ.get(_INSIDE)
    if folder is None:
        sys.exit(_run_inside())
    _mount(Path(folder))


def _run_inside():
    if os.geteuid() != 0:
        raise Skipped("only root can make the namespaces of a test machine")
    if not shutil.which("unshare"):
        raise Skipped("unshare of util-linux is missing")
    folder = tempfile.mkdtemp(prefix="sca-machine-")
    try:
        tried = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", sys.executable, *sys.argv],
            env={**os.environ, _INSIDE: folder}, check=False)
        return tried.returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _mount(folder):
    merged = folder / "root"
    try:
        _must("mount", "-t", "tmpfs", "-o", "size=1500m", "tmpfs", folder)
        for name in ("root", "upper", "work"):
            (folder / name).mkdir()
        _must("mount", "-t", "overlay", "overlay", "-o",
              f"lowerdir=/,upperdir={folder}/upper,workdir={folder}/work", merged)
    except subprocess.CalledProcessError as error:
        raise Skipped(f"this kernel gives no overlay: {error.stderr.decode().strip()}") from error
    _must("mount", "-t", "proc", "proc", merged / "proc")
    _must("mount", "--rbind", "/dev", merged / "dev")
    # What runs here must not be seen; /tmp stays, since the checkout may be there.
    _must("mount", "-t", "tmpfs", "tmpfs", merged / "run")
    # The names of hosts, which the package manager needs, may be behind a link to /run.
    if Path("/etc/resolv.conf").exists():
        shutil.copyfile("/etc/resolv.conf", folder / "resolv.conf")
    here = os.getcwd()
    if not (merged / here.lstrip("/")).exists():
        raise Skipped(f"{here} lies on a file system of its own, which the test's machine does not have")
    os.chroot(merged)
    os.chdir(here)
    os.environ["TMPDIR"] = "/tmp"


def install(*packages):
    """Installs Debian packages on the test's machine."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    outcome = subprocess.run(command, env=environment, capture_output=True, check=False)
    if outcome.returncode != 0:
        subprocess.run(["apt-get", "update"], env=environment, capture_output=True, check=False)
        outcome = subprocess.run(command, env=environment, capture_output=True, check=False)
    if outcome.returncode != 0:
        reason = (outcome.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"])[-1]
        raise Skipped(f"{' '.join(packages)} could not be installed: {reason}")


def _must(*command):
    subprocess.run(command, check=True, capture_output=True)
