# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Every format that programs of Debian show as a picture or a film, and what `sca` does with it.

`PROGRAMS` has the MIME types that the programs themselves name. `FORMATS` has a sample of each format, with which
IntegrationTests/test-format-list asks the command. scripts/generate-format-list writes the table of docs/formats.md."""

from dataclasses import dataclass, field

JUDGED, UNKNOWN, SKIPPED = "judged", "unknown", "skipped"

_VIDEOS = """video/mp4 video/quicktime video/3gpp video/3gpp2 video/x-m4v video/x-matroska video/webm video/x-msvideo
 video/mpeg video/mp2t video/x-flv video/ogg video/x-ms-wmv video/dv application/mxf video/x-nsv video/x-flic
 application/vnd.rn-realmedia video/x-mjpeg application/vnd.apple.mpegurl video/vnd.vivo""".split()
_RAW = """image/x-adobe-dng image/x-canon-cr2 image/x-canon-cr3 image/x-canon-crw image/x-fuji-raf image/x-nikon-nef
 image/x-olympus-orf image/x-panasonic-rw2 image/x-sony-arw""".split()
_DOCUMENTS = """application/pdf application/postscript application/epub+zip application/vnd.oasis.opendocument.text
 application/vnd.openxmlformats-officedocument.wordprocessingml.document application/msword
 application/vnd.comicbook+zip""".split()

# The sources are in docs/formats.md. Names that shared-mime-info 2.2 calls aliases are left out.
PROGRAMS = {
    "GdkPixbuf": """image/png image/jpeg image/bmp image/gif image/vnd.microsoft.icon application/x-navi-animation
 image/x-portable-anymap image/tiff image/x-xpixmap image/x-xbitmap image/x-tga image/x-icns image/x-quicktime
 image/webp image/avif image/heif image/svg+xml image/svg+xml-compressed""".split(),
    "Qt and KDE": """image/png image/jpeg image/bmp image/gif image/vnd.microsoft.icon image/x-portable-anymap
 image/tiff image/x-xpixmap image/x-xbitmap image/x-tga image/x-icns image/webp image/vnd.wap.wbmp video/x-mng
 image/svg+xml image/svg+xml-compressed application/x-navi-animation image/avif image/x-dds image/x-eps image/x-exr
 image/vnd.radiance image/heif image/jp2 image/jxl application/x-krita image/openraster image/x-pcx
 image/x-softimage-pic image/vnd.adobe.photoshop image/x-sun-raster image/x-sgi image/x-xcf image/x-qoi""".split() + _RAW,
    "Chromium": """image/png image/apng image/jpeg image/bmp image/gif image/vnd.microsoft.icon image/webp image/avif
 image/svg+xml video/mp4 video/webm video/ogg video/quicktime video/x-matroska""".split(),
    "Firefox": """image/png image/apng image/jpeg image/bmp image/gif image/vnd.microsoft.icon image/webp image/avif
 image/svg+xml video/mp4 video/webm video/ogg video/quicktime""".split(),
    "file managers": [*_VIDEOS, *_DOCUMENTS, "image/vnd.djvu", "image/tiff", "image/x-pict"],
}


@dataclass
class Format:
    """A format: its sample is a fixture, bytes, or the arguments with which ffmpeg makes one."""

    name: str
    types: list
    endings: list
    here: str = JUDGED
    fixture: str = ""
    content: bytes = b""
    ffmpeg: list = field(default_factory=list)
    reason: str = ""

    def shown_by(self):
        return [program for program, types in PROGRAMS.items() if set(types) & set(self.types)]


def _picture(name, mime, endings, fixture):
    return Format(name, mime.split(), endings.split(), JUDGED, fixture=fixture)


def _film(name, mime, endings, *codec, fixture=""):
    return Format(name, mime.split(), endings.split(), JUDGED, fixture=fixture, ffmpeg=list(codec))


def _unknown(name, mime, endings, content, reason="no decoder here"):
    return Format(name, mime.split(), endings.split(), UNKNOWN, content=content, reason=reason)


def _document(name, mime, endings, content):
    return Format(name, mime.split(), endings.split(), SKIPPED, content=content, reason="a document; counted as not looked at")


_MPEG4 = ["-c:v", "mpeg4"]
FORMATS = [
    _picture("JPEG", "image/jpeg", "jpg jpeg jpe jfif", "plain/plain.jpg"),
    _picture("PNG, animated PNG", "image/png image/apng", "png apng", "several/animated.png"),
    _picture("GIF", "image/gif", "gif", "several/animated.gif"),
    _picture("WebP", "image/webp", "webp", "several/animated.webp"),
    _picture("HEIC", "image/heif", "heic heif hif", "plain/plain.heic"),
    _picture("AVIF", "image/avif", "avif avifs", "plain/plain.avif"),
    _picture("JPEG XL", "image/jxl", "jxl", "plain/plain.jxl"),
    _picture("JPEG 2000", "image/jp2", "jp2 j2k", "colour/simple/rgb.jp2"),
    _picture("TIFF", "image/tiff", "tif tiff", "several/pages.tiff"),
    _picture("BMP", "image/bmp", "bmp dib", "plain/plain.bmp"),
    _picture("ICO, CUR", "image/vnd.microsoft.icon", "ico cur", "colour/simple/png.ico"),
    _picture("TGA", "image/x-tga", "tga", "colour/simple/rgb.tga"),
    _picture("PNM, PAM", "image/x-portable-anymap", "pnm pbm pgm ppm pam", "colour/simple/rgb.ppm"),
    _picture("PCX", "image/x-pcx", "pcx", "colour/simple/rgb.pcx"),
    _picture("QOI", "image/x-qoi", "qoi", "colour/simple/rgb.qoi"),
    _picture("Photoshop", "image/vnd.adobe.photoshop", "psd", "several/layers.psd"),
    _picture("SGI", "image/x-sgi", "sgi rgb rgba bw", "colour/simple/runs.sgi"),
    _picture("DDS", "image/x-dds", "dds", "colour/simple/dxt1.dds"),
    Format("SVG", ["image/svg+xml"], ["svg"], JUDGED,
           content=b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0h5v5z'/></svg>"),
    _film("MP4, M4V", "video/mp4 video/x-m4v", "mp4 m4v", *_MPEG4),
    _film("QuickTime", "video/quicktime", "mov", *_MPEG4),
    _film("3GPP", "video/3gpp video/3gpp2", "3gp 3g2", *_MPEG4),
    _film("Matroska", "video/x-matroska", "mkv", *_MPEG4),
    _film("WebM", "video/webm", "webm", fixture="honest/sticker.webm"),
    _film("AVI", "video/x-msvideo", "avi", *_MPEG4),
    _film("MPEG program streams", "video/mpeg", "mpg mpeg vob", fixture="honest/video-disc.mpg"),
    _film("MPEG transport streams", "video/mp2t", "ts m2ts mts", "-c:v", "mpeg2video"),
    _film("FLV", "video/x-flv", "flv", "-c:v", "flv"),
    _film("Ogg", "video/ogg", "ogv", "-c:v", "libtheora"),
    _film("WMV", "video/x-ms-wmv", "wmv asf", fixture="honest/windows-media.wmv"),
    _film("DV", "video/dv", "dv", "-s", "720x576", "-r", "25", "-pix_fmt", "yuv420p", "-c:v", "dvvideo"),
    _unknown("compressed SVG", "image/svg+xml-compressed", "svgz", b"\x1f\x8b\x08\x00"),
    _unknown("GIMP", "image/x-xcf", "xcf", b"gimp xcf v011\x00", "its layers show something else in some programs"),
    _unknown("Krita, OpenRaster", "application/x-krita image/openraster", "kra ora", b"PK\x03\x04\x14\x00"),
    _unknown("Sun raster", "image/x-sun-raster", "ras", b"\x59\xa6\x6a\x95\x00\x00"),
    _unknown("OpenEXR", "image/x-exr", "exr", b"\x76\x2f\x31\x01\x02\x00\x00\x00", "its levels are light, which programs map differently"),
    _unknown("Radiance", "image/vnd.radiance", "hdr", b"#?RADIANCE\n", "its levels are light, which programs map differently"),
    _unknown("Softimage PIC", "image/x-softimage-pic", "pic", b"\x53\x80\xf6\x34\x00\x00\x00\x00"),
    _unknown("ICNS", "image/x-icns", "icns", b"icns\x00\x00\x00\x08"),
    _unknown("XPM", "image/x-xpixmap", "xpm", b"/* XPM */\nstatic char *x[] = {\n"),
    _unknown("XBM", "image/x-xbitmap", "xbm", b"#define a_width 8\n#define a_height 8\n"),
    _unknown("WBMP", "image/vnd.wap.wbmp", "wbmp", b"\x00\x00\x08\x01\x55"),
    _unknown("animated cursors", "application/x-navi-animation", "ani", b"RIFF\x00\x00\x00\x00ACONLIST"),
    _unknown("QuickTime pictures", "image/x-quicktime", "qtif", b"\x00\x00\x00\x10idsc\x00\x00\x00\x00"),
    _unknown("Macintosh pictures (PICT)", "image/x-pict", "pict pct", bytes(522) + b"\x00\x11\x02\xff\x0c\x00"),
    _unknown("MNG", "video/x-mng", "mng", b"\x8aMNG\r\n\x1a\n"),
    _unknown("encapsulated PostScript", "image/x-eps", "eps", b"%!PS-Adobe-3.0 EPSF-3.0\n"),
    _unknown("DjVu", "image/vnd.djvu", "djvu djv", b"AT&TFORM\x00\x00\x00\x08DJVU"),
    _unknown("raw pictures of cameras", " ".join(_RAW), "dng cr2 cr3 crw raf nef orf rw2 arw", b"II*\x00\x08\x00\x00\x00\x00\x00",
             "its previews may make it sensitive; each program develops the raw picture in its own way"),
    _unknown("MXF", "application/mxf", "mxf", b"\x06\x0e\x2b\x34\x02\x05\x01\x01"),
    _unknown("RealMedia", "application/vnd.rn-realmedia", "rm", b".RMF\x00\x00\x00\x12"),
    _unknown("NSV", "video/x-nsv", "nsv", b"NSVf\x00\x00\x00\x00"),
    _unknown("FLI, FLC", "video/x-flic", "fli flc", b"\x10\x00\x00\x00\x12\xaf\x01\x00\x00\x00\x00\x00"),
    _film("Motion JPEG without a container", "video/x-mjpeg", "mjpeg", "-c:v", "mjpeg"),
    _unknown("VIVO", "video/vnd.vivo", "viv", b"\x00\x0dVersion:Vivo/1.00\r\n"),
    _unknown("playlists of films (HLS)", "application/vnd.apple.mpegurl", "m3u8", b"#EXTM3U\n#EXT-X-VERSION:3\n"),
    _document("PDF", "application/pdf", "pdf", b"%PDF-1.7\n"),
    _document("PostScript", "application/postscript", "ps", b"%!PS-Adobe-3.0\n"),
    _document("Office documents, OpenDocument", "application/msword application/vnd.oasis.opendocument.text "
              "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx odt", b"PK\x03\x04\x14\x00"),
    _document("books and comics in archives", "application/epub+zip application/vnd.comicbook+zip", "epub cbz", b"PK\x03\x04\x14\x00"),
]

START, END = "<!-- formats: written by scripts/generate-format-list -->", "<!-- end of formats -->"


def table():
    """The table of docs/formats.md."""
    rows = ["| format | endings | shown by | here |", "| - | - | - | - |"]
    for kind in FORMATS:
        here = f"{kind.here}: {kind.reason}" if kind.reason else kind.here
        rows.append(f"| {kind.name} | {', '.join(kind.endings)} | {', '.join(kind.shown_by())} | {here} |")
    return "\n".join(rows)


def page_with_table(text):
    """The page with the table anew between its marks."""
    before, rest = text.split(START)
    return f"{before}{START}\n\n{table()}\n\n{END}{rest.split(END)[1]}"
