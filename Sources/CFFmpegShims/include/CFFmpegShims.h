// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The parts of FFmpeg that Swift cannot use itself. Every function has its reason.

#ifndef SCA_CFFMPEGSHIMS_H
#define SCA_CFFMPEGSHIMS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <stdint.h>

/// Keeps FFmpeg's own messages from the terminal.
/// Provided because it has to happen before anything else, and the callback is a C function.
void CFFmpegShims_start(void);

/// Bytes that a file is read as having at a position.
typedef struct {
    int64_t position;
    uint8_t bytes[8];
    int count;
} CFFmpegShims_Patch;

/// Opens the media in a file as one named format, without probing for others. The demuxer reads at explicit positions
/// of the descriptor, which must stay open; it can open nothing else: no playlists, references or protocols. The media is
/// the `byte_count` bytes from `start` on.
/// `codecs` are the decoders that may be used, separated by commas. The patches (at most 100,000, in the order of their
/// positions) hold while the file is opened, and afterwards if `keeps_patches`. Returns 0, or an AVERROR.
/// Provided because custom input and its callbacks are C functions, and options are variadic in spirit.
int CFFmpegShims_open(
    AVFormatContext **context, int descriptor, int64_t start, int64_t byte_count, const CFFmpegShims_Patch *patches,
    int patch_count, int keeps_patches, const char *format, const char *codecs);

/// Whether the media has more than 64 streams, of which FFmpeg may have left some out.
/// Provided because the only sign of it is a message.
int CFFmpegShims_has_too_many_streams(const AVFormatContext *context);

/// The codec that a sample description of an MP4 file names, or AV_CODEC_ID_NONE where it names none of pictures.
/// Provided because the table is an array of structures that Swift does not see.
enum AVCodecID CFFmpegShims_picture_codec(uint32_t tag);

/// Closes what CFFmpegShims_open has opened.
/// Provided because the input has to be freed separately and in this order.
void CFFmpegShims_close(AVFormatContext **context);

/// Called while a stream is read, before each piece of it and at least every 50 ms; returns nonzero to end the stream.
typedef int (*CFFmpegShims_Wait)(void *owner);

/// Reads the first bytes of a stream from a pipe, at least one. Returns their number, 0 at the end, or an AVERROR, which is
/// AVERROR_EXIT where `wait` has ended the stream.
/// Provided because the demuxer waits in the same way.
int CFFmpegShims_read_stream(int descriptor, uint8_t *bytes, int count, CFFmpegShims_Wait wait, void *owner);

/// Opens the media in a pipe as one named format, without probing for others, and finds its streams, as far as the first
/// 64 KiB and 0.2 s show them. `prefix` is what was already read from the pipe.
/// The demuxer reads the pipe in its order, and can open nothing else. Returns 0, or an AVERROR.
/// For the format "sdp", the prefix is a session description, and the pipe has datagrams, each behind its length in two
/// bytes. Reports for the sender are dropped.
/// Provided because custom input and its callbacks are C functions, and options are variadic in spirit.
int CFFmpegShims_open_stream(
    AVFormatContext **context, int descriptor, const uint8_t *prefix, int prefix_count, const char *format,
    const char *codecs, CFFmpegShims_Wait wait, void *owner);

/// Whether the demuxer has taken all bytes of a stream, and the pipe has ended.
/// Provided because the input is a structure of its own.
int CFFmpegShims_stream_has_ended(const AVFormatContext *context);

/// Closes what CFFmpegShims_open_stream has opened.
/// Provided because the input has to be freed separately and in this order.
void CFFmpegShims_close_stream(AVFormatContext **context);

/// A copier of whole frames, which keeps its memory between frames.
typedef struct CFFmpegShims_Copier CFFmpegShims_Copier;

/// A copier, or null where memory is short.
CFFmpegShims_Copier *CFFmpegShims_make_copier(void);
void CFFmpegShims_free_copier(CFFmpegShims_Copier *copier);

/// The size in pixels, and the colours of a copied frame.
typedef struct {
    int width, height, is_full_range, is_bt709;
} CFFmpegShims_Look;

/// Writes a frame as three planes of 8 bits without padding: luma, and the two colours for two columns and two rows.
/// The range of levels stays as it is, and the colour space too if it is one of BT.601 or BT.709; others become BT.709.
/// - width, height: the size at which the frame is shown before it is turned.
/// - rotation: the clockwise rotation in degrees that makes the frame upright, plus 360 where it is mirrored afterwards.
/// - keeps_look: whether the frame gets the look of the first frame of this copier. It is scaled to fit, with black bars.
/// - look: is set to the look of the copy.
/// Returns the number of bytes, or an AVERROR.
/// Provided because it calls the functions of libswscale with arrays of pointers.
int CFFmpegShims_copy_frame(
    CFFmpegShims_Copier *copier, const AVFrame *frame, int width, int height, int rotation, int keeps_look,
    uint8_t *target, int64_t capacity, CFFmpegShims_Look *look);

/// The rotation of a frame by its own data, or by that of its stream where it has none; see CFFmpegShims_rotation.
int CFFmpegShims_frame_rotation(const AVFrame *frame, int of_stream);

/// Opens the decoder of a stream, with bounds on what it may allocate. Returns 0, or an AVERROR.
/// Provided because the error codes are macros.
int CFFmpegShims_open_decoder(
    AVCodecContext **context, const AVStream *stream, const char *decoder, int64_t maximum_pixels);

/// Decodes a file that holds one picture, with the named decoder and a bound on what it may allocate. The levels of the
/// picture are of the full range. Returns 0, or an AVERROR.
/// Provided because the error codes are macros.
int CFFmpegShims_decode_still(
    const char *decoder, const uint8_t *bytes, int64_t byte_count, int64_t maximum_pixels, AVFrame *frame);

/// Makes a decoder give frames that depend on frames which it does not have, or leave them out. Provided because the flags
/// are macros.
void CFFmpegShims_give_incomplete_frames(AVCodecContext *context, int gives_them);

/// Cuts the edges off a frame that its decoder names, as players of FFmpeg do. Returns whether the upper or the left edge is
/// among them, or an AVERROR.
int CFFmpegShims_cut_edges(AVFrame *frame);

/// Whether FFmpeg would choose this demuxer for the bytes of a file by itself; 1, 0, or an AVERROR.
/// Provided because reading a file takes callbacks with memory of their own.
int CFFmpegShims_is_probed_as(int descriptor, int64_t start, int64_t byte_count, const char *demuxer);

/// The averages of a grid of `side` x `side` blocks for each plane of a frame, and the mean differences between
/// neighbouring samples in them, both in 1/64 of a level of 8 bits. A plane has two grids of differences: those along its
/// rows, and those along its columns.
/// Returns the number of planes (at most 4), or 0 where the pixel format is none that it reads.
/// Provided because it reads every byte of every frame, in loops that C compilers turn into vector instructions.
int CFFmpegShims_block_averages(const AVFrame *frame, int side, uint16_t *averages, uint16_t *details);

/// A converter of frames, which keeps its memory between frames.
typedef struct CFFmpegShims_Reducer CFFmpegShims_Reducer;

/// A reducer, or null where memory is short.
CFFmpegShims_Reducer *CFFmpegShims_make_reducer(void);
void CFFmpegShims_free_reducer(CFFmpegShims_Reducer *reducer);

/// Converts a frame to RGB at its own size, and then averages it to a smaller one: what is lost when levels are clipped is
/// lost before. A reducer serves one value of `is_smooth`.
/// - is_smooth: whether the colours of pixels that share them are interpolated, as players on graphics processors do, or
///   the nearest ones, as in FFmpeg's program.
/// - curve: what each level of a colour becomes at the frame's own size, 256 bytes; null for what it is.
/// - pixels: room for one picture of opaque RGB, or for three where the frame has transparency: over white, over black, and
///   the colours without it.
/// Returns the number of pictures, 1 where all that is transparent hardly shows; or an AVERROR.
/// Provided because conversion and sums go over every pixel, in loops that C compilers turn into vector instructions.
int CFFmpegShims_reduce(
    CFFmpegShims_Reducer *reducer, const AVFrame *frame, int width, int height, int is_smooth, const uint8_t *curve,
    uint8_t *pixels);

/// Converts a frame to 8-bit RGB at its own size, with opacity if it has any, and hands over each row from the first on.
/// Returns 0, or an AVERROR: ENOSYS for frames whose rows share colours.
/// Provided because libswscale takes arrays of pointers to planes.
int CFFmpegShims_each_row(
    const AVFrame *frame, void (*take)(void *context, const uint8_t *row), void *context);

/// The ways of making colours that may lead to another reduced picture than the nearest colours do.
enum {
    CFFmpegShims_smooth_differs = 1,
    CFFmpegShims_scaled_differs = 2,
};

/// Finds out whether other ways of making colours could lead to a visibly different reduced picture, since levels are
/// beyond the bounds of colours.
/// - pixels: the picture of the nearest colours, of `width` x `height` RGB pixels.
/// Returns the sum of the ways that may differ, or an AVERROR.
/// Provided because it reads every byte of a frame.
int CFFmpegShims_find_other_renderings(const AVFrame *frame, const uint8_t *pixels, int width, int height);

/// Whether no part of two frames can differ visibly, by bounds on the differences of their samples: 0 where it may, 1 where
/// it cannot, and 2 where the averages of all parts are within a level besides.
/// Provided because it reads every byte of two frames.
int CFFmpegShims_frames_look_same(const AVFrame *one, const AVFrame *other);


/// The coefficients of a frame's colours, as sws_getCoefficients takes them: what the file says, or what players guess.
int CFFmpegShims_color_space(const AVFrame *frame);

/// Whether a frame's levels reach from 0 to 255, and not from 16 to 235.
int CFFmpegShims_is_full_range(const AVFrame *frame);

/// Averages the levels of a frame to a smaller size and makes colours of the averages, as programs do that scale first.
/// - pixels: room for a picture of opaque RGB.
/// Returns 0, or an AVERROR for a frame whose samples do not lie in planes of their own.
/// Provided because it reads every byte of a frame.
int CFFmpegShims_reduce_levels(const AVFrame *frame, int width, int height, uint8_t *pixels);

/// Takes bytes of a new file at a position; returns nonzero to give the file up.
typedef int (*CFFmpegShims_Write)(void *owner, const uint8_t *bytes, int count, int64_t position);

/// The first stream of sound whose codec a format of files holds, -1 where there is no sound, -2 where none of it fits,
/// -3 where only packets describe it.
/// Provided because the answer of FFmpeg takes macros.
int CFFmpegShims_find_sound(const AVFormatContext *input, const char *format);

/// Copies the packets of a stream of pictures, and of one of sound unless it is negative, into a new file of a format,
/// without metadata and without what packets say besides.
/// - packet_count: the number of packets of both streams, by which the index gets its room.
/// - write: takes the bytes; null to count them.
/// Returns the size of the file, or an AVERROR.
/// Provided because custom output and its callbacks are C functions, and options are variadic in spirit.
int64_t CFFmpegShims_remux(
    AVFormatContext *input, int pictures, int sound, const char *format, int64_t packet_count, CFFmpegShims_Write write,
    void *owner);

/// Whether the pixels of a frame may be transparent. Provided because the flag is a macro.
int CFFmpegShims_has_alpha(const AVFrame *frame);

/// Makes a frame of the samples of one frame, with the levels of another as its opacity, in a new buffer of `out`.
/// Returns 0, or an AVERROR if the two have different sizes or depths, or no format of FFmpeg has both.
/// Provided because it copies every byte of two frames.
int CFFmpegShims_add_opacity(const AVFrame *frame, const AVFrame *opacity, AVFrame *out);

/// The rotation in degrees clockwise that makes a stream's frames upright (0, 90, 180 or 270), plus 360 where they are
/// then mirrored left to right. Provided because side data and matrices are awkward to read from Swift.
int CFFmpegShims_rotation(const AVStream *stream);

/// The words for an AVERROR. Provided because the buffer's size is a macro.
void CFFmpegShims_describe(int error, char *text, int capacity);

// Macros that the importer drops.
extern const int64_t CFFmpegShims_no_timestamp;
extern const int CFFmpegShims_error_end;
extern const int CFFmpegShims_error_again;
extern const int CFFmpegShims_error_exit;
extern const int CFFmpegShims_error_no_space;
extern const int CFFmpegShims_error_memory;
extern const int CFFmpegShims_error_no_decoder;
/// Of this file alone: there are more streams than a file may have.
extern const int CFFmpegShims_error_too_many_streams;

#endif
