# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Makes 20 sets of labelled scores, and the figures that scikit-learn and SciPy give for them.

The result is one JSON file. A program in another language reads it, works the same figures out
with its own code, and compares.

Usage:  python make_reference_sets.py [OUTPUT]      (OUTPUT defaults to /tmp/reference-sets.json)

Small sets hold their scores and labels. Big sets hold a recipe instead, made of 64-bit integer
arithmetic and of single IEEE 754 double operations in a stated order, so that every language
gets the very same bits. The script always makes the same file with the same library versions.

What a label means: 1 is a sensitive picture ("positive"), 0 is a harmless one ("negative").
A score of null is a picture that could not be scored ("unknown"). Unknown pictures are counted,
and left out of every other figure.
"""

import json
import math
import platform
import sys
import warnings

import numpy as np
import scipy
import sklearn
from scipy.stats import binomtest, mannwhitneyu
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score, roc_curve

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
SENSITIVITY_TARGETS = (80, 90, 95)  # in percent, kept as integers
THRESHOLDS = (0.4, 0.7, 0.9)
BIN_COUNT = 10
INNER_EDGES = np.linspace(0, 1, BIN_COUNT + 1)[1:-1]
IMBALANCED_SEED = 12  # the first seed that gives exactly 20 positives in 20,020
FIRST = 8  # how many scores and labels of a recipe are also written out, as a check


# ---------------------------------------------------------------------------------------------
# The generator


def splitmix64(seed, count):
    """The first `count` outputs of SplitMix64, as numpy uint64 (which wraps around at 2^64)."""
    steps = np.arange(1, count + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + steps * np.uint64(GAMMA)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def splitmix64_one_by_one(seed, count):
    """The same in plain Python integers, the way another language would write it."""
    state, outputs = seed, []
    for _ in range(count):
        state = (state + GAMMA) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        outputs.append(z ^ (z >> 31))
    return outputs


def follow(recipe):
    """The scores and labels of a recipe. For each picture: one draw for the score, one for the label."""
    count = recipe["count"]
    draws = splitmix64(recipe["seed"], 2 * count)
    units = (draws >> np.uint64(11)).astype(np.float64) * 2.0**-53  # exact: 53 bits fit a double
    scores = units[0::2].copy()
    if recipe["roundDownTo"] is not None:
        parts = float(recipe["roundDownTo"])  # a power of two, so both operations are exact
        scores = np.floor(scores * parts) / parts
    if recipe["float32"]:
        scores = scores.astype(np.float32).astype(np.float64)
    product = recipe["slope"] * scores  # rounded to a double here: no fused multiply-add
    chance = recipe["intercept"] + product
    labels = (units[1::2] < chance).astype(np.int64)
    return scores, labels


# ---------------------------------------------------------------------------------------------
# The expected figures


def proportion(count, total):
    """count / total with the Wilson 95 % interval (no continuity correction), or null for 0 / 0."""
    if total == 0:
        return None
    interval = binomtest(count, total).proportion_ci(0.95, method="wilson")
    return {"value": count / total, "low": float(interval.low), "high": float(interval.high)}


def at_sensitivity(scores, labels, positives, negatives):
    """For each target: the highest threshold that reaches it, and the false-alarm rate there."""
    rows = []
    if positives > 0:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # with no negatives the false-alarm rate is undefined
            _, rates, thresholds = roc_curve(labels, scores, pos_label=1, drop_intermediate=False)
        found = np.rint(rates * positives).astype(np.int64)  # back to whole pictures
    for target in SENSITIVITY_TARGETS:
        row = {"targetPercent": target, "threshold": None, "truePositives": None,
               "falsePositives": None, "falseAlarmRate": None}
        if positives > 0:
            # Compared in integers, so that rounding cannot decide.
            first = int(np.argmax(found * 100 >= target * positives))
            threshold = float(thresholds[first])
            tp = int(np.count_nonzero(scores[labels == 1] >= threshold))
            fp = int(np.count_nonzero(scores[labels == 0] >= threshold))
            assert tp == found[first]
            row.update(threshold=threshold, truePositives=tp, falsePositives=fp,
                       falseAlarmRate=fp / negatives if negatives else None)
        rows.append(row)
    return rows


def at_threshold(scores, labels, positives, negatives, threshold):
    """What happens when score >= threshold means sensitive."""
    flagged = scores >= threshold
    tp = int(np.count_nonzero(flagged & (labels == 1)))
    fp = int(np.count_nonzero(flagged & (labels == 0)))
    return {"threshold": threshold, "truePositives": tp, "falsePositives": fp,
            "sensitivity": proportion(tp, positives),
            "falseAlarmRate": proportion(fp, negatives),
            "precision": proportion(tp, tp + fp)}


def reliability(scores, labels):
    """Ten equal-width bins: a score on an inner edge belongs to the bin below that edge."""
    if scores.size == 0:
        return None, []
    bins = np.searchsorted(INNER_EDGES, scores)
    rows, error = [], 0.0
    for number in range(BIN_COUNT):
        inside = bins == number
        count = int(np.count_nonzero(inside))
        if count:
            mean = math.fsum(scores[inside]) / count
            share = int(labels[inside].sum()) / count
            rows.append({"bin": number, "count": count, "meanScore": mean, "positiveShare": share})
            error += count / scores.size * abs(mean - share)
    shares, means = calibration_curve(labels, scores, pos_label=1, n_bins=BIN_COUNT)
    assert np.allclose(shares, [row["positiveShare"] for row in rows], rtol=0, atol=1e-12)
    assert np.allclose(means, [row["meanScore"] for row in rows], rtol=0, atol=1e-12)
    return error, rows


def expected(scores, labels):
    """All figures of one set. `scores` may hold None for unknown."""
    known = [i for i, score in enumerate(scores) if score is not None]
    total, all_positives = len(scores), int(sum(labels))
    labels_known = np.array([labels[i] for i in known], dtype=np.int64)
    scores_known = np.array([scores[i] for i in known], dtype=np.float64)
    positives = int(labels_known.sum())
    negatives = len(known) - positives
    both = positives > 0 and negatives > 0

    auc = float(roc_auc_score(labels_known, scores_known)) if both else None
    if both:  # SciPy's Mann-Whitney statistic must say the same
        u = mannwhitneyu(scores_known[labels_known == 1], scores_known[labels_known == 0],
                         method="asymptotic").statistic
        assert abs(u / (positives * negatives) - auc) < 1e-12
    # With no positives scikit-learn warns and says 0: here that is undefined, so null.
    precision = float(average_precision_score(labels_known, scores_known)) if positives else None
    brier = float(brier_score_loss(labels_known, scores_known, pos_label=1, labels=[0, 1])) if known else None
    error, curve = reliability(scores_known, labels_known)
    bound = None
    if negatives:
        bound = float(binomtest(0, negatives, alternative="less").proportion_ci(0.95, method="exact").high)
        assert abs(bound + math.expm1(math.log(0.05) / negatives)) < 1e-11
    return {
        "counts": {"total": total, "known": len(known), "unknown": total - len(known),
                   "positives": positives, "negatives": negatives,
                   "unknownPositives": all_positives - positives,
                   "unknownNegatives": total - len(known) - (all_positives - positives)},
        "auc": auc,
        "averagePrecision": precision,
        "atSensitivity": at_sensitivity(scores_known, labels_known, positives, negatives),
        "atThreshold": [at_threshold(scores_known, labels_known, positives, negatives, t) for t in THRESHOLDS],
        "brierScore": brier,
        "expectedCalibrationError": error,
        "reliabilityCurve": curve,
        "noneOfNegativesUpperBound": bound,
    }


# ---------------------------------------------------------------------------------------------
# The sets


def literal(name, about, scores, labels):
    scores = [None if score is None else float(score) for score in scores]
    labels = [int(label) for label in labels]
    assert len(scores) == len(labels)
    return {"name": name, "about": about, "recipe": None, "scores": scores, "labels": labels,
            "expected": expected(scores, labels)}


def by_recipe(name, about, seed, count, round_down_to=None, float32=False, intercept=0.1, slope=0.8):
    recipe = {"generator": "SplitMix64", "seed": seed, "count": count, "roundDownTo": round_down_to,
              "float32": float32, "intercept": intercept, "slope": slope}
    scores, labels = follow(recipe)
    recipe["firstScores"] = [float(score) for score in scores[:FIRST]]
    recipe["firstLabels"] = [int(label) for label in labels[:FIRST]]
    return {"name": name, "about": about, "recipe": recipe, "scores": None, "labels": None,
            "expected": expected(scores.tolist(), labels.tolist())}


def noisy(generator, labels, spread=0.35):
    """Overlapping scores between 0 and 1: the positives lie higher."""
    labels = np.asarray(labels)
    return np.clip(0.3 + 0.4 * labels + spread * generator.standard_normal(labels.size), 0.001, 0.999)


def make_sets():
    generator = np.random.default_rng(20240607)
    half = [1, 0] * 20
    sets = []

    sets.append(literal("plain", "40 different scores, half of them positive.", noisy(generator, half), half))

    labels = generator.integers(0, 2, 60)
    scores = np.floor(noisy(generator, labels) * 4) / 4
    sets.append(literal("ties-everywhere", "60 scores with only four values: 0, 0.25, 0.5 and 0.75.", scores, labels))

    sets.append(literal("all-equal", "30 scores, all 0.5; 12 positives.", [0.5] * 30, [1] * 12 + [0] * 18))

    sets.append(literal("positives-only", "12 positives and no negative.", noisy(generator, [1] * 12), [1] * 12))

    sets.append(literal("negatives-only", "15 negatives and no positive.", noisy(generator, [0] * 15), [0] * 15))

    sets.append(literal("one-picture", "One positive picture.", [0.7], [1]))

    sets.append(literal("two-pictures", "One of each label, in the right order.", [0.25, 0.75], [0, 1]))

    sets.append(literal("all-unknown", "Ten pictures, none of them scored.", [None] * 10, [1] * 4 + [0] * 6))

    scores = [None if i % 5 == 2 else score for i, score in enumerate(noisy(generator, half))]
    sets.append(literal("some-unknown", "40 pictures; every fifth is unknown.", scores, half))

    scores = [0.6 + 0.39 * u if label else 0.4 * u for u, label in zip(generator.random(40), half)]
    sets.append(literal("perfect", "Every positive scores higher than every negative.", scores, half))

    scores = [0.4 * u if label else 0.6 + 0.39 * u for u, label in zip(generator.random(40), half)]
    sets.append(literal("inverted", "Every positive scores lower than every negative.", scores, half))

    scores = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]
    labels = [0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0]
    sets.append(literal("zero-and-one", "Scores that are exactly 0 or exactly 1.", scores, labels))

    # Each tenth as another language would read it (0.3), as multiplication gives it
    # (3 * 0.1 = 0.30000000000000004), and the neighbouring doubles on either side.
    scores = []
    for tenth in range(1, 10):
        value = float(f"0.{tenth}")
        scores += [value, tenth * 0.1, math.nextafter(value, 0), math.nextafter(value, 1)]
    scores += [0.0, 1.0]
    labels = (generator.random(len(scores)) < scores).astype(int)
    sets.append(literal("bin-edges", "Tenths as doubles, and the doubles next to them.", scores, labels))

    sets.append(by_recipe("one-to-a-thousand", "20 positives and 20,000 negatives.", IMBALANCED_SEED, 20020,
                          intercept=0.0, slope=0.002))
    assert sets[-1]["expected"]["counts"]["positives"] == 20

    sets.append(by_recipe("hundred-thousand", "100,000 scores, practically without ties.", 1001, 100_000))

    sets.append(by_recipe("hundred-thousand-ties", "100,000 scores with only 64 values.", 1002, 100_000,
                          round_down_to=64))

    # 0.1, 0.2 ... as 32-bit floats: widened, 0.4 is above the double 0.4, but 0.7 and 0.9 are below.
    scores = np.array([tenth / 10 for tenth in range(11)] + list(generator.random(29)), dtype=np.float32)
    labels = (generator.random(40) < scores).astype(int)
    sets.append(literal("float32", "40 scores that were 32-bit floats, widened to doubles.",
                        scores.astype(np.float64), labels))

    sets.append(by_recipe("two-thousand-float32", "2,000 scores rounded to the nearest 32-bit float.", 1003, 2000,
                          float32=True))

    sets.append(by_recipe("two-thousand-ties", "2,000 scores with 64 values; mostly negatives.", 1004, 2000,
                          round_down_to=64, intercept=0.02, slope=0.5))

    sets.append(literal("empty", "No pictures at all.", [], []))

    assert len(sets) == 20 and len({one["name"] for one in sets}) == 20
    return sets


CONVENTIONS = {
    "labels": "1 is sensitive (positive), 0 is harmless (negative).",
    "unknown": "A null score is unknown: counted in counts.total and counts.unknown*, left out of all else. "
               "counts.positives and counts.negatives count known pictures only.",
    "null": "null means undefined: auc without both labels; averagePrecision and the rows of atSensitivity "
            "without positives; falseAlarmRate without negatives; sensitivity without positives; precision with "
            "nothing flagged; brierScore and expectedCalibrationError without known pictures; "
            "noneOfNegativesUpperBound without negatives. With positives only, averagePrecision is 1.",
    "auc": "Mann-Whitney: a positive and a negative with the same score count one half.",
    "averagePrecision": "Sum over distinct scores, highest first, of (recall - previous recall) * precision. "
                        "No interpolation; tied pictures enter together.",
    "atSensitivity": "The highest score t for which truePositives * 100 >= targetPercent * positives, "
                     "compared in integers, where a picture is flagged when score >= t.",
    "atThreshold": "A picture is flagged when score >= threshold. Wilson 95 % intervals without continuity "
                   "correction, z = 1.959963984540054.",
    "reliabilityCurve": "bin = the number of entries of binEdges that are < score (a score on an edge belongs to "
                        "the bin below). Empty bins are left out. Use binEdges as given: the entries for 0.3, 0.6 "
                        "and 0.7 are one unit in the last place above those decimals.",
    "expectedCalibrationError": "Sum over bins of count / known * |meanScore - positiveShare|.",
    "noneOfNegativesUpperBound": "One-sided exact 95 % bound for 0 events in counts.negatives: 1 - 0.05^(1/n).",
    "recipe": "state = seed (64-bit). next(): state += 0x9E3779B97F4A7C15; z = state; "
              "z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9; z = (z ^ (z >> 27)) * 0x94D049BB133111EB; "
              "return z ^ (z >> 31); all modulo 2^64. unit() = double(next() >> 11) * 2^-53. "
              "For each picture in turn: score = unit(); if roundDownTo is k: score = floor(score * k) / k; "
              "if float32: score = double(float32(score)), to nearest even; product = slope * score; "
              "chance = intercept + product (two roundings, no fused multiply-add); "
              "label = unit() < chance ? 1 : 0.",
    "tolerance": "Counts, thresholds and labels: equal. Everything else: 1e-12 absolute, except "
                 "noneOfNegativesUpperBound, which SciPy finds by root search: 1e-11 absolute.",
}


def main():
    output = sys.argv[1] if len(sys.argv) > 1 else "/tmp/reference-sets.json"

    # A published test vector for SplitMix64, and the two ways of writing it against each other.
    assert splitmix64_one_by_one(1234567, 3) == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert splitmix64(1234567, 100).tolist() == splitmix64_one_by_one(1234567, 100)

    document = {
        "format": 1,
        "madeBy": "make_reference_sets.py",
        "versions": {"python": platform.python_version(), "numpy": np.__version__,
                     "scipy": scipy.__version__, "scikit-learn": sklearn.__version__},
        "conventions": CONVENTIONS,
        "binEdges": [float(edge) for edge in INNER_EDGES],
        # As text, since they do not fit a JSON reader that keeps numbers as doubles.
        "splitMix64Check": {"seed": 1234567, "first": [str(z) for z in splitmix64_one_by_one(1234567, 5)]},
        "sets": make_sets(),
    }
    # Python writes a double as the shortest text that reads back as the same double (repr).
    # One line for each set keeps the file small and its differences readable.
    head = {key: value for key, value in document.items() if key != "sets"}
    text = json.dumps(head, indent=1, allow_nan=False)[:-2] + ',\n "sets": [\n'
    text += ",\n".join("  " + json.dumps(one, allow_nan=False) for one in document["sets"]) + "\n ]\n}\n"
    assert json.loads(text) == document
    assert len(text.encode()) < 400_000
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{output}: {len(document['sets'])} sets, {len(text.encode())} bytes")


if __name__ == "__main__":
    main()
