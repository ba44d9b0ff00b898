# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Layouts in which people send a picture: screenshots, collages, pages, canvases, and layouts without one.

A layout is a function of a picture, other pictures and a random generator. It returns the picture of the layout and the
rectangle of the inner picture (left, top, right, bottom). Each kind has layouts in two halves: thresholds are chosen on
the first half and the figures come from the second.
"""

from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

WORDS = (
    "the a of to and in is you that it he was for on are with as his they be at one have this from or had by hot but some "
    "what there we can out other were all your when up use word how said each she which do their time if will way about "
    "many then them would write like so these her long make thing see him two has look more day could go come did my sound "
    "no most number who over know water than call first people may down side been now find any new work part take get place"
).split()
NAMES = "Ada Ben Cem Dora Edin Fay Gül Hana Ivo Jun Kim Leo Mia Noor Ola Pia Quin Rui Sam Tove".split()

HALVES = {"choose": {}, "report": {}}
HARMLESS = {}


def layout(half, kind):
    """Registers a layout of a kind in one half."""

    def add(function):
        HALVES[half].setdefault(kind, []).append(function)
        return function

    return add


def harmless(function):
    """Registers a layout in which no picture over a threshold is."""
    HARMLESS[function.__name__] = function
    return function


@lru_cache(maxsize=None)
def font(size):
    return ImageFont.load_default(size)


def sentence(rng, count):
    return " ".join(rng.choice(WORDS) for _ in range(count)).capitalize() + "."


def write(draw, box, colour, rng, size=28, spacing=1.5):
    """Fills a rectangle with lines of words."""
    left, top, right, bottom = box
    y = top
    while y + size < bottom:
        line = ""
        while draw.textlength(line, font(size)) < (right - left) * rng.uniform(0.75, 0.95):
            line += rng.choice(WORDS) + " "
        while line and draw.textlength(line, font(size)) > right - left:
            line = line[:-1]
        draw.text((left, y), line, colour, font(size))
        y += int(size * spacing)


def fitted(picture, width, height):
    """Returns the picture at the largest size that fits into a rectangle."""
    factor = min(width / picture.width, height / picture.height)
    return picture.resize((max(1, round(picture.width * factor)), max(1, round(picture.height * factor))))


def paste(canvas, picture, left, top):
    canvas.paste(picture, (left, top))
    return canvas, (left, top, left + picture.width, top + picture.height)


# Screens

PHONES = [(750, 1334), (1080, 2340), (1440, 3120)]
LIGHT = ((255, 255, 255), (245, 245, 247), (30, 30, 30), (140, 140, 145), (0, 122, 255))
DARK = ((0, 0, 0), (28, 28, 30), (235, 235, 235), (130, 130, 135), (10, 132, 255))


class Screen:
    """A phone's screen with a status bar and a unit of length, a thousandth of the width."""

    def __init__(self, rng, is_dark, size=None):
        self.rng = rng
        self.width, self.height = size or rng.choice(PHONES)
        self.back, self.surface, self.ink, self.faint, self.accent = DARK if is_dark else LIGHT
        self.image = Image.new("RGB", (self.width, self.height), self.back)
        self.draw = ImageDraw.Draw(self.image)
        self.text((40, 20), f"{rng.randint(0, 23)}:{rng.randint(10, 59)}", 38)
        self.draw.rectangle(self.box(900, 24, 960, 52), outline=self.ink, width=3)

    def at(self, length):
        return round(length * self.width / 1000)

    def box(self, *edges):
        return [self.at(edge) for edge in edges]

    def text(self, place, words, size=34, colour=None):
        self.draw.text(self.box(*place), words, colour or self.ink, font(self.at(size)))

    def write(self, left, top, right, bottom, size=32, colour=None):
        write(self.draw, self.box(left, top, right, bottom), colour or self.ink, self.rng, self.at(size))

    @property
    def bottom(self):
        """The height in units."""
        return self.height * 1000 / self.width

    def avatar(self, left, top, side=80):
        colour = tuple(self.rng.randint(60, 220) for _ in range(3))
        self.draw.ellipse(self.box(left, top, left + side, top + side), fill=colour)

    def bubble(self, left, top, right, bottom, own=False):
        self.draw.rounded_rectangle(
            self.box(left, top, right, bottom), self.at(36), fill=self.accent if own else self.surface)

    def picture(self, picture, left, top, width, height):
        inner = fitted(picture, self.at(width), self.at(height))
        return paste(self.image, inner, self.at(left), self.at(top))


def screens(half):
    """Registers a screenshot in both its light and its dark form."""

    def add(function):
        for kind, is_dark in (("screenshot-light", False), ("screenshot-dark", True)):
            layout(half, kind)(lambda picture, others, rng, d=is_dark: function(picture, others, rng, Screen(rng, d)))
        return function

    return add


@screens("choose")
def gallery(picture, others, rng, screen):
    inner = fitted(picture, screen.width, screen.at(screen.bottom - 420))
    top = (screen.height - inner.height) // 2
    screen.text((400, 110), rng.choice(NAMES), 40)
    for i in range(5):
        screen.draw.ellipse(screen.box(80 + 180 * i, screen.bottom - 120, 140 + 180 * i, screen.bottom - 60), outline=screen.ink, width=4)
    return paste(screen.image, inner, (screen.width - inner.width) // 2, top)


@screens("choose")
def feed(picture, others, rng, screen):
    screen.avatar(30, 120)
    screen.text((130, 135), rng.choice(NAMES))
    image, box = screen.picture(picture, 0, 230, 1000, screen.bottom - 700)
    below = box[3] * 1000 / screen.width
    for i in range(3):
        screen.draw.ellipse(screen.box(40 + 100 * i, below + 30, 100 + 100 * i, below + 90), outline=screen.ink, width=4)
    screen.write(40, below + 120, 960, screen.bottom - 150)
    return image, box


@screens("choose")
def article(picture, others, rng, screen):
    screen.text((40, 120), sentence(rng, 4), 56)
    screen.write(40, 230, 960, 520)
    image, box = screen.picture(picture, 40, 560, 920, screen.bottom - 1100)
    screen.write(40, box[3] * 1000 / screen.width + 40, 960, screen.bottom - 60)
    return image, box


@screens("choose")
def attachment(picture, others, rng, screen):
    screen.text((40, 110), sentence(rng, 3), 46)
    screen.avatar(40, 210)
    screen.text((150, 225), rng.choice(NAMES))
    screen.write(40, 330, 960, 330 + rng.randint(100, 600))
    top = screen.bottom - 800
    image, box = screen.picture(picture, 40, top, rng.choice([500, 640, 760]), 720)
    return image, box


@screens("choose")
def listing(picture, others, rng, screen):
    image, box = screen.picture(picture, 0, 80, 1000, 1000)
    below = box[3] * 1000 / screen.width
    screen.text((40, below + 40), f"{rng.randint(5, 900)} €", 64)
    screen.write(40, below + 150, 960, screen.bottom - 220)
    screen.bubble(40, screen.bottom - 180, 960, screen.bottom - 60, own=True)
    return image, box


@screens("report")
def chat(picture, others, rng, screen):
    screen.avatar(40, 100)
    screen.text((150, 115), rng.choice(NAMES), 40)
    y = 240
    for _ in range(rng.randint(1, 3)):
        own, height = rng.random() < 0.5, rng.choice([90, 140, 190])
        left = 300 if own else 40
        screen.bubble(left, y, left + 660, y + height, own)
        screen.write(left + 30, y + 20, left + 630, y + height)
        y += height + 30
    own = rng.random() < 0.5
    width = rng.choice([560, 660, 740])
    inner = fitted(picture, screen.at(width), screen.at(max(300, screen.bottom - y - 330)))
    left = screen.width - inner.width - screen.at(50) if own else screen.at(50)
    screen.draw.rounded_rectangle(
        [left - 10, screen.at(y) - 10, left + inner.width + 10, screen.at(y) + inner.height + 10], 20,
        fill=screen.accent if own else screen.surface)
    result = paste(screen.image, inner, left, screen.at(y))
    screen.draw.rounded_rectangle(screen.box(30, screen.bottom - 130, 970, screen.bottom - 40), screen.at(40), outline=screen.faint, width=3)
    return result


@screens("report")
def story(picture, others, rng, screen):
    image, box = screen.picture(picture, 0, 180, 1000, screen.bottom - 400)
    for i in range(4):
        screen.draw.rectangle(screen.box(20 + 245 * i, 90, 250 + 245 * i, 98), fill=screen.faint)
    screen.avatar(30, 105, 60)
    screen.text((40, screen.bottom - 150), sentence(rng, 5), 36)
    return image, box


@screens("report")
def search_results(picture, others, rng, screen):
    screen.draw.rounded_rectangle(screen.box(30, 90, 970, 180), screen.at(40), outline=screen.faint, width=3)
    screen.text((70, 110), " ".join(rng.choice(WORDS) for _ in range(3)))
    image, box = screen.picture(picture, 30, 220, 940, screen.bottom - 1000)
    top = round(box[3] * 1000 / screen.width) + 40
    while top < screen.bottom - 100:
        for column in range(3):
            tile = ImageOps.fit(rng.choice(others), (screen.at(300), screen.at(300)))
            screen.image.paste(tile, tuple(screen.box(30 + 320 * column, top)))
        top += 320
    return image, box


@screens("report")
def forum(picture, others, rng, screen):
    y = 120
    for _ in range(rng.randint(1, 2)):
        screen.avatar(40, y, 60)
        screen.write(130, y, 960, y + 260, 28)
        y += 320
    image, box = screen.picture(picture, 130, y, 830, screen.bottom - y - 420)
    screen.write(130, box[3] * 1000 / screen.width + 40, 960, screen.bottom - 60, 28)
    return image, box


@screens("report")
def profile(picture, others, rng, screen):
    image, box = screen.picture(picture, rng.choice([0, 80, 160]), 150, rng.choice([680, 840]), screen.bottom - 900)
    below = box[3] * 1000 / screen.width
    screen.text((60, below + 40), f"{rng.choice(NAMES)}, {rng.randint(20, 60)}", 60)
    screen.write(60, below + 150, 940, below + 420)
    for i in range(4):
        screen.avatar(100 + 220 * i, screen.bottom - 200, 130)
    return image, box


@screens("report")
def shop(picture, others, rng, screen):
    screen.text((40, 110), sentence(rng, 2), 46)
    place, columns = rng.randrange(6), 2
    for index in range(6):
        left, top = 40 + 480 * (index % columns), 220 + 640 * (index // columns)
        tile = ImageOps.fit(picture if index == place else rng.choice(others), (screen.at(440), screen.at(440)))
        if index == place:
            box = paste(screen.image, tile, *screen.box(left, top))[1]
        else:
            screen.image.paste(tile, tuple(screen.box(left, top)))
        screen.text((left, top + 460), rng.choice(WORDS), 30)
        screen.text((left, top + 510), f"{rng.randint(5, 900)} €", 40)
    return screen.image, box


# A picture and its surroundings


def on_canvas(picture, factor, colour, place):
    width, height = round(picture.width * factor), round(picture.height * factor)
    canvas = Image.new("RGB", (width, height), colour)
    left, top = round((width - picture.width) * place[0]), round((height - picture.height) * place[1])
    return paste(canvas, picture, left, top)


@layout("choose", "canvas")
def centred(picture, others, rng):
    return on_canvas(picture, rng.uniform(1.2, 3), rng.choice([(255, 255, 255), (0, 0, 0)]), (0.5, 0.5))


@layout("report", "canvas")
def placed(picture, others, rng):
    colour = rng.choice([(255, 255, 255), (0, 0, 0), tuple(rng.randint(0, 255) for _ in range(3))])
    return on_canvas(picture, rng.uniform(1.2, 3), colour, (rng.random(), rng.random()))


def bars(picture, shape, colour):
    """Returns the picture with bars to a shape, which is width divided by height."""
    width, height = max(picture.width, round(picture.height * shape)), max(picture.height, round(picture.width / shape))
    canvas = Image.new("RGB", (width, height), colour)
    return paste(canvas, picture, (width - picture.width) // 2, (height - picture.height) // 2)


@layout("choose", "letterbox")
def tall_black(picture, others, rng):
    return bars(picture, rng.choice([9 / 16, 9 / 19.5, 1 / 3]), (0, 0, 0))


@layout("report", "letterbox")
def tall_grey(picture, others, rng):
    return bars(picture, rng.choice([0.5, 0.6, 0.4]), rng.choice([(16, 16, 16), (255, 255, 255), (40, 44, 52)]))


@layout("choose", "pillarbox")
def wide_black(picture, others, rng):
    return bars(picture, rng.choice([16 / 9, 21 / 9, 3]), (0, 0, 0))


@layout("report", "pillarbox")
def wide_grey(picture, others, rng):
    return bars(picture, rng.choice([2, 2.2, 2.6]), rng.choice([(16, 16, 16), (255, 255, 255), (40, 44, 52)]))


@layout("choose", "blurred-copy")
def blurred_tall(picture, others, rng):
    canvas = picture.resize((1080, 1920)).filter(ImageFilter.GaussianBlur(40))
    inner = fitted(picture, 1080, 1500)
    return paste(canvas, inner, (1080 - inner.width) // 2, (1920 - inner.height) // 2)


@layout("report", "blurred-copy")
def blurred_wide(picture, others, rng):
    canvas = ImageOps.fit(picture, (1920, 1080)).filter(ImageFilter.GaussianBlur(30)).point(lambda level: level * 3 // 4)
    inner = fitted(picture, 1500, 1080)
    return paste(canvas, inner, (1920 - inner.width) // 2, (1080 - inner.height) // 2)


@layout("choose", "meme")
def caption_above_and_below(picture, others, rng):
    inner = fitted(picture, 900, 900)
    bar = inner.height // 5
    canvas = Image.new("RGB", (inner.width, inner.height + 2 * bar), (255, 255, 255))
    draw = ImageDraw.Draw(canvas)
    for top in (0, bar + inner.height):
        write(draw, (20, top + 10, inner.width - 20, top + bar), (0, 0, 0), rng, max(14, bar // 3))
    return paste(canvas, inner, 0, bar)


@layout("report", "meme")
def caption_across(picture, others, rng):
    inner = fitted(picture, 1000, 1000)
    bar = inner.height // rng.choice([3, 4])
    canvas = Image.new("RGB", (inner.width, inner.height + bar), rng.choice([(255, 255, 255), (0, 0, 0)]))
    ink = (255, 255, 255) if canvas.getpixel((0, 0)) == (0, 0, 0) else (0, 0, 0)
    write(ImageDraw.Draw(canvas), (20, 10, inner.width - 20, bar), ink, rng, max(14, bar // 4))
    result = paste(canvas, inner, 0, bar)
    ImageDraw.Draw(canvas).text((inner.width // 8, canvas.height - 90), sentence(rng, 3).upper(), (255, 255, 255), font(60), stroke_width=4, stroke_fill=(0, 0, 0))
    return result


@layout("report", "blurred-copy")
def blurred_square(picture, others, rng):
    canvas = ImageOps.fit(picture, (1080, 1080)).filter(ImageFilter.GaussianBlur(25))
    inner = fitted(picture, 1080, 900)
    return paste(canvas, inner, (1080 - inner.width) // 2, (1080 - inner.height) // 2)


@layout("report", "meme")
def framed_quote(picture, others, rng):
    inner = fitted(picture, 840, 700)
    canvas = Image.new("RGB", (960, inner.height + 420), rng.choice([(255, 255, 255), (246, 236, 215), (20, 20, 24)]))
    ink = (30, 30, 30) if canvas.getpixel((0, 0))[0] > 100 else (230, 230, 230)
    write(ImageDraw.Draw(canvas), (60, 40, 900, 280), ink, rng, 44)
    return paste(canvas, inner, (960 - inner.width) // 2, 320)


# Several pictures

GRIDS = {2: [(2, 1), (1, 2)], 3: [(3, 1), (1, 3)], 4: [(2, 2)], 6: [(3, 2), (2, 3)], 9: [(3, 3)]}


def collage(picture, others, rng, count, gutters, colours):
    columns, rows = rng.choice(GRIDS[count])
    side = rng.choice([400, 500]) if count > 4 else rng.choice([600, 720])
    gutter = round(side * rng.choice(gutters))
    size = [n * side + (n - 1) * gutter for n in (columns, rows)]
    canvas = Image.new("RGB", size, rng.choice(colours))
    place = rng.randrange(count)
    for index in range(count):
        tile = ImageOps.fit(picture if index == place else rng.choice(others), (side, side))
        left, top = index % columns * (side + gutter), index // columns * (side + gutter)
        canvas.paste(tile, (left, top))
        if index == place:
            box = (left, top, left + side, top + side)
    return canvas, box


for number in GRIDS:
    layout("choose", f"collage-{number}")(
        lambda picture, others, rng, n=number: collage(picture, others, rng, n, [0, 0.02], [(255, 255, 255)]))
    layout("report", f"collage-{number}")(
        lambda picture, others, rng, n=number: collage(picture, others, rng, n, [0, 0.01, 0.05], [(255, 255, 255), (0, 0, 0)]))


def page(picture, others, rng, size, columns):
    width, height = size
    canvas = Image.new("RGB", size, (252, 252, 250))
    draw = ImageDraw.Draw(canvas)
    margin, gap = width // 12, width // 30
    column = (width - 2 * margin - (columns - 1) * gap) // columns
    for index in range(columns):
        left = margin + index * (column + gap)
        write(draw, (left, margin, left + column, height - margin), (50, 50, 50), rng, width // 50)
    span = column if columns > 1 else width // 2
    inner = fitted(picture, span, height // 2)
    left = margin + rng.randrange(columns) * (column + gap)
    top = rng.randint(margin, height - margin - inner.height)
    draw.rectangle([left - 15, top - 15, left + inner.width + 15, top + inner.height + 15], fill=(252, 252, 250))
    return paste(canvas, inner, left, top)


@layout("choose", "page")
def one_column(picture, others, rng):
    return page(picture, others, rng, (1240, 1754), 1)


@layout("report", "page")
def two_columns(picture, others, rng):
    return page(picture, others, rng, rng.choice([(1240, 1754), (1654, 2339)]), 2)


@layout("report", "page")
def newspaper(picture, others, rng):
    width, height = 1600, 2200
    canvas = Image.new("RGB", (width, height), (247, 243, 232))
    draw = ImageDraw.Draw(canvas)
    draw.text((100, 80), sentence(rng, 4), (20, 20, 20), font(96))
    draw.line((100, 220, width - 100, 220), (20, 20, 20), 4)
    for left in (100, 580, 1060):
        write(draw, (left, 260, left + 440, height - 80), (50, 50, 50), rng, 28)
    # A picture over two columns, with a caption.
    inner = fitted(picture, 920, 900)
    left, top = rng.choice([100, 580]), rng.choice([260, 700, 1100])
    draw.rectangle([left - 20, top - 20, left + 940, top + inner.height + 90], fill=(247, 243, 232))
    draw.text((left, top + inner.height + 20), sentence(rng, 6), (90, 90, 90), font(24))
    return paste(canvas, inner, left, top)


def strip(picture, others, rng, is_tall):
    """A strip of pictures of up to 1 : 6."""
    count = rng.randint(3, 6)
    tiles = [ImageOps.fit(rng.choice(others), (600, 600)) for _ in range(count)]
    place = rng.randrange(count)
    tiles[place] = ImageOps.fit(picture, (600, 600))
    canvas = Image.new("RGB", (600, 600 * count) if is_tall else (600 * count, 600))
    for index, tile in enumerate(tiles):
        canvas.paste(tile, (0, 600 * index) if is_tall else (600 * index, 0))
    start = 600 * place
    return canvas, (0, start, 600, start + 600) if is_tall else (start, 0, start + 600, 600)


@layout("choose", "long")
def tall_strip(picture, others, rng):
    return strip(picture, others, rng, True)


@layout("report", "long")
def wide_strip(picture, others, rng):
    return strip(picture, others, rng, False)


@layout("report", "long")
def long_page(picture, others, rng):
    height = rng.randint(3, 6) * 720
    canvas = Image.new("RGB", (720, height), (250, 250, 250))
    write(ImageDraw.Draw(canvas), (30, 30, 690, height - 30), (40, 40, 40), rng, 24)
    inner = fitted(picture, 660, 900)
    return paste(canvas, inner, 30, rng.randint(30, height - 30 - inner.height))


# Desktops and turned screens


def desktop(picture, others, rng, size, window):
    width, height = size
    canvas = ImageOps.fit(rng.choice(others), size)
    draw = ImageDraw.Draw(canvas)
    draw.rectangle([0, 0, width, height // 40], fill=(30, 30, 34))
    left, top, right, bottom = (round(edge * side) for edge, side in zip(window, size * 2))
    draw.rectangle([left, top, right, bottom], fill=(250, 250, 250))
    draw.rectangle([left, top, right, top + height // 25], fill=(220, 220, 225))
    return canvas, draw, (left, top + height // 25, right, bottom)


def sixth(picture, area):
    factor = (area / 6 / (picture.width * picture.height)) ** 0.5
    return picture.resize((round(picture.width * factor), round(picture.height * factor)))


@layout("choose", "desktop-4k")
def browser_window(picture, others, rng):
    canvas, draw, (left, top, right, bottom) = desktop(picture, others, rng, (3840, 2160), (0.05, 0.06, 0.9, 0.96))
    inner = sixth(picture, 3840 * 2160)
    write(draw, (left + 60, top + 60, right - 60, bottom - 60), (60, 60, 60), rng, 44)
    return paste(canvas, inner, left + 100, min(top + 200, canvas.height - inner.height))


@layout("report", "desktop-4k")
def viewer_window(picture, others, rng):
    canvas = ImageOps.fit(rng.choice(others), (3840, 2160))
    inner = sixth(picture, 3840 * 2160)
    left, top = rng.randint(0, 3840 - inner.width), rng.randint(60, max(60, 2160 - inner.height))
    draw = ImageDraw.Draw(canvas)
    draw.rectangle([left - 12, top - 60, left + inner.width + 12, top + inner.height + 12], fill=rng.choice([(240, 240, 240), (40, 40, 44)]))
    return paste(canvas, inner, left, top)


@layout("choose", "desktop")
def mail_window(picture, others, rng):
    canvas, draw, (left, top, right, bottom) = desktop(picture, others, rng, (1920, 1080), (0.1, 0.08, 0.9, 0.95))
    write(draw, (left + 40, top + 30, right - 40, top + 120), (60, 60, 60), rng, 24)
    inner = fitted(picture, 1000, rng.choice([400, 600, 700]))
    return paste(canvas, inner, left + 50, top + 140)


@layout("report", "desktop")
def chat_window(picture, others, rng):
    size = rng.choice([(1366, 768), (2560, 1440)])
    canvas, draw, (left, top, right, bottom) = desktop(picture, others, rng, size, (0.02, 0.05, 0.98, 0.98))
    split = left + (right - left) // 4
    for y in range(top + 20, bottom - 80, size[1] // 12):
        draw.ellipse([left + 15, y, left + 15 + size[1] // 20, y + size[1] // 20], fill=tuple(rng.randint(60, 220) for _ in range(3)))
        draw.text((left + size[1] // 12, y), rng.choice(NAMES), (40, 40, 40), font(size[1] // 40))
    inner = fitted(picture, (right - split) // 2, (bottom - top) * 2 // 3)
    return paste(canvas, inner, split + 60, bottom - inner.height - 40)


@layout("report", "desktop")
def slide(picture, others, rng):
    canvas = Image.new("RGB", (1920, 1080), rng.choice([(255, 255, 255), (22, 33, 62), (240, 240, 235)]))
    draw, ink = ImageDraw.Draw(canvas), (30, 30, 30) if canvas.getpixel((0, 0))[0] > 100 else (235, 235, 235)
    draw.text((120, 90), sentence(rng, 3), ink, font(80))
    for index in range(rng.randint(2, 5)):
        draw.text((140, 300 + 120 * index), "•  " + sentence(rng, 4), ink, font(40))
    inner = fitted(picture, 760, 680)
    return paste(canvas, inner, 1040 + (760 - inner.width) // 2, 260 + (680 - inner.height) // 2)


@layout("choose", "turned-screen")
def gallery_turned(picture, others, rng):
    return turned(gallery(picture, others, rng, Screen(rng, True)))


@layout("report", "turned-screen")
def story_turned(picture, others, rng):
    """A phone held across, with a picture that stands upright on it."""
    screen = Screen(rng, rng.random() < 0.5, (2340, 1080))
    inner = fitted(picture, 1800, 940)
    return paste(screen.image, inner, rng.randint(100, 2340 - inner.width - 100), 110)


def turned(made):
    """Turns a screen by a quarter, but not the picture on it."""
    image, (left, top, right, bottom) = made
    upright = image.crop((left, top, right, bottom))
    image = image.rotate(90, expand=True)
    box = (top, image.height - right, bottom, image.height - left)
    inner = fitted(upright, box[2] - box[0], box[3] - box[1])
    ImageDraw.Draw(image).rectangle(box, fill=(0, 0, 0))
    return paste(image, inner, (box[0] + box[2] - inner.width) // 2, (box[1] + box[3] - inner.height) // 2)


# Layouts without a picture over a threshold


@harmless
def chats(others, rng):
    picture = rng.choice(others)
    return chat(picture, others, rng, Screen(rng, rng.random() < 0.5))[0]


@harmless
def feeds(others, rng):
    return rng.choice([feed, article, search_results, listing])(rng.choice(others), others, rng, Screen(rng, rng.random() < 0.5))[0]


@harmless
def maps(others, rng):
    size = rng.choice([(1080, 2340), (1920, 1080), (1200, 1200)])
    image = Image.new("RGB", size, (242, 239, 233))
    draw = ImageDraw.Draw(image)
    for _ in range(rng.randint(5, 20)):
        points = [(rng.randint(-100, size[0] + 100), rng.randint(-100, size[1] + 100)) for _ in range(rng.randint(3, 7))]
        draw.polygon(points, fill=rng.choice([(170, 211, 223), (200, 230, 180), (224, 223, 223), (245, 220, 186), (255, 224, 210)]))
    for _ in range(rng.randint(20, 60)):
        points = [(rng.randint(0, size[0]), rng.randint(0, size[1])) for _ in range(rng.randint(2, 5))]
        draw.line(points, fill=rng.choice([(255, 255, 255), (247, 250, 191), (252, 214, 164), (232, 146, 162)]), width=rng.randint(4, 24), joint="curve")
    for _ in range(rng.randint(10, 40)):
        draw.text((rng.randint(0, size[0]), rng.randint(0, size[1])), rng.choice(NAMES) + "weg", (60, 60, 60), font(rng.randint(16, 36)))
    return image


@harmless
def tables(others, rng):
    image = Image.new("RGB", rng.choice([(1920, 1080), (1240, 1754)]), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    columns, height = rng.randint(4, 12), rng.randint(24, 48)
    for row, y in enumerate(range(20, image.height - height, height)):
        if row % 2:
            draw.rectangle([20, y, image.width - 20, y + height], fill=rng.choice([(235, 240, 250), (255, 228, 214), (240, 240, 240)]))
        for column in range(columns):
            words = rng.choice(NAMES) if column == 0 else f"{rng.uniform(0, 9999):.2f}"
            draw.text((30 + column * (image.width - 40) // columns, y + 4), words, (30, 30, 30), font(height * 2 // 3))
    return image


@harmless
def code(others, rng):
    dark = rng.random() < 0.7
    image = Image.new("RGB", rng.choice([(1920, 1080), (1280, 800), (1080, 2340)]), (30, 30, 30) if dark else (255, 255, 255))
    draw = ImageDraw.Draw(image)
    size = rng.randint(16, 30)
    for y in range(20, image.height - size, round(size * 1.4)):
        x = 20 + size * 2 * rng.randint(0, 5)
        for _ in range(rng.randint(0, 9)):
            word = rng.choice(WORDS)
            draw.text((x, y), word, rng.choice([(220, 120, 170), (120, 180, 230), (200, 200, 120), (150, 150, 150), (206, 145, 120)]), font(size))
            x += round(draw.textlength(word + " ", font(size)))
    return image


@harmless
def games(others, rng):
    size = rng.choice([(1920, 1080), (1080, 1920), (1280, 1280)])
    side = rng.choice([40, 64, 96, 128])
    palette = [tuple(rng.randint(0, 255) for _ in range(3)) for _ in range(rng.randint(3, 7))]
    image = Image.new("RGB", size, rng.choice(palette))
    draw = ImageDraw.Draw(image)
    for y in range(0, size[1], side):
        for x in range(0, size[0], side):
            shape = rng.choice([draw.ellipse, draw.rectangle, draw.ellipse, None])
            if shape:
                shape([x + 4, y + 4, x + side - 4, y + side - 4], fill=rng.choice(palette))
    draw.text((40, 40), f"{rng.randint(0, 99999)}", (255, 255, 255), font(72), stroke_width=3, stroke_fill=(0, 0, 0))
    return image


@harmless
def contact_sheets(others, rng):
    columns, rows = rng.randint(2, 6), rng.randint(2, 6)
    side, gutter = rng.choice([160, 240, 320]), rng.choice([0, 4, 12])
    canvas = Image.new("RGB", (columns * (side + gutter), rows * (side + gutter)), rng.choice([(255, 255, 255), (0, 0, 0), (40, 40, 40)]))
    for index in range(columns * rows):
        canvas.paste(ImageOps.fit(rng.choice(others), (side, side)), (index % columns * (side + gutter), index // columns * (side + gutter)))
    return canvas


@harmless
def desktops(others, rng):
    return rng.choice([browser_window, viewer_window, mail_window, chat_window])(rng.choice(others), others, rng)[0]
