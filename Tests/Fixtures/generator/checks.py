# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Checks each fixture with readers that had no part in making it. A claim that does not hold stops the script."""

import io
import json

import av
import numpy as np
import pillow_heif
import tifffile
from PIL import ExifTags, Image, ImageSequence

from . import reference_score
from .icc import companded
from .orientation import STORED, stored
from .readers import djxl_frames, in_srgb, jxl_preview, lab_in_srgb, pillow, readers, recent_libheif
from .several import SIZE as SEVERAL_SIZE
from .tiles import drawing as drawing_of_tiles

LOSSY_SHIFT = 0.02  # lossy quality-95 coding may move the score by this much
SPREAD = 0.025  # and all scores lie within this of each other; the tests allow 0.03
ORIENTATION_MARGIN = 0.12  # ignoring an orientation moves it by at least this much


def difference(image, expected):
    """(mean, largest) difference in 8-bit levels of two pictures of one size."""
    one, other = np.asarray(image, np.int32), np.asarray(expected, np.int32)
    assert one.shape == other.shape, f"{one.shape} instead of {other.shape}"
    apart = abs(one - other)
    return float(apart.mean()), int(apart.max())


def expect(name, image, expected, mean, largest=255):
    """Stops unless the pictures agree within so many levels."""
    apart = difference(image, expected)
    print(f"  {name}: mean {apart[0]:.2f}, largest {apart[1]}")
    assert apart[0] <= mean and apart[1] <= largest, f"{name}: more than {mean}, {largest}"


def check_orientation(folder, scorer):
    """Pixels and score of every file as shown upright; writes scores.json."""
    upright = pillow(folder / "upright.png").convert("RGB")
    score = scorer.score(upright)
    ignored = scorer.scores([stored(upright, orientation) for orientation in STORED])
    for orientation, wrong in zip(STORED, ignored, strict=True):
        assert orientation == 1 or abs(wrong - score) >= ORIENTATION_MARGIN, f"orientation {orientation}: {wrong}"
    files = {}
    for path in sorted(folder.glob("*-*.*")):
        for reader, read in readers(path):
            image = read(path).convert("RGB")
            expect(f"{path.name} by {reader}", image, upright, 0 if path.suffix in (".png", ".tiff") else 2)
            files[path.name] = files.get(path.name, scorer.score(image))
        assert abs(files[path.name] - score) <= LOSSY_SHIFT, f"{path.name}: {files[path.name]} instead of {score}"
    spread = max(files.values()) - min(files.values())
    assert spread <= SPREAD, f"scores from {min(files.values())} to {max(files.values())}"
    (folder / "scores.json").write_text(json.dumps({
        "model": reference_score.NAME,
        "modelSHA256": scorer.sha256,
        "reference": reference_score.PIPELINE,
        "upright": round(score, 4),
        "scoreIfOrientationIsIgnored": {str(o): round(s, 4) for o, s in zip(STORED, ignored, strict=True)},
        "files": {name: round(s, 4) for name, s in files.items()},
    }, indent=2) + "\n")
    shift = max(abs(s - score) for s in files.values())
    print(f"  score {score:.4f}, largest shift by coding {shift:.4f}, spread {spread:.4f}, "
          f"smallest by ignoring {min(abs(s - score) for s in ignored[1:]):.4f}")


def check_colour(folder, _):
    """Every file against the drawing, by Pillow with Little CMS and by tifffile."""
    expected = Image.open(folder / "expected.png").convert("RGB")
    grey, alpha, bilevel, palette_alpha = (
        Image.open(folder / f"expected-{name}.png").convert("L")
        for name in ("grey", "alpha", "bilevel", "palette-alpha"))
    for name, mean, largest in (
            ("palette.png", 0, 0), ("palette-transparent.png", 0, 0), ("rgba.png", 0, 0), ("rgba.webp", 0, 0),
            ("rgba.tiff", 0, 0), ("palette-alpha.tiff", 0, 0), ("ycbcr.tiff", 1, 3),
            ("planar-tiles.tiff", 0, 0), ("display-p3.png", 0.5, 3), ("adobe-rgb.jpg", 1, 16), ("broken-icc.jpg", 0.5, 5),
            ("cmyk-icc.jpg", 0.5, 5), ("cmyk-icc.tiff", 0.5, 3), ("cmyk.jpg", 0.5, 5), ("cmyk.tiff", 0.5, 3)):
        expect(name, in_srgb(folder / name), expected, mean, largest)
    for name, want in (("rgba.png", alpha), ("rgba.webp", alpha), ("rgba.tiff", alpha),
                       ("palette-alpha.tiff", alpha), ("grey-alpha.png", alpha),
                       ("palette-transparent.png", palette_alpha)):
        expect(f"{name}, alpha", Image.open(folder / name).convert("RGBA").getchannel("A"), want, 0)
    expect("grey.jpg", Image.open(folder / "grey.jpg"), grey, 0.2, 2)
    expect("grey-alpha.png", Image.open(folder / "grey-alpha.png").getchannel("L"), grey, 0)
    expect("grey16.png", np.asarray(Image.open(folder / "grey16.png")).astype(int) >> 8, grey, 0)
    expect("rgb16.png", Image.open(folder / "rgb16.png").convert("RGB"), expected, 0)
    expect("bilevel.tiff", Image.open(folder / "bilevel.tiff").convert("L"), bilevel, 0)
    expect("rgb16.tiff", tifffile.imread(folder / "rgb16.tiff") >> 8, expected, 0)
    light = tifffile.imread(folder / "float.tiff")
    expect("float.tiff", (companded(light) * 255).round(), expected, 0)
    expect("lab.tiff", lab_in_srgb(folder / "lab.tiff"), expected, 1, 12)
    for name in ("adobe-rgb.jpg", "display-p3.png"):
        mean, largest = difference(Image.open(folder / name).convert("RGB"), expected)
        print(f"  {name} with its profile ignored: mean {mean:.2f}, largest {largest}")
        assert mean > 5, f"{name} does not show whether the profile was obeyed"


def check_bmps(folder, _):
    """Every BMP by Pillow."""
    for path in sorted(folder.glob("*.bmp")):
        name = {"rle4": "4bit"}.get(path.stem, path.stem)
        special = folder / f"expected-{name}.png"
        expected = Image.open(special if special.exists() else folder / "expected.png")
        expect(path.name, Image.open(path).convert(expected.mode), expected, 1)


def check_simple(folder, _):
    """Every file by Pillow, which obeys the mask of an icon, and PAM by ffmpeg."""
    names = {"grey": "-grey", "grey12": "-grey", "grey16": "-grey", "bilevel": "-bilevel", "rgba": "-rgba", "masked24": "-masked", "masked8": "-masked",
             "dxt1": "-dxt1", "dxt5": "-dxt5", "levels": "-dxt5"}
    for path in sorted(folder.glob("*.*")):
        if path.suffix == ".png":
            continue
        name = "-bilevel" if path.name == "text.pbm" else names.get(path.stem, "")
        expected = Image.open(folder / f"expected{name}.png")
        if path.suffix == ".pam":
            frame = next(av.open(str(path)).decode(video=0))
            expect(path.name, frame.to_ndarray(format="rgba"), expected, 0)
        elif path.name == "grey12.j2k":
            # Pillow moves 12 bits to the upper end of 16.
            levels = np.asarray(Image.open(path)).astype(int) // 16
            expect(path.name, (levels * 255 + 2047) // 4095, expected, 0)
        elif name == "-masked":
            image = np.asarray(Image.open(path).convert("RGBA"))
            expected = np.asarray(expected)
            assert (image[..., 3] == expected[..., 3]).all(), path.name
            expect(path.name, image[..., :3], expected[..., :3], 0)
        elif path.name in ("wide.sgi", "runs.sgi", "grey.sgi", "grey16.psd"):
            frame = next(av.open(str(path)).decode(video=0))
            # Pillow reads no such file with 16 bits, and needs the end marks of rows that FFmpeg does not write.
            kind = "gray" if expected.mode == "L" else "rgb24"
            expect(path.name, frame.to_ndarray(format=kind), expected, 0)
        elif path.name == "bilevel.psd":
            # A set bit is black. Pillow shows it as white.
            expect(path.name, Image.fromarray(~np.asarray(Image.open(path))), expected, 0)
        else:
            expect(path.name, Image.open(path).convert(expected.mode), expected, 0)


def check_alpha(folder, _):
    """What each drawing looks like on black and on white."""
    for name, spread_on_black, spread_on_white in (("hidden-on-white.png", True, False),
                                                   ("hidden-on-black.png", False, True), ("opaque.png", True, True)):
        image = Image.open(folder / name)
        assert image.mode == "RGBA"
        for background, wanted in (((0, 0, 0, 255), spread_on_black), ((255, 255, 255, 255), spread_on_white)):
            flat = Image.alpha_composite(Image.new("RGBA", image.size, background), image).convert("L")
            spread = float(np.asarray(flat).std())
            print(f"  {name} on {background[:3]}: standard deviation {spread:.1f}")
            assert (spread > 20) == wanted and (wanted or spread == 0), name


def check_several(folder, _):
    """The number of pictures, and every picture, in each file."""
    frames = [Image.open(folder / f"frame-{n}.png").convert("RGB") for n in (1, 2, 3)]
    assert frames[0].size == SEVERAL_SIZE
    for name, mean in (("animated.gif", 8), ("animated.png", 0), ("animated.webp", 0), ("pages.tiff", 0),
                       ("sequence.avif", 3)):
        with Image.open(folder / name) as image:
            found = [frame.convert("RGB") for frame in ImageSequence.Iterator(image)]
        _expect_all(name, found, frames, mean)
    with Image.open(folder / "still.gif") as image:
        assert image.n_frames == 1
    for name in ("sequence.heic", "sequence-as-heic.heic", "track-only.heic", "sequence-as-avif.avif"):
        with av.open(str(folder / name)) as movie:
            _expect_all(name, [f.to_image() for f in movie.decode(_track(movie))], frames, 3)
    for name in ("sequence.heic", "sequence-as-heic.heic"):
        expect(f"{name}, still", recent_libheif(folder / name), frames[0], 3)
    for name in ("two-images.heic", "two-images-unequal.heic"):
        images = list(pillow_heif.open_heif(folder / name))
        _expect_all(name, [i.to_pillow().resize(SEVERAL_SIZE) for i in images], frames[:2], 12)
    with tifffile.TiffFile(folder / "pages-unequal.tiff") as tiff:
        assert len({page.shape for page in tiff.pages}) == 2 and len(tiff.pages) == 3
    # Pillow reads the upper 8 of 16 bits, and leaves the frame in place that the third one replaces.
    with Image.open(folder / "parts.png") as image:
        found = [frame.convert("RGB") for frame in ImageSequence.Iterator(image)]
    for number in (1, 2):
        expected = Image.open(folder / f"parts-{number}.png")
        expect(f"parts.png, picture {number}", found[number - 1], expected, 1)
    _expect_all("animated.jxl", djxl_frames(folder / "animated.jxl"), frames, 0)


def _track(movie):
    """The stream of the track; FFmpeg lists the still picture as a stream as well."""
    return max(movie.streams.video, key=lambda stream: stream.frames)


def _expect_all(name, found, expected, mean):
    assert len(found) == len(expected), f"{name}: {len(found)} pictures"
    for number, (one, other) in enumerate(zip(found, expected, strict=True), 1):
        expect(f"{name}, picture {number}", one.convert("RGB"), other, mean)


def check_deceptive(folder, _):
    """The picture is A by ordinary reading, and B really is inside."""
    main, other = (Image.open(folder / name).convert("RGB") for name in ("main.png", "other.png"))
    for path in sorted(folder.iterdir()):
        if path.suffix != ".png":
            for reader, read in readers(path):
                expect(f"{path.name} by {reader}", read(path).convert("RGB"), main, 4)
    for name in ("thumbnail.heic", "thumbnail.avif"):
        image = pillow_heif.open_heif(folder / name)
        assert len(image) == 1 and image.info["thumbnails"], f"{name}: no thumbnail"
    with Image.open(folder / "thumbnail.jpg") as image:
        second = image.getexif().get_ifd(ExifTags.IFD.IFD1)
        data = (folder / "thumbnail.jpg").read_bytes()
        start = data.index(b"Exif\0\0") + 6 + second[0x201]
        expect("thumbnail.jpg, thumbnail", Image.open(io.BytesIO(data[start:start + second[0x202]])), other, 8)
    with Image.open(folder / "mpf.jpg") as image:
        assert image.format == "MPO" and image.n_frames == 2
        image.seek(1)
        expect("mpf.jpg, second picture", image.convert("RGB"), other, 8)
    for name in ("thumbnail.tiff", "pyramid-subifd.tiff"):
        with tifffile.TiffFile(folder / name) as tiff:
            assert len(tiff.pages) == 1
            expect(f"{name}, reduced", tiff.pages[0].pages[0].asarray(), other, 0)
    with tifffile.TiffFile(folder / "pyramid.tiff") as tiff:
        assert [p.subfiletype for p in tiff.pages] == [0, 1, 1]
        expect("pyramid.tiff, reduced", tiff.pages[1].asarray(), other, 0)
    expect("preview.jxl, preview", jxl_preview(folder / "preview.jxl", other.size), other, 8)


def check_plain(folder, _):
    """Every file against the PNG."""
    expected = Image.open(folder / "plain.png").convert("RGB")
    for path in sorted(folder.glob("*.*")):
        for reader, read in readers(path):
            lossless = path.suffix in (".png", ".tiff", ".bmp") or path.name == "lossless.webp"
            expect(f"{path.name} by {reader}", read(path).convert("RGB"), expected, 0 if lossless else 5)
    assert Image.open(folder / "progressive.jpg").info.get("progressive")
    assert (folder / "container.jxl").read_bytes()[4:8] == b"JXL "


def check_tiles(folder, _):
    """Every file against the drawing, turned as it says."""
    expected = drawing_of_tiles()
    for path in sorted(folder.glob("*.heic")):
        upright = expected.transpose(Image.Transpose.ROTATE_90) if path.name == "turned.heic" else expected
        for reader, read in readers(path):
            expect(f"{path.name} by {reader}", read(path).convert("RGB"), upright, 12)
