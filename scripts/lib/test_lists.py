# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The two lists of tests; docs/testing.md says which property each of them shows.

The gate holds the smallest case that would notice the loss of a property. The campaign holds everything.
"""

from steps import BUILD, SCRATCH, step

INSTALL = step("what tests need is installed", "scripts/bootstrap", "--for", "test", is_alone=True)
BUILD_RELEASE = step(
    "release build with tests", "scripts/build-tests", "--scratch-path", SCRATCH, after=[INSTALL.name], is_alone=True)
BUILD_TESTS = [INSTALL, BUILD_RELEASE]


def script(name, *arguments, **environment):
    return step(" ".join([name, *map(str, arguments)]), f"IntegrationTests/{name}", *arguments, after=[BUILD_RELEASE.name],
                **{"SCA_BUILD": BUILD, **environment})


def check(name, *command):
    """A check that needs no build."""
    return step(name, *command, after=[INSTALL.name])


def check_of_build(name, *command):
    return step(name, *command, after=[BUILD_RELEASE.name], SCA_BUILD=BUILD)


# The cheapest first, since a mistake in form shows within seconds; behind the build the longest first, so that none of
# them runs alone at the end.
GATE = [
    INSTALL,
    check("nothing is fetched where nothing is missing", "unshare", "--net", "--map-current-user", "scripts/bootstrap", "--for", "test"),
    check("licence headers", "scripts/check-licence-headers"),
    check("format", "scripts/check-format"),
    check("shell scripts", "scripts/check-shell"),
    check("documents", "scripts/check-documents"),
    check("names of files", "scripts/check-file-names"),
    check("messages of commits", "scripts/check-commits"),
    check("architecture", "scripts/check-architecture", "--binary", "none"),
    check("faults are where their list says", "scripts/plant-faults", "--check"),
    check("the list of faults in streams fits", "scripts/plant-stream-faults", "--check"),
    BUILD_RELEASE,
    check_of_build("unit tests", "scripts/run-tests", "--slowest", 20),
    script("test-second-package", "--readme-only"),
    script("test-sandbox"),
    script("test-video-pairs"),
    script("conformance/run"),
    script("test-viewers"),
    script("test-parental-controls"),
    # It looks at the temporary files of the whole machine, and at memory.
    script("test-misbehaving-decoder", is_alone=True),
    script("test-hostile-environment"),
    script("test-killed-decoder"),
    script("test-copied-films"),
    script("test-inner-pictures"),
    script("test-hostile-files"),
    script("test-failure-codes"),
    script("test-format-list"),
    check_of_build("demonstration", "scripts/run-demonstration"),
    script("test-killed-host"),
    script("test-ordinary-user"),
    script("test-early-exit"),
    script("test-video-progress"),
    script("test-progress-line"),
    script("test-intervention-terminal"),
    script("test-missing-layers"),
    script("openvino-declarations/run"),
    check_of_build("documentation", "scripts/build-documentation"),
    script("test-no-media-parser-in-host"),
    script("test-wide-loops"),
    check_of_build("architecture of the built command", "scripts/check-architecture", "--binary", f"{BUILD}/sca"),
    check_of_build("no declaration of the last version has gone", "scripts/check-api-breakage"),
    check_of_build("examples of documentation comments", "scripts/check-examples"),
    check_of_build("Apple's declarations", "scripts/check-apple-parity", "--build", BUILD),
    check_of_build("the checks' own tests", "scripts/test-checks"),
]

# Parts of the campaign, each of at most 40 minutes on two idle cores.
CAMPAIGN = {
    "unit-campaign": [*BUILD_TESTS, step("unit tests, every case", "scripts/run-tests", "--slowest", 20, SCA_CAMPAIGN="1")],
    "unit-debug": [
        BUILD_TESTS[0], step("debug build", "swift", "build", "--build-tests"),
        step("unit tests in the debug build", "swift", "test", "--disable-xctest", "--skip-build")],
    "unit-settings": [*BUILD_TESTS, script("test-unit-test-settings")],
    "decoders": [
        *BUILD_TESTS, script("test-misbehaving-decoder", 10_000), script("test-sandbox", "--all"),
        script("test-killed-host", "--all"), script("test-failure-codes", "--all")],
    "environment": [
        *BUILD_TESTS, script("test-hostile-environment", "--all"), script("test-early-exit", 2000)],
    "product": [
        step("make run", "make", "run"), step("make run without any network", "unshare", "--net", "--map-current-user", "make", "run"),
        *(script(name, SCA_BUILD=".build/release") for name in ("test-large-picture", "test-memory-growth")),
        step("what test-parental-controls runs as well", "swift", "build", "-c", "release", "--static-swift-stdlib",
             "--product", "PolicyProbe"),
        script("test-parental-controls", SCA_BUILD=".build/release")],
    "packages": [
        step("what the campaign needs is installed", "scripts/bootstrap", "--for", "campaign"),
        step("release build", "make", "build"), step("Debian packages", "scripts/build-packages", "deb"),
        step("archive", "scripts/build-packages", "tar"), script("test-debian-packages"),
        script("test-container"), script("test-archive"), script("test-packaged-library")],
    "debian-13": [
        *BUILD_TESTS, step("what the campaign needs is installed", "scripts/bootstrap", "--for", "campaign"),
        script("test-debian-release", "trixie")],
    "flat-pictures": [
        *BUILD_TESTS, step("what the campaign needs is installed", "scripts/bootstrap", "--for", "campaign"),
        script("test-flat-pictures")],
    "second-package": [*BUILD_TESTS, script("test-second-package")],
    "conformance": [*BUILD_TESTS, script("conformance/run", "--all")],
    "core-ml": [*BUILD_TESTS, script("conformance/run"), script("core-ml/run")],
    "video-pairs-pan": [*BUILD_TESTS, script("test-video-pairs", "--all", "--scenes", "pan")],
    "video-pairs-cuts": [*BUILD_TESTS, script("test-video-pairs", "--all", "--scenes", "cuts")],
    "video-pairs-screen": [*BUILD_TESTS, script("test-video-pairs", "--all", "--scenes", "screen")],
    "video-harmless": [*BUILD_TESTS, script("test-video-harmless")],
    "stream-hour": [*BUILD_TESTS, script("test-stream-hour")],
    "stream-scenes": [*BUILD_TESTS, script("test-stream-scenes")],
    "stream-pipewire": [
        *BUILD_TESTS, step("what the campaign needs is installed", "scripts/bootstrap", "--for", "campaign"),
        script("test-pipewire")],
    "stream-webrtc": [*BUILD_TESTS, script("webrtc/run")],
    "stream-faults": [BUILD_TESTS[0], step("faults in streams are found", "scripts/plant-stream-faults")],
    "slow-files": [*BUILD_TESTS, script("test-slow-files")],
    "library": [*BUILD_TESTS, script("test-library"), script("test-pattern-cost", is_alone=True)],
    "recipes": [
        *BUILD_TESTS, step("what the campaign needs is installed", "scripts/bootstrap", "--for", "campaign"),
        script("test-recipes"), script("report-page/run")],
    "skipped-formats": [*BUILD_TESTS, script("test-skipped-formats")],
    "video-memory": [*BUILD_TESTS, script("test-video-memory")],
    "sanitize-address": [step("unit tests with the address sanitizer", "make", "sanitize-address")],
    "sanitize-threads": [step("tests of concurrency with the thread sanitizer", "make", "sanitize-threads")],
    "fuzz-parsers": [step("libFuzzer, five minutes for each parser", "FuzzTesting/run", "parsers", 300)],
    "fuzz-streams": [step("pictures that are inserted into streams", "FuzzTesting/run", "streams", 101, 40)],
    "stream-times": [step("times of streams on the real clock", "FuzzTesting/run", "stream-times", 20)],
    # One campaign of 200,000 mutants in three parts. Each part continues the campaign up to its count.
    **{f"fuzz-media-{number}": [step(f"{count:,} mutated files through the decoders", "FuzzTesting/run", "media", count)]
       for number, count in enumerate((70_000, 140_000, 200_000), 1)},
    # Each part continues the same campaign.
    **{f"viewers-{number}": [
        *BUILD_TESTS, step("viewers are installed", "FuzzTesting/viewers/install"),
        step(f"{count:,} files in viewers", "FuzzTesting/viewers/run", "--count", count, "--videos", videos, "--slow-every", 6)]
       for number, (count, videos) in enumerate(((7_500, 500), (15_000, 1_000), (22_500, 1_500), (30_000, 2_000)), 1)},
    "viewers-copies": [
        *BUILD_TESTS, step("viewers are installed", "FuzzTesting/viewers/install"),
        step("copies of 5,000 files in viewers", "FuzzTesting/viewers/run", "--copies", 4000, "--videos", 600,
             "--structures", 400, "--slow-every", 6)],
    "mutated-copies": [
        *BUILD_TESTS, step("viewers are installed", "FuzzTesting/viewers/install"),
        step("copies of 20,000 damaged files", "FuzzTesting/viewers/run", "--mutated-copies", 20_000)],
    **{f"faults-{number}": [
        BUILD_TESTS[0], step("planted faults are found", "scripts/plant-faults", "--share", f"{number}/2")]
       for number in (1, 2)},
}
