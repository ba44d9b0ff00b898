// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

#include "CPixelLoops.h"
#include "Wide.h"

#include <string.h>

// Scores must not differ between processors that fuse multiplication and addition and those that do not.
#pragma STDC FP_CONTRACT OFF

/// A pixel while it is computed; in memory it may begin at any number.
typedef float Pixel __attribute__((vector_size(16), aligned(4)));
typedef int32_t Mask __attribute__((vector_size(16)));
/// Sums of the bytes of a pixel and of one byte behind it, and the same before they are widened and after they are averaged.
typedef int32_t WideSums __attribute__((vector_size(16)));
typedef uint16_t NarrowSums __attribute__((vector_size(8)));
typedef uint8_t Bytes __attribute__((vector_size(4)));

WIDE void CPixelLoops_add_row(const uint8_t *row, bool is_first, size_t count, uint16_t *sums) {
    const uint16_t kept = kept_bits(is_first);
    for (size_t index = 0; index < count; index++) sums[index] = (uint16_t)((sums[index] & kept) + row[index]);
}

WIDE void CPixelLoops_collect(const uint16_t *sums, size_t count, uint32_t *totals) {
    for (size_t index = 0; index < count; index++) totals[index] += sums[index];
}

static inline void write_means(uint32_t red, uint32_t green, uint32_t blue, float share, uint8_t *target) {
    target[0] = (uint8_t)((float)red * share + 0.5f);
    target[1] = (uint8_t)((float)green * share + 0.5f);
    target[2] = (uint8_t)((float)blue * share + 0.5f);
}

static void average_block(const uint32_t *totals, size_t columns, size_t bands, size_t rows, uint8_t *target) {
    const uint64_t count = (uint64_t)columns * rows;
    for (size_t band = 0; band < bands; band++) {
        uint64_t sum = count / 2;
        for (size_t column = 0; column < columns; column++) sum += totals[column * bands + band];
        target[band] = (uint8_t)(sum / count);
    }
}

void CPixelLoops_average(const uint32_t *totals, size_t width, size_t bands, size_t horizontal, size_t rows,
                         uint8_t *target) {
    size_t start = 0;
    // Sums of so many bytes are whole numbers of a float, and a product takes a fraction of the time of a division.
    if (bands == 3 && horizontal * rows <= 65536) {
        const float share = 1.0f / (float)(horizontal * rows);
        for (; start + horizontal <= width; start += horizontal, target += 3) {
            const uint32_t *block = totals + start * 3;
            uint32_t red = 0, green = 0, blue = 0;
            for (size_t column = 0; column < horizontal; column++, block += 3) {
                red += block[0];
                green += block[1];
                blue += block[2];
            }
            write_means(red, green, blue, share, target);
        }
    }
    for (; start < width; start += horizontal, target += bands) {
        const size_t columns = width - start < horizontal ? width - start : horizontal;
        average_block(totals + start * bands, columns, bands, rows, target);
    }
}

/// Writes the mean of `columns` pixels to the first three bytes of `target`. It reads one sum and writes one byte too many.
static inline void write_mean_of_sums(const uint16_t *sums, size_t columns, float share, uint8_t *target) {
    NarrowSums narrow;
    WideSums total = {0, 0, 0, 0};
    for (size_t column = 0; column < columns; column++, sums += 3) {
        memcpy(&narrow, sums, sizeof narrow);
        total += __builtin_convertvector(narrow, WideSums);
    }
    const Pixel mean = __builtin_convertvector(total, Pixel) * share + 0.5f;
    const Bytes bytes = __builtin_convertvector(__builtin_convertvector(mean, WideSums), Bytes);
    memcpy(target, &bytes, sizeof bytes);
}

void CPixelLoops_average_sums(const uint16_t *sums, size_t width, size_t horizontal, size_t rows, uint8_t *target) {
    size_t start = 0;
    // Behind each of these blocks is another, so a sum can be read and a byte be written there.
    const float share = 1.0f / (float)(horizontal * rows);
    for (; start + horizontal < width; start += horizontal, target += 3)
        write_mean_of_sums(sums + start * 3, horizontal, share, target);
    uint32_t red = 0, green = 0, blue = 0;
    for (size_t column = start; column < width; column++) {
        red += sums[column * 3];
        green += sums[column * 3 + 1];
        blue += sums[column * 3 + 2];
    }
    if (start < width) write_means(red, green, blue, 1.0f / (float)((width - start) * rows), target);
}

bool CPixelLoops_differ(const uint8_t *one, const uint8_t *other, size_t count, uint8_t levels) {
    // In pieces, since a loop that may end at any byte is not made fast by compilers.
    enum { piece = 4096 };
    for (size_t start = 0; start < count; start += piece) {
        const size_t end = count - start < piece ? count : start + piece;
        uint8_t largest = 0;
        for (size_t index = start; index < end; index++) {
            const uint8_t a = one[index], b = other[index];
            const uint8_t distance = (uint8_t)(a > b ? a - b : b - a);
            largest = distance > largest ? distance : largest;
        }
        if (largest > levels) return true;
    }
    return false;
}

bool CPixelLoops_has_opacity_below(const uint8_t *pixels, size_t count, uint8_t limit) {
    for (size_t index = 0; index < count; index++) {
        if (pixels[index * 4 + 3] < limit) return true;
    }
    return false;
}

static uint8_t composed(unsigned level, unsigned factor, unsigned rest) {
    // Colours above their opacity are no valid pixels, and compositors show them: they are added as they are.
    unsigned sum = (level * factor + rest) / 255;
    return (uint8_t)(sum < 255 ? sum : 255);
}

static uint8_t divided(unsigned level, unsigned alpha) {
    if (alpha == 0) return (uint8_t)level;
    unsigned quotient = (level * 255 + alpha / 2) / alpha;
    return (uint8_t)(quotient < 255 ? quotient : 255);
}

void CPixelLoops_compose(const uint8_t *pixels, size_t count, CPixelLoops_Format format, uint8_t background,
                         uint8_t *target) {
    for (size_t index = 0; index < count; index++, pixels += format.size, target += 3) {
        uint8_t red = pixels[format.red], green = pixels[format.green], blue = pixels[format.blue];
        if (format.is_divided) {
            unsigned alpha = pixels[format.opacity];
            red = divided(red, alpha);
            green = divided(green, alpha);
            blue = divided(blue, alpha);
        }
        if (format.has_opacity) {
            unsigned alpha = pixels[format.opacity];
            unsigned factor = format.is_premultiplied ? 255 : alpha;
            unsigned rest = background * (255 - alpha) + 127;
            red = composed(red, factor, rest);
            green = composed(green, factor, rest);
            blue = composed(blue, factor, rest);
        }
        target[0] = red;
        target[1] = green;
        target[2] = blue;
    }
}

/// The nearest of the levels 0 to 255, the higher of two that are as near.
static Pixel rounded(Pixel value) {
    // From 2^23 on, a float has no digits behind the point: adding it rounds. A level that was rounded up is one too high.
    const Pixel unit = {8388608, 8388608, 8388608, 8388608};
    const Mask one = {0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000};
    const Mask top = {0x437F0000, 0x437F0000, 0x437F0000, 0x437F0000};
    Pixel raised = value + 0.5f;
    Pixel level = (raised + unit) - unit;
    level -= (Pixel)((Mask)(level > raised) & one);
    level = (Pixel)((Mask)level & (Mask)(level >= 0.0f));
    Mask isHigh = (Mask)(level > 255.0f);
    return (Pixel)(((Mask)level & ~isHigh) | (top & isHigh));
}

void CPixelLoops_unpack(const uint8_t *pixels, size_t count, float *row) {
    for (size_t index = 0; index < count; index++, pixels += 3, row += 4) {
        row[0] = pixels[0];
        row[1] = pixels[1];
        row[2] = pixels[2];
        row[3] = 0;
    }
}

void CPixelLoops_narrow(const float *row, const CPixelLoops_Window *windows, size_t count, const float *weights,
                        bool rounds, float *target) {
    const Pixel *pixels = (const Pixel *)row;
    Pixel *results = (Pixel *)target;
    for (size_t index = 0; index < count; index++) {
        const CPixelLoops_Window window = windows[index];
        Pixel sum = {0, 0, 0, 0};
        for (ptrdiff_t step = 0; step < window.count; step++) {
            sum += weights[window.firstWeight + step] * pixels[window.start + step];
        }
        results[index] = rounds ? rounded(sum) : sum;
    }
}

void CPixelLoops_sum(const float *rows, const ptrdiff_t *starts, const float *weights, size_t count, size_t length,
                     float *target) {
    const Pixel *pixels = (const Pixel *)rows;
    Pixel *results = (Pixel *)target;
    for (size_t index = 0; index < length; index++) {
        Pixel sum = {0, 0, 0, 0};
        for (size_t step = 0; step < count; step++) sum += weights[step] * pixels[starts[step] + (ptrdiff_t)index];
        results[index] = rounded(sum);
    }
}

void CPixelLoops_write_tensor(const float *row, size_t count, bool is_bgr, const float *mean, const float *scale,
                              size_t pixel_step, size_t channel_step, float *tensor) {
    for (size_t index = 0; index < count; index++, row += 4, tensor += pixel_step) {
        tensor[0] = ((is_bgr ? row[2] : row[0]) - mean[0]) * scale[0];
        tensor[channel_step] = (row[1] - mean[1]) * scale[1];
        tensor[2 * channel_step] = ((is_bgr ? row[0] : row[2]) - mean[2]) * scale[2];
    }
}

static uint8_t clamped(ptrdiff_t level) { return (uint8_t)(level < 0 ? 0 : level > 255 ? 255 : level); }

void CPixelLoops_draw_row(size_t width, size_t y, CPixelLoops_Color background, size_t ellipse_count,
                          const CPixelLoops_Color *colors, const ptrdiff_t *columns, const ptrdiff_t *row,
                          const ptrdiff_t *texture, uint8_t *target) {
    ptrdiff_t place = (ptrdiff_t)y;
    for (ptrdiff_t x = 0; x < (ptrdiff_t)width; x++, target += 3) {
        CPixelLoops_Color mixed = background;
        for (size_t index = 0; index < ellipse_count; index++) {
            ptrdiff_t distance = columns[index * width + (size_t)x] + row[index];
            if (distance >= 1024) continue;
            // The outer third of the squared radius is soft.
            ptrdiff_t opacity = (1024 - distance) * 3;
            if (opacity > 1024) opacity = 1024;
            CPixelLoops_Color color = colors[index];
            mixed.red = (mixed.red * (1024 - opacity) + color.red * opacity) / 1024;
            mixed.green = (mixed.green * (1024 - opacity) + color.green * opacity) / 1024;
            mixed.blue = (mixed.blue * (1024 - opacity) + color.blue * opacity) / 1024;
        }
        ptrdiff_t grain = (x * texture[0] + place * texture[1] + x * place % texture[2]) % texture[3];
        ptrdiff_t change = grain - texture[3] / 2;
        target[0] = clamped(mixed.red + change);
        target[1] = clamped(mixed.green + change);
        target[2] = clamped(mixed.blue + change);
    }
}

WIDE uint32_t CPixelLoops_bounded_length(
    const int16_t *restrict values, const uint16_t *restrict factors, size_t count, uint32_t most
) {
    uint32_t sum = 0;
    for (size_t index = 0; index < count; index++) {
        int32_t value = values[index];
        uint32_t product = (uint32_t)(value < 0 ? -value : value) * factors[index];
        sum += product < most ? product : most;
    }
    return sum;
}

WIDE size_t CPixelLoops_count_extremes(const uint8_t *row, size_t count) {
    // So few that a sum of 8 bits has room for them.
    enum { GROUP = 224 };
    size_t sum = 0;
    while (count > 0) {
        const size_t length = count < GROUP ? count : GROUP;
        uint8_t part = 0;
        for (size_t x = 0; x < length; x++) part = (uint8_t)(part + ((uint8_t)(row[x] + 1) < 2));
        sum += part;
        row += length;
        count -= length;
    }
    return sum;
}

// 0xFF before neither 0 nor a restart marker, "ft" or "mo".
static inline uint8_t may_begin(uint8_t first, uint8_t next) {
    return (uint8_t)(((first == 0xFF) & (next != 0) & ((next & 0xF8) != 0xD0)) | ((first == 'f') & (next == 't')) |
                     ((first == 'm') & (next == 'o')));
}

WIDE size_t CPixelLoops_next_media_place(const uint8_t *bytes, size_t start, size_t count) {
    enum { GROUP = 64 };
    size_t place = start;
    while (place + GROUP < count) {
        uint8_t any = 0;
        for (size_t x = 0; x < GROUP; x++) any |= may_begin(bytes[place + x], bytes[place + x + 1]);
        if (any) break;
        place += GROUP;
    }
    for (; place + 1 < count; place++)
        if (may_begin(bytes[place], bytes[place + 1])) return place;
    return count;
}

enum { PACKET_SYNC = 0x47, MOST_PACKET_REACH = 2 * 204 };

// The lengths of packets of a transport stream.
static inline uint8_t may_begin_packets(const uint8_t *bytes) {
    return (uint8_t)((bytes[0] == PACKET_SYNC) & (((bytes[188] == PACKET_SYNC) & (bytes[2 * 188] == PACKET_SYNC)) |
                                                  ((bytes[192] == PACKET_SYNC) & (bytes[2 * 192] == PACKET_SYNC)) |
                                                  ((bytes[204] == PACKET_SYNC) & (bytes[2 * 204] == PACKET_SYNC))));
}

// A byte of zeros with seven further zero bits around it, or the first two bytes of a signature.
static inline uint8_t may_begin_stream(uint8_t before, uint8_t byte, uint8_t behind) {
    const uint8_t last_bit = (uint8_t)(before & -before);
    const uint8_t is_code = (byte == 0) & ((before == 0) | ((uint8_t)(behind >> 1) < last_bit));
    const uint8_t is_signature = ((before == 0x06) & (byte == 0x0E)) | ((before == 0x1F) & ((byte & 7) == 7)) |
                                 ((before == 0xFF) & (byte == 0x3F)) | ((before == 0xF5) & (byte == 0x46)) |
                                 ((before == 'N') & ((byte == 'M') | (byte == 'S')));
    return (uint8_t)(is_code | is_signature);
}

WIDE size_t CPixelLoops_next_stream_place(const uint8_t *bytes, size_t start, size_t count) {
    enum { GROUP = 64 };
    size_t place = start;
    while (place + GROUP + MOST_PACKET_REACH < count) {
        uint8_t any = 0;
        const uint8_t *group = bytes + place;
        for (size_t x = 0; x < GROUP; x++)
            any |= may_begin_stream(group[x], group[x + 1], group[x + 2]) | may_begin_packets(group + x);
        if (any) break;
        place += GROUP;
    }
    for (; place + 2 < count; place++) {
        if (may_begin_stream(bytes[place], bytes[place + 1], bytes[place + 2])) return place;
        if (place + MOST_PACKET_REACH < count && may_begin_packets(bytes + place)) return place;
    }
    return count;
}

void CPixelLoops_average_squares(
    const uint8_t *pixels, size_t bytes_per_row, size_t factor, size_t columns, size_t rows, uint8_t *target
) {
    const size_t area = factor * factor;
    for (size_t row = 0; row < rows; row++) {
        for (size_t place = 0; place < columns * 3; place++) {
            const uint8_t *first = pixels + factor * row * bytes_per_row + place / 3 * 3 * factor + place % 3;
            size_t sum = area / 2;
            for (size_t line = 0; line < factor; line++)
                for (size_t column = 0; column < factor; column++) sum += first[line * bytes_per_row + column * 3];
            target[row * columns * 3 + place] = (uint8_t)(sum / area);
        }
    }
}

bool CPixelLoops_spread_levels(uint8_t *levels, size_t count, int least, int end) {
    uint8_t darkest = 255, lightest = 0;
    for (size_t index = 0; index < count; index++) {
        if (levels[index] < darkest) darkest = levels[index];
        if (levels[index] > lightest) lightest = levels[index];
    }
    if (lightest - darkest < least || lightest - darkest >= end) return false;
    uint8_t spread[256];
    for (int level = darkest; level <= lightest; level++)
        spread[level] = (uint8_t)((level - darkest) * 255 / (lightest - darkest));
    for (size_t index = 0; index < count; index++) levels[index] = spread[levels[index]];
    return true;
}

void CPixelLoops_invert(uint8_t *levels, size_t count) {
    for (size_t index = 0; index < count; index++) levels[index] = (uint8_t)(255 - levels[index]);
}
