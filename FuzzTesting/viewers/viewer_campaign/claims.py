# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Claims about the campaign's own code, which `FuzzTesting/viewers/test` checks. They need no build of sca."""

import io
import json
import struct
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from . import avi_tables, command, compare, copies, explained, jpeg_blocks, matroska_tables, movie_tables, mp4, pairs, perturb
from . import recipe, report, structures, trees, videos
from .backends import ffmpeg
from .boxes import box, children, full
from .content import Library, treated
from .draw import Draw
from .looking import Look, model_input, shows_pattern
from .pool import Worker

CLAIMS: list[Callable[[Library], None]] = []
FILES = 240


def claim(function: Callable[[Library], None]) -> Callable[[Library], None]:
    CLAIMS.append(function)
    return function


def expect(condition: object, words: str) -> None:
    if not condition:
        raise AssertionError(words)


def _files(library: Library, count: int = FILES, **forced: str) -> list[recipe.Generated]:
    return [
        recipe.image(library, b"clip", 7, index, {name.replace("_", " "): option for name, option in forced.items()})
        for index in range(count)
    ]


def _opened(data: bytes) -> np.ndarray | None:
    try:
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    except Exception:  # noqa: BLE001 - whatever a plug-in makes of odd data
        return None


@claim
def the_same_seed_and_index_give_the_same_file(library: Library) -> None:
    first, second = _files(library, 60), _files(library, 60)
    expect(all(one.data == two.data and one.name == two.name for one, two in zip(first, second)), "the bytes differ")


@claim
def a_container_that_is_read_as_a_tree_is_written_as_it_was(library: Library) -> None:
    for container, codecs in structures.CODECS.items():
        for subject in ("cover", "pattern"):
            data = structures.clip(library, container, codecs[0], subject)
            format = trees.FORMATS[container]
            tree = format.read(data)
            names = {path for path, _, _ in tree.walk()}
            expect(len(names) > 3, f"{container} has few structures: {names}")
            # Sizes may be written longer in Matroska; a second reading gives the same tree.
            written = format.write(tree)
            expect(format.read(written) == tree, f"{container} changes when it is written")
            expect(container in ("mkv", "webm") or written == data, f"{container} has other bytes")


@claim
def each_structure_and_each_change_is_used(library: Library) -> None:
    files = [structures.structured(library, 7, index) for index in range(900)]
    made = [file for file in files if file.draw.choices["double of a table"] == "no"]
    changes = {file.draw.choices["change"] for file in made}
    expect(changes == set(structures.CHANGES), f"unused: {set(structures.CHANGES) - changes}")
    containers = {file.draw.choices["container"] for file in made}
    expect(containers == set(structures.CODECS), f"unused: {set(structures.CODECS) - containers}")
    used = {file.draw.choices["structure"] for file in made}
    expect(len(used) > 120, f"only {len(used)} structures")
    doubles = [file for file in files if file.draw.choices["double of a table"] == "yes"]
    expect(200 <= len(doubles) <= 340, f"{len(doubles)} files with a double of a table")
    tables = {*movie_tables.TABLES, movie_tables.FRAGMENT_HEADER, *avi_tables.PLACES}
    tables |= {f"{container}: {each}" for container in ("mkv", "webm") for each in matroska_tables.TABLES}
    used = {file.draw.choices["structure"] for file in doubles}
    expect(used == tables, f"unused: {tables - used}")
    changes = {file.draw.choices["change"] for file in doubles}
    expect(changes == {*pairs.PLACES, pairs.INSTEAD, avi_tables.BESIDE}, f"the changes are {changes}")
    for index in range(20):
        again = structures.structured(library, 7, index)
        expect(again.data == files[index].data, "the same index gives another file")


def _doubled(library: Library, container: str, codec: str, structure: str, change: str, **forced: str) -> bytes:
    """The file of a container with a double of a table."""
    choices = {"double of a table": "yes", "container": container, f"codec in {container}": codec}
    choices |= {"structure": structure, "change": change}
    choices |= {name.replace("_", " "): option for name, option in forced.items()}
    return structures.structured(library, 7, 0, choices).data


def _shows_pattern(data: bytes, ending: str) -> bool:
    """Whether ffmpeg shows the pattern in a video."""
    with tempfile.NamedTemporaryFile(suffix=f".{ending}") as file:
        file.write(data)
        file.flush()
        return any(shows_pattern(pixels) for _, pixels in ffmpeg.frames(file.name))


@claim
def the_frames_of_two_films_have_one_size_and_show_what_they_showed(library: Library) -> None:
    for container in ("mp4", "fragments", "avi"):
        format = trees.FORMATS[container]
        for codec in structures.CODECS[container]:
            both = [
                format.read(structures.clip(library, container, codec, subject, True)) for subject in ("cover", "pattern")
            ]
            frames = pairs.pair(container, codec, *both)
            expect(len({len(frame) for frame in [*frames.own, *frames.others]}) == 1, f"{container}, {codec}: sizes")
            expect(frames.count == len(frames.others) == 16, f"{container}, {codec}: {frames.count} frames")
            if container == "avi":
                chunks = [node for _, _, node in both[1].walk() if node.name == "00dc"]
                for chunk, frame in zip(chunks, frames.others):
                    chunk.content = frame
                expect(_shows_pattern(format.write(both[1]), "avi"), f"{codec} with padding shows no pattern")


@claim
def one_order_of_two_tables_leads_ffmpeg_to_each_film(library: Library) -> None:
    for table in ("stco", "co64", "stsz", "stsc", "all tables"):
        shown = [
            _shows_pattern(_doubled(library, "mp4", "h264", f"{movie_tables.SAMPLES}/{table}", change), "mp4")
            for change in (pairs.BEFORE, pairs.BEHIND)
        ]
        expect(sorted(shown) == [False, True], f"the tables {table} lead to the pattern: {shown}")
    shown = [
        _shows_pattern(_doubled(library, "fragments", "h264", movie_tables.FRAGMENT_HEADER, change), "mp4")
        for change in (pairs.BEFORE, pairs.BEHIND)
    ]
    expect(sorted(shown) == [False, True], f"the headers of fragments lead to the pattern: {shown}")


@claim
def an_index_of_an_avi_file_leads_to_whole_frames_of_the_other_film(library: Library) -> None:
    format = trees.FORMATS["avi"]
    for kind in (avi_tables.FILLING, avi_tables.UNKNOWN, avi_tables.INSIDE):
        for table in (avi_tables.OLD, avi_tables.NEW):
            data = _doubled(library, "avi", "mjpeg", table, pairs.INSTEAD, other_data=kind,
                            entries_of_the_other_table=avi_tables.ALL)  # fmt: skip
            tree, start = format.read(data), data.find(b"movi")
            if table == avi_tables.OLD:
                index = pairs.named(tree, "idx1").content
                entries = [struct.unpack_from("<II", index, at + 8) for at in range(0, len(index), 16)]
                places = [(start + place + 8, size) for place, size in entries]
            else:
                index = pairs.named(tree, "ix00").content
                above = struct.unpack_from("<Q", pairs.named(tree, "indx").content, 24)[0]
                expect(data[above : above + 4] == b"ix00", "the index of indexes leads to no index")
                expect(struct.unpack_from("<Q", index, 12)[0] == start, "the positions count from another place")
                entries = [struct.unpack_from("<II", index, at) for at in range(24, len(index), 8)]
                places = [(start + place, size) for place, size in entries]
            found = [data[place : place + size] for place, size in places]
            expect(len(found) == 16, f"{kind}, {table}: {len(found)} entries")
            pictures = [_opened(each) for each in found]
            expect(all(each is not None and shows_pattern(each) for each in pictures), f"{kind}, {table}: no pattern")


@claim
def an_index_of_a_matroska_file_leads_to_clusters_of_both_films(library: Library) -> None:
    format = trees.FORMATS["webm"]
    for table in ("Segment/Cues", matroska_tables.SEEK):
        for kind in (matroska_tables.IN_FRAME, matroska_tables.SKIPPED_BEFORE, matroska_tables.SKIPPED_BEHIND):
            data = _doubled(library, "webm", "vp8", f"webm: {table}", pairs.BEHIND, other_data=kind)
            tree, start = format.read(data), data.find(b"\x18\x53\x80\x67") + 12
            positions = [node.content for _, _, node in tree.walk() if node.identifier == matroska_tables.POSITION]
            places = [start + int.from_bytes(each, "big") for each in positions]
            expect(len(set(places)) >= (8 if table == "Segment/Cues" else 4), f"{kind}, {table}: {len(set(places))}")
            found = {data[place : place + 4] for place in places}
            expect(found == {b"\x1f\x43\xb6\x75"}, f"{kind}, {table}: an index leads to no cluster")
            for seek in (node for _, _, node in tree.walk() if node.name == "Seek"):
                identifier, position = (node.content for node in seek.children or [])
                place = start + int.from_bytes(position, "big")
                expect(data[place : place + 4] == identifier, f"{kind}, {table}: the list leads to something else")


@claim
def another_seed_gives_other_files(library: Library) -> None:
    same = sum(
        recipe.image(library, b"", 7, index).data == recipe.image(library, b"", 8, index).data for index in range(30)
    )
    expect(same < 3, f"{same} of 30 files are the same")


@claim
def a_file_that_is_not_searched_holds_no_pattern(library: Library) -> None:
    scenes = [each for each in _files(library, 60, content="scene") if not each.holds_pattern]
    expect(len(scenes) >= 40, f"{len(scenes)} files of 60")
    for file in scenes:
        pixels = _opened(file.data)
        expect(pixels is None or not shows_pattern(pixels), f"{file.name} shows the pattern")
    expect(all(each.holds_pattern for each in _files(library, 60, content="pattern")), "files with the pattern")


@claim
def a_forced_choice_leaves_the_others_as_they_are(library: Library) -> None:
    for index in range(40):
        plain = recipe.image(library, b"", 7, index).draw
        for name in list(plain.choices)[:6]:
            forced = recipe.image(library, b"", 7, index, {name: plain.plain[name]}).draw
            shared = set(plain.choices) & set(forced.choices) - {name, "content", "JPEG samples"}
            expect(
                all(plain.choices[each] == forced.choices[each] for each in shared), f"{index}: {name} changes others"
            )


@claim
def every_format_is_made_and_most_files_can_be_opened(library: Library) -> None:
    made = _files(library, perturbed="no")
    expect({file.format for file in made} == set(recipe.FORMATS), "a format is missing")
    opened = sum(_opened(file.data) is not None for file in made)
    expect(opened >= len(made) * 0.6, f"Pillow opens {opened} of {len(made)}")


@claim
def the_pattern_is_seen_faint_inverted_and_in_a_part(library: Library) -> None:
    pattern = np.asarray(library.pattern.resize((320, 240)))
    expect(shows_pattern(pattern) and shows_pattern(255 - pattern), "the pattern itself")
    expect(shows_pattern((pattern // 8 + 100).astype(np.uint8)), "the pattern with 31 levels")
    part = np.full((600, 800, 3), 120, np.uint8)
    part[300:540, 400:720] = pattern
    expect(shows_pattern(part), "the pattern in a part")
    expect(not shows_pattern((pattern // 64 + 100).astype(np.uint8)), "four levels are nothing that a person sees")
    expect(
        not shows_pattern(np.asarray(library.calm[0] if library.calm else Image.new("RGB", (90, 90)))), "a calm picture"
    )


@claim
def a_dithered_picture_is_flat_after_averaging(library: Library) -> None:
    pixels = np.asarray(treated(library.pattern, "dithered light")).astype(float)
    height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
    means = pixels[: height * 2, : width * 2, 0].reshape(height, 2, width, 2).mean((1, 3))
    expect(np.ptp(means) <= 1, f"means differ by {np.ptp(means)}")
    expect(np.ptp(pixels) >= 20, "the picture itself is flat")


@claim
def blocks_out_of_range_show_the_pattern_in_full_and_not_reduced(library: Library) -> None:
    for kind in ("luma clips", "only RGB clips, light", "only RGB clips, dark"):
        data = jpeg_blocks.clipping(Draw(1, 1, {"JPEG blocks": kind, "hidden at": "1/8"}), library.pattern)
        whole, reduced = Image.open(io.BytesIO(data)), Image.open(io.BytesIO(data))
        expect(shows_pattern(np.asarray(whole.convert("RGB"))), f"{kind}: full decoding shows nothing")
        reduced.draft("RGB", (272, 272))
        expect(
            reduced.size == (272, 272) and not shows_pattern(np.asarray(reduced.convert("RGB"))),
            f"{kind}: 1/8 shows it",
        )


@claim
def blocks_that_wrap_show_the_pattern_in_ffmpeg_alone(library: Library) -> None:
    data = jpeg_blocks.clipping(Draw(1, 1, {"JPEG blocks": "luma wraps", "hidden at": "1/8"}), library.pattern)
    expect(not shows_pattern(np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))), "Pillow shows it")
    with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
        file.write(data)
        file.flush()
        expect(any(shows_pattern(pixels) for _, pixels in ffmpeg.frames(file.name)), "ffmpeg does not show it")


@claim
def about_15_percent_of_the_files_are_perturbed_in_few_bytes(library: Library) -> None:
    data, changed = bytes(4000), 0
    for index in range(400):
        made = perturb.perturbed(Draw(1, index), data)
        different = sum(one != two for one, two in zip(made, data))
        expect(len(made) == len(data) and different <= 3, f"{different} bytes differ")
        changed += different > 0
    expect(30 <= changed <= 90, f"{changed} of 400 differ")


@claim
def boxes_are_read_as_they_are_written(_: Library) -> None:
    inner = box(b"abcd", b"data")
    outer = box(b"moov", inner, full(b"efgh", 1, 2, b"more"))
    expect([name for name, _ in children(outer, 8)] == [b"abcd", b"efgh"], "the names differ")
    renamed = mp4.changed(outer, (b"abcd",), lambda data: box(b"wxyz", data[8:]))
    expect(renamed == outer.replace(b"abcd", b"wxyz"), "more than the box changes")


@claim
def a_changed_video_keeps_its_tracks_and_opens(library: Library) -> None:
    for handlers in ("contradicting", "other kind"):
        forced = {
            "handlers": handlers,
            "MP4 layout": "index last",
            "tracks": "subject second",
            "perturbed": "no",
            "codec in mp4": "h264",
            "RGB clips in a video": "no",
        }
        index = next(
            index
            for index in range(40)
            if Draw(7, index + 10**8).source("container").choices(videos.CONTAINERS, videos.SHARES)[0] == "mp4"
        )
        data = videos.video(library, 7, index, forced).data
        movie = data[data.rfind(b"moov") - 4 :]
        expect(sum(name == b"trak" for name, _ in children(movie, 8)) == 2, "there are not two tracks")


@claim
def turned_blank_and_unstable_pictures_are_explained_and_nothing_else(_: Library) -> None:
    blank = explained.Case("PNG", {}, "score", "Qt", [], 0.2, 0.01, 0.2, 1, True)
    expect(explained.explanation(blank) == "blank picture", "a blank picture")
    unstable = explained.Case("PNG", {}, "score", "Qt", [], 0.3, 0.15, 0.3, 1, False, 0.2)
    expect(explained.explanation(unstable) == "unstable score", "a score that two levels move")
    case = explained.Case("JPEG", {"orientation": "6"}, "score", "ffmpeg", [], 0.8, 0.3, 0.8, 0.02)
    expect(explained.explanation(case) == "orientation left out", "a turned picture")
    for other in (
        explained.Case("JPEG", {"orientation": "6"}, "score", "ffmpeg", [], 0.8, 0.3, 0.8, 0.4),
        explained.Case("JPEG", {}, "score", "ffmpeg", [], 0.8, 0.3, 0.8, 0.02),
        explained.Case("JPEG", {"orientation": "6"}, "shown", "ffmpeg", ["0"], 0.8, 0.3, 0.8, 0.02),
        explained.Case("PNG", {}, "score", "Qt", [], 0.7, 0.01, 0.7, 1, True),
        explained.Case("PNG", {}, "score", "Qt", [], 0.2, 0.01, 0.2, 1, False),
    ):
        expect(explained.explanation(other) is None, f"{other} is explained")


@claim
def a_file_fails_where_the_pattern_is_shown_or_a_score_falls_short(_: Library) -> None:
    row = _row("i000000", "notSensitive", ["0"], [])
    row["viewers"]["Qt"] = {"frames": 1, "shown": [], "problem": "", "score": 0.25, "label": "0", "alike": 0.25}
    compare.compare(row)
    expect(
        [(each["kind"], each["viewer"]) for each in row["failures"]] == [("shown", "Pillow"), ("score", "Qt")],
        "two failures",
    )
    row["viewers"]["Qt"]["score"] = 0.19
    row["test"] = row["test"] | {"verdict": "sensitive"}
    compare.compare(row)
    expect(row["failures"] == [], "a sensitive file, and a score within 0.1")
    row["viewers"]["Qt"]["score"] = 0.9
    row["outside"] = row["outside"] | {"verdict": "unknown"}
    compare.compare(row)
    expect(row["failures"] == [], "an unknown file")


@claim
def a_viewer_answers_after_it_was_killed_and_says_what_it_shows(library: Library) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        library.pattern.save(folder / "a.png")
        (folder / "b.png").write_bytes(b"no picture")
        worker = Worker("Pillow", folder)
        try:
            expect(worker.look(folder / "a.png")["shown"] == ["0"], "the pattern is not shown")
            expect(worker.look(folder / "b.png")["frames"] == 0, "a text is shown")
            assert worker.process
            worker.process.kill()
            worker.process.wait()
            expect(worker.look(folder / "a.png")["shown"] == ["0"], "there is no new process")
        finally:
            worker.stop()


@claim
def frames_that_look_the_same_are_looked_at_once(library: Library) -> None:
    look, pattern = Look(), np.asarray(library.pattern)
    for label in ("0", "1"):
        look.add(label, pattern)
    expect(look.frames == 2 and look.shown == ["0"] and len(look.distinct()) == 1, f"{look.frames}, {look.shown}")


def _row(name: str, verdict: str, shown: list[str], failures: list[dict]) -> dict:
    said = {"verdict": verdict, "score": 0.1, "media": "image", "code": None, "message": ""}
    return {
        "name": name,
        "format": "PNG",
        "bytes": 9,
        "choices": {"alpha": "all 0"},
        "features": ["alpha: all 0"],
        "test": said,
        "outside": said,
        "viewers": {"Pillow": {"frames": 1, "shown": shown, "problem": ""}},
        "failures": failures,
        "explained": [],
    }


@claim
def the_report_counts_files_features_and_failures(_: Library) -> None:
    figures = report.Figures()
    failure = {"kind": "shown", "viewer": "Pillow", "labels": ["0"], "score": 0, "ours": 0.1}
    figures.add(_row("i000000", "notSensitive", ["0"], [failure]))
    figures.add(_row("i000001", "sensitive", ["0"], []))
    figures.add(_row("i000002", "unknown", [], []))
    page = report.text(figures, [])
    expect("| PNG | 3 | 3 | 2 | 1 | 1 | 1 | 1 | 0 |" in page, "the row of the format is wrong")
    expect("| alpha: all 0 | 3 |" in page, "the feature is not counted")


@claim
def a_line_that_was_cut_off_is_not_read(_: Library) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "results.jsonl"
        path.write_text(json.dumps({"name": "i000000"}) + "\n" + '{"name": "i0000')
        expect([row["name"] for row in command.results(path)] == ["i000000"], "the line counts")
        expect(path.read_text().endswith("\n"), "the next result would be appended to half a line")


@claim
def a_copy_has_the_looks_of_its_opacity_and_no_other(library: Library) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "copy.png"
        image = library.pattern.convert("RGBA")
        image.putalpha(Image.linear_gradient("L").resize(image.size))
        image.save(path)
        looks = copies.looks_of(path)
        expect(len(looks) == 3, "dropped, over white, over black")
        for level in (0, 255):
            ground = Image.new("RGBA", image.size, (level, level, level, 255))
            shown = model_input(np.asarray(Image.alpha_composite(ground, image).convert("RGB")))
            expect(copies.distance(shown, looks) <= copies.LOSSLESS, f"over {level} is another picture")
        expect(copies.distance(255 - looks[1], looks) > copies.LOSSY * 4, "a negative is the same picture")
        image.convert("RGB").save(path)
        expect(len(copies.looks_of(path)) == 1, "a picture without opacity has several looks")


@claim
def all_frames_of_a_copied_animation_are_compared(library: Library) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "copy.webp"
        first, second = library.pattern.convert("RGB"), Image.new("RGB", library.pattern.size, (200, 30, 60))
        first.save(path, save_all=True, append_images=[second], lossless=True)
        frames = copies.frames_of(path)
        expect(len(frames) == 2, f"{len(frames)} frames")
        for image in (first, second):
            expect(copies.distance(model_input(np.asarray(image)), frames) <= copies.LOSSLESS, "a frame is missing")


@claim
def results_of_another_seed_are_put_aside(_: Library) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = command._log(command.Settings(folder, folder / "sca", 1), "copies.jsonl")
        expect(not log.exists(), "there are results before the first run")
        log.write_text("{}\n")
        command._log(command.Settings(folder, folder / "sca", 1), "copies.jsonl")
        expect(log.exists(), "the run does not go on where it was interrupted")
        command._log(command.Settings(folder, folder / "sca", 2), "copies.jsonl")
        expect(not log.exists(), "results of another seed count")
        expect((folder / "copies.old.jsonl").exists(), "results of another seed are lost")


def _library() -> Library:
    """A library without sca: a code with the text of the test pattern, and drawings."""
    import cv2

    code = cv2.QRCodeEncoder.create().encode("sensitive-content-analysis:test:sexuallyExplicit")
    image = Image.new("RGB", (640, 480), (255, 255, 255))
    image.paste(Image.fromarray(code).convert("RGB").resize((440, 440), Image.Resampling.NEAREST), (100, 20))
    drawn = [
        Image.linear_gradient("L").resize((480, 360)).convert("RGB"),
        Image.radial_gradient("L").resize((480, 360)).convert("RGB"),
    ]
    return Library(image, drawn, drawn)


def main() -> int:
    """Checks all claims, and returns 1 where one does not hold."""
    library, failures = _library(), 0
    for each in CLAIMS:
        try:
            each(library)
        except AssertionError as error:
            failures += 1
            print(f"FAILED {each.__name__.replace('_', ' ')}: {error}", file=sys.stderr)
    print(f"{len(CLAIMS) - failures} of {len(CLAIMS)} claims about the viewers' campaign hold")
    return 1 if failures else 0
