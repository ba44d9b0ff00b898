# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Compares converted mutants of small classifiers with numpy: check_mutants.py PROBE FOLDER [COUNT] [SEED]

A mutant has to be refused with a remedy, or give the probabilities of its message; files of others stay in the folder.
"""

import collections
import concurrent.futures
import contextlib
import functools
import multiprocessing
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import onnx
from coremltools.proto import Model_pb2
from google.protobuf.message import DecodeError

from byte_mutations import damaged
from interpreter import Interpreter, Rounding
from message_mutations import mutated
from runtimes import onnx_runtime, open_vino
from small_classifiers import classifier
from window_formulas import Forbidden, NotKnown

COUNT, SEED, BATCH, INPUTS, LIMIT, LARGEST_INPUT = 2000, 1, 100, 2, 1e-5, 1 << 18
# The interpreter moves numbers ten times as far as rounding does, so runtimes stay far below the limit.
MOST_MOVED, MOST_UNCOMPARED, LEAST_ACCEPTED = LIMIT, 0.05, 0.25
# With optimization, ONNX Runtime refuses to load some models whose padding it moves into pooling.
RUNTIMES = {"ONNX Runtime": functools.partial(onnx_runtime, is_optimized=False), "OpenVINO": open_vino}
# Words that come from code, not from a message for people.
TRACES = re.compile(r"Fatal|Swift|Error|Optional\(|Traceback|\bnil\b|0x")


class NotCompared(Exception):
    """A converted mutant whose right answer is not known."""


class Wrong(Exception):
    """A mutant that computes something else after its conversion, or a refusal without a remedy."""


class NoAnswer(Exception):
    """A mutant that is neither converted nor refused."""


class Tally:
    """The numbers of the mutants, and their faults."""

    def __init__(self):
        self.counts, self.reasons, self.faults = collections.Counter(), collections.Counter(), []
        self.largest = dict.fromkeys(RUNTIMES, 0.0)

    def add(self, other):
        self.counts += other.counts
        self.reasons += other.reasons
        self.faults += other.faults
        self.keep(other.largest)

    def keep(self, found):
        for runtime, number in found.items():
            self.largest[runtime] = max(self.largest[runtime], number)

    def summary(self):
        counts = self.counts
        numbers = ", ".join(f"{counts[name]} {name}" for name in ("refused", "accepted", "compared"))
        reasons = "; ".join(f"{count} {reason}" for reason, count in self.reasons.most_common())
        largest = ", ".join(f"{number:.2g} in {runtime}" for runtime, number in self.largest.items())
        return (f"{counts['mutants']} mutants: {numbers}, {counts['not comparable']} not comparable ({reasons}); "
                f"largest difference {largest}; {len(self.faults)} faults")


def mutant(seed, number):
    """Returns the bytes of a mutant, and what was changed; every twentieth is as it was made."""
    random = np.random.default_rng([seed, number])
    model = classifier(random)
    if number % 20 == 0:
        return model.SerializeToString(), "nothing"
    if number % 5 < 2:
        return damaged(model.SerializeToString(), random)
    return mutated(model, random)


def judge_refusal(text):
    """Checks that a refusal is one sentence, with the reason before a semicolon and the remedy after it."""
    reason, _, remedy = text.rpartition("; ")
    # Names in quotes come from the file.
    shown = re.sub("'.*'", "", reason)
    is_sentence = re.match("[A-Z]", reason) and re.fullmatch(r"[a-z].*\.", remedy) and ". " not in shown + remedy
    if not is_sentence or TRACES.search(shown):
        raise Wrong(f"a refusal without a remedy: {text!r}")


def known_answers(content, random):
    """Returns inputs of a mutant, and their answers."""
    try:
        model = Interpreter(Model_pb2.Model.FromString(content))
        shape = model.input_shape()
        if np.prod(shape) > LARGEST_INPUT:
            raise NotKnown("with a large picture")
        inputs = [random.integers(0, 256, shape).astype(np.float32) for _ in range(INPUTS)]
        answers = [model.probabilities(values.astype(np.float64)) for values in inputs]
        moved = [model.probabilities(values.astype(np.float64), Rounding(random)) for values in inputs]
    except NotKnown as reason:
        raise NotCompared(str(reason)) from None
    except Forbidden as rule:
        raise Wrong(f"accepted against the rule that {rule}") from None
    except DecodeError:
        raise NotCompared("unreadable for Python") from None
    if len(model.labels()) != answers[0].size:
        raise Wrong("accepted with another number of labels than of probabilities")
    if largest_difference(moved, answers) > MOST_MOVED:
        raise NotCompared("that rounding changes")
    return inputs, answers


def largest_difference(results, answers):
    """Returns the largest difference, relative to the largest number of an answer if that is above 1."""
    found = [difference(result.ravel(), answer) for result, answer in zip(results, answers)]
    # NaN stands for a pair that cannot be compared, and a fault of another pair counts more.
    faults = [number for number in found if number > LIMIT]
    return max(faults) if faults else float(np.max(found))


def difference(result, answer):
    if result.shape != answer.shape:
        return np.inf
    if not np.isfinite(answer).all():
        return 0.0 if np.allclose(result, answer, rtol=LIMIT, atol=LIMIT, equal_nan=True) else np.nan
    # A result that is not finite differs by infinity.
    return float(np.nan_to_num(np.abs(result - answer).max() / max(1, np.abs(answer).max()), nan=np.inf))


def compare(content, converted, random):
    """Returns the largest difference of each runtime."""
    inputs, answers = known_answers(content, random)
    graph = onnx.load_from_string(converted).graph
    if [value.name for value in [*graph.input, *graph.output]] != ["image", "probabilities"]:
        raise Wrong("its input and output are not the image and the probabilities")
    shape = [dimension.dim_value for dimension in graph.input[0].type.tensor_type.shape.dim]
    if shape != [1, *inputs[0].shape]:
        raise Wrong(f"its input has the shape {shape}")
    found = {}
    for runtime, load in RUNTIMES.items():
        run = load(converted)
        found[runtime] = largest_difference([run(values[np.newaxis]) for values in inputs], answers)
    if any(np.isnan(number) for number in found.values()):
        raise NotCompared("without a finite answer")
    return found


def judge(tally, file, content):
    """Counts one mutant, and throws an error if it has a fault."""
    refusal, converted = file.with_suffix(".txt"), file.with_suffix(".onnx")
    tally.counts["mutants"] += 1
    if refusal.exists():
        tally.counts["refused"] += 1
        judge_refusal(refusal.read_text())
        return
    if not converted.exists():
        raise NoAnswer("neither converted nor refused, because the converter crashed")
    tally.counts["accepted"] += 1
    try:
        found = compare(content, converted.read_bytes(), np.random.default_rng(len(content)))
    except NotCompared as reason:
        tally.counts["not comparable"] += 1
        tally.reasons[str(reason)] += 1
        return
    tally.counts["compared"] += 1
    wrong = {runtime: number for runtime, number in found.items() if number > LIMIT}
    if wrong:
        raise Wrong("off by " + ", ".join(f"{number:.2g} in {runtime}" for runtime, number in wrong.items()))
    tally.keep(found)


def shortened(fault):
    """Returns the message of an error on one line."""
    return " ".join(str(fault).split())[:300] or type(fault).__name__


def check_batch(probe, folder, seed, numbers):
    """Converts and compares some mutants, and keeps the files of those with faults."""
    batch, tally = folder / f"batch-{numbers[0]}", Tally()
    batch.mkdir()
    mutants = {number: mutant(seed, number) for number in numbers}
    for number, (content, _) in mutants.items():
        (batch / f"{number:06}.mlmodel").write_bytes(content)
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run([probe, str(batch)], timeout=60)
    for number, (content, change) in mutants.items():
        name = f"mutant {number} of seed {seed} ({change})"
        # Names the mutant if a runtime ends this process.
        (batch / "current").write_text(name)
        try:
            judge(tally, batch / f"{number:06}.mlmodel", content)
        except Exception as fault:  # noqa: BLE001 - runtimes throw errors of any type
            tally.faults.append(f"{name}: {shortened(fault)}")
            for file in batch.glob(f"{number:06}.*"):
                shutil.copy(file, folder)
            # The converter stops at the first mutant that ends it.
            if isinstance(fault, NoAnswer):
                break
    shutil.rmtree(batch)
    return tally


def check(probe, folder, count, seed):
    """Returns the numbers of all mutants."""
    tally = Tally()
    batches = [range(start, min(count, start + BATCH)) for start in range(0, count, BATCH)]
    # A process of its own survives a crash of a runtime; none is forked, because runtimes have threads.
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        results = [pool.submit(check_batch, probe, folder, seed, numbers) for numbers in batches]
        try:
            for result in results:
                tally.add(result.result())
        except concurrent.futures.process.BrokenProcessPool:
            names = " or ".join(sorted(file.read_text() for file in folder.glob("batch-*/current")))
            tally.faults.append(f"{names}: a runtime crashed")
    return tally


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else COUNT
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else SEED
    tally = check(probe, folder, count, seed)
    for fault in tally.faults:
        print(fault)
    print(tally.summary())
    if tally.counts["not comparable"] > MOST_UNCOMPARED * tally.counts["accepted"]:
        sys.exit(f"more than {MOST_UNCOMPARED:.0%} of the accepted mutants are not comparable")
    if tally.counts["accepted"] < LEAST_ACCEPTED * count:
        sys.exit(f"fewer than {LEAST_ACCEPTED:.0%} of the mutants are accepted")
    sys.exit(1 if tally.faults else 0)


if __name__ == "__main__":
    main()
