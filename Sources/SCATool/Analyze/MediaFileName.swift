// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Recognises media by the endings of their names.
///
/// The content decides what is judged. A name says which decoder to try first, and what a file manager shows as a
/// picture or a video, so that such a file is never skipped.
enum MediaFileName {
    static func isLikelyVideo(_ path: String) -> Bool { ending(of: path).map(videos.contains) ?? false }

    /// Whether a file manager takes the file for a picture or a video, whatever its content.
    static func namesMedia(_ path: String) -> Bool {
        guard let ending = ending(of: path), !codes.contains(ending) else { return false }
        return pictures.contains(ending) || videos.contains(ending)
    }

    private static func ending(of path: String) -> String? {
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }

    private static let videos: Set = [
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "m2ts", "mts", "flv", "ogv", "3gp", "3g2", "mpg", "mpeg",
        "vob",
        "wmv", "asf", "dv", "mjpeg", "y4m", "ivf", "3gpp", "3gp2", "m2t", "mpe", "qt", "divx", "f4v", "lrv", "mjpg",
        "ogm",
        "mk3d", "mj2", "mxf", "nsv", "rm", "rmvb", "viv", "fli", "flc", "m3u8",
    ]
    /// Endings of videos that source code has as well.
    private static let codes: Set = ["ts", "mts"]
    /// The endings of pictures in the database of shared-mime-info 2.2, without those that other files have as well.
    private static let pictures: Set = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "heic", "heif", "hif", "avif", "avifs", "jxl",
        "bmp",
        "dib", "tif", "tiff", "ico", "cur", "icns", "svg", "svgz", "tga", "psd", "xcf", "kra", "ora", "jp2", "j2k",
        "jpf",
        "jpx", "jpm", "jpc", "j2c", "pnm", "pbm", "pgm", "ppm", "pam", "pcx", "xpm", "xbm", "qoi", "exr", "dds", "dng",
        "cr2", "cr3", "crw", "nef", "nrw", "arw", "sr2", "srf", "orf", "rw2", "raf", "pef", "srw", "x3f", "3fr", "kdc",
        "dcr", "mrw", "erf", "iiq", "ani", "dcx", "pct", "pfm", "pict", "qtif", "wmf", "emf", "eps", "djvu", "djv",
        "jng", "mng", "wbmp", "sgi", "rgba", "rgb", "bw", "ras", "hdr", "pic", "jpg2", "k25", "msp", "xwd",
    ]
}
