# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Puts a preview into a JPEG XL codestream (ISO/IEC 18181-1): encoders write none.

The preview is an ordinary frame that precedes the picture's own; only the header says so. Headers are read as far as
libjxl's encoder writes them for a lossy 8-bit sRGB picture.
"""

SIGNATURE = b"\xff\x0a"


class _Bits:
    """Bits, least significant first."""

    def __init__(self, data=b""):
        self.bits = [byte >> i & 1 for byte in data for i in range(8)]
        self.at = 0

    def read(self, count):
        value = sum(bit << i for i, bit in enumerate(self.bits[self.at:self.at + count]))
        self.at += count
        return value

    def write(self, value, count):
        self.bits += [value >> i & 1 for i in range(count)]

    def copy(self, other, count):
        """Takes the next `count` bits of `other` and returns their value."""
        value = other.read(count)
        self.write(value, count)
        return value

    def bytes(self):
        bits = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(sum(bit << j for j, bit in enumerate(bits[i:i + 8])) for i in range(0, len(bits), 8))


_SIZE_BITS = (9, 13, 18, 30)


def _copy_size(source, target):
    """Copies a SizeHeader."""
    small = target.copy(source, 1)  # both edges are multiples of eight, and short

    def copy_edge():
        target.copy(source, 5 if small else _SIZE_BITS[target.copy(source, 2)])

    copy_edge()
    if target.copy(source, 3) == 0:  # no named ratio: the width follows
        copy_edge()


def _write_preview_size(bits, size):
    """A PreviewHeader with plain numbers."""
    width, height = size
    bits.write(0, 1)  # not a multiple of eight
    _write_preview_edge(bits, height)
    bits.write(0, 3)  # no named ratio
    _write_preview_edge(bits, width)


def _write_preview_edge(bits, value):
    for selector, (offset, count) in enumerate(((1, 6), (65, 8), (321, 10), (1345, 12))):
        if value < offset + (1 << count):
            bits.write(selector, 2)
            bits.write(value - offset, count)
            return
    raise ValueError(f"a preview cannot be {value} long")


def _header(codestream, preview=None):
    """(the header, with the preview's size if given; everything behind it)."""
    assert codestream[:2] == SIGNATURE, "not a bare codestream"
    source, target = _Bits(codestream[2:2 + 256]), _Bits()
    _copy_size(source, target)
    all_default = source.read(1)
    target.write(0, 1)
    extra = 0 if all_default else source.read(1)
    target.write(1, 1)  # extra fields follow
    if extra:
        target.copy(source, 3)  # orientation
        assert source.read(3) == 0, "no intrinsic size, preview or animation was expected"
    else:
        target.write(0, 3)
    target.write(0, 1)  # no intrinsic size
    target.write(preview is not None, 1)
    if preview:
        _write_preview_size(target, preview)
    target.write(0, 1)  # no animation
    if all_default:
        target.write(0, 3)  # integers of 8 bits
        target.write(1, 1)  # modular_16bit_buffers
        target.write(0, 2)  # no extra channels
        target.write(1, 1)  # XYB
        target.write(1, 1)  # sRGB
    else:
        assert target.copy(source, 3) == 0, "8 bits were expected"
        target.copy(source, 1)
        assert target.copy(source, 2) == 0, "no extra channels were expected"
        target.copy(source, 1)
        _copy_colour(source, target)
    if extra:
        assert target.copy(source, 1) == 1, "the default tone mapping was expected"
    else:
        target.write(1, 1)
    if all_default:
        target.write(0, 2)  # no extensions
    else:
        assert target.copy(source, 2) == 0, "no extensions were expected"
    assert target.copy(source, 1) == 1, "the default transform was expected"
    end = 2 + -(-source.at // 8)
    return SIGNATURE + target.bytes(), codestream[end:]


def _copy_colour(source, target):
    """Copies a ColourEncoding with named values."""
    if target.copy(source, 1):
        return
    assert target.copy(source, 1) == 0, "no ICC profile was expected"

    def enumerated():
        selector = target.copy(source, 2)
        if selector < 2:
            return selector
        return 2 + target.copy(source, 4) if selector == 2 else 18 + target.copy(source, 6)

    space = enumerated()
    assert space == 0, "RGB was expected"
    assert enumerated() == 1 and enumerated() == 1, "D65 and sRGB primaries were expected"
    assert target.copy(source, 1) == 0, "no gamma was expected"
    enumerated()  # transfer function
    enumerated()  # rendering intent


def with_preview(picture, preview, preview_size):
    """The bare codestream `picture` with the frame of the bare codestream `preview` as its preview."""
    header, frames = _header(picture, preview_size)
    return header + _header(preview)[1] + frames
