# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""ML programs of a few operations, and what they compute by numpy.

Source of the formulas: https://apple.github.io/coremltools/source/coremltools.converters.mil.mil.ops.defs.html
"""

import math
from dataclasses import dataclass
from typing import Callable

import coremltools as ct
import numpy as np
from coremltools.converters.mil import Builder as mb

from layers import convolved, pooled, same_pads, windows

SHAPE = (1, 4, 6, 5)
RANDOM = np.random.default_rng(56)


@dataclass
class Program:
    """Operations from one array to one array, and the same in numpy."""

    name: str
    made: Callable
    expected: Callable
    target: object = ct.target.iOS15

    def package(self):
        @mb.program(input_specs=[mb.TensorSpec(shape=SHAPE)], opset_version=self.target)
        def program(x):
            return self.made(x)

        return ct.convert(
            program, convert_to="mlprogram", compute_precision=ct.precision.FLOAT32, skip_model_load=True,
            minimum_deployment_target=self.target, pass_pipeline=ct.PassPipeline.EMPTY)


def numbers(*shape):
    return RANDOM.uniform(-2, 2, shape).astype(np.float32)


erf = np.vectorize(math.erf)


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def normalized(x, axes, epsilon):
    deviation = np.sqrt(x.var(axis=axes, keepdims=True) + epsilon)
    return (x - x.mean(axis=axes, keepdims=True)) / deviation


def wide(values, rank=4):
    """Returns numbers of channels in the shape that numpy applies to pictures."""
    return values.reshape(1, -1, *[1] * (rank - 2))


def elementwise():
    other = numbers(4, 1, 5)
    positive = np.abs(numbers(1, 4, 1, 1)) + 0.5
    slopes = numbers(4)
    for name, made, expected in [
        ("add", lambda x: mb.add(x=x, y=other), lambda x: x + other),
        ("sub", lambda x: mb.sub(x=other, y=x), lambda x: other - x),
        ("mul", lambda x: mb.mul(x=x, y=other), lambda x: x * other),
        ("real_div", lambda x: mb.real_div(x=other, y=x), lambda x: other / x),
        ("maximum", lambda x: mb.maximum(x=x, y=other), lambda x: np.maximum(x, other)),
        ("minimum", lambda x: mb.minimum(x=x, y=np.float32(0.25)), lambda x: np.minimum(x, 0.25)),
        ("pow", lambda x: mb.pow(x=mb.abs(x=x), y=positive), lambda x: np.abs(x) ** positive),
        ("relu", lambda x: mb.relu(x=x), lambda x: np.maximum(x, 0)),
        ("relu6", lambda x: mb.relu6(x=mb.mul(x=x, y=np.float32(6))), lambda x: np.clip(6 * x, 0, 6)),
        ("leaky_relu", lambda x: mb.leaky_relu(x=x, alpha=0.3), lambda x: np.where(x < 0, 0.3 * x, x)),
        ("prelu", lambda x: mb.prelu(x=x, alpha=slopes), lambda x: np.where(x < 0, wide(slopes) * x, x)),
        ("elu", lambda x: mb.elu(x=x, alpha=0.7), lambda x: np.where(x < 0, 0.7 * (np.exp(x) - 1), x)),
        ("thresholded_relu", lambda x: mb.thresholded_relu(x=mb.clip(x=x, alpha=-2.0, beta=0.5), alpha=0.5),
         lambda x: np.where(x >= 0.5, 0.5, 0)),
        ("clip", lambda x: mb.clip(x=x, alpha=-0.5, beta=1.0), lambda x: np.clip(x, -0.5, 1)),
        ("sigmoid", lambda x: mb.sigmoid(x=x), lambda x: 1 / (1 + np.exp(-x))),
        ("sigmoid_hard", lambda x: mb.sigmoid_hard(x=x, alpha=0.3, beta=0.0), lambda x: np.clip(0.3 * x, 0, 1)),
        ("silu", lambda x: mb.silu(x=x), lambda x: x / (1 + np.exp(-x))),
        ("gelu", lambda x: mb.gelu(x=x, mode="EXACT"), lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2)))),
        ("gelu-tanh", lambda x: mb.gelu(x=x, mode="TANH_APPROXIMATION"),
         lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))),
        ("gelu-sigmoid", lambda x: mb.gelu(x=x, mode="SIGMOID_APPROXIMATION"), lambda x: x / (1 + np.exp(-1.702 * x))),
        ("tanh", lambda x: mb.tanh(x=x), np.tanh),
        ("scaled_tanh", lambda x: mb.scaled_tanh(x=x, alpha=1.5, beta=0.6), lambda x: 1.5 * np.tanh(0.6 * x)),
        ("softplus", lambda x: mb.softplus(x=x), lambda x: np.log1p(np.exp(x))),
        ("softsign", lambda x: mb.softsign(x=x), lambda x: x / (1 + np.abs(x))),
        ("linear_activation", lambda x: mb.linear_activation(x=x, alpha=0.4, beta=-1.0), lambda x: 0.4 * x - 1),
        ("softmax", lambda x: mb.softmax(x=x, axis=-1), lambda x: softmax(x, -1)),
        ("softmax-channels", lambda x: mb.softmax(x=x, axis=1), lambda x: softmax(x, 1)),
        ("abs", lambda x: mb.abs(x=x), np.abs),
        ("ceil", lambda x: mb.ceil(x=x), np.ceil),
        ("erf", lambda x: mb.erf(x=x), erf),
        ("exp", lambda x: mb.exp(x=x), np.exp),
        ("floor", lambda x: mb.floor(x=x), np.floor),
        ("inverse", lambda x: mb.inverse(x=mb.abs(x=x), epsilon=0.5), lambda x: 1 / (np.abs(x) + 0.5)),
        ("log", lambda x: mb.log(x=mb.abs(x=x), epsilon=0.5), lambda x: np.log(np.abs(x) + 0.5)),
        ("rsqrt", lambda x: mb.rsqrt(x=mb.abs(x=x), epsilon=0.5), lambda x: 1 / np.sqrt(np.abs(x) + 0.5)),
        ("sign", lambda x: mb.sign(x=x), np.sign),
        ("sqrt", lambda x: mb.sqrt(x=mb.abs(x=x)), lambda x: np.sqrt(np.abs(x))),
        ("square", lambda x: mb.square(x=x), np.square),
        ("select", lambda x: mb.select(cond=mb.not_equal(x=mb.floor(x=x), y=np.float32(0)), a=x, b=other),
         lambda x: np.where(np.floor(x) != 0, x, other)),
        ("select-equal", lambda x: mb.select(cond=mb.equal(x=mb.floor(x=x), y=np.float32(-1)), a=x, b=np.float32(9)),
         lambda x: np.where(np.floor(x) == -1, x, 9)),
    ]:
        yield Program(name, made, expected)


def products():
    weights, bias, other = numbers(7, 5), numbers(7), numbers(4, 5, 3)
    key, value = numbers(1, 4, 9, 5), numbers(1, 4, 9, 3)
    for name, made, expected in [
        ("linear", lambda x: mb.linear(x=x, weight=weights, bias=bias), lambda x: x @ weights.T + bias),
        ("matmul", lambda x: mb.matmul(x=x, y=other), lambda x: x @ other),
        ("matmul-transposed", lambda x: mb.matmul(x=x, y=other.transpose(0, 2, 1), transpose_y=True), lambda x: x @ other),
        ("matmul-first", lambda x: mb.matmul(x=mb.transpose(x=x, perm=[0, 1, 3, 2]), y=other, transpose_x=True),
         lambda x: x @ other),
        ("batch_norm", lambda x: mb.batch_norm(
            x=x, mean=numbers_of("mean"), variance=np.abs(numbers_of("variance")), gamma=numbers_of("gamma"),
            beta=numbers_of("beta"), epsilon=0.01),
         lambda x: (x - wide(numbers_of("mean"))) / np.sqrt(wide(np.abs(numbers_of("variance"))) + 0.01)
         * wide(numbers_of("gamma")) + wide(numbers_of("beta"))),
        ("instance_norm", lambda x: mb.instance_norm(x=x, gamma=numbers_of("gamma"), beta=numbers_of("beta"), epsilon=0.01),
         lambda x: normalized(x, (2, 3), 0.01) * wide(numbers_of("gamma")) + wide(numbers_of("beta"))),
        ("layer_norm", lambda x: mb.layer_norm(x=x, axes=[-1], gamma=numbers_of("last"), epsilon=0.01),
         lambda x: normalized(x, (3,), 0.01) * numbers_of("last")),
        ("layer_norm-plain", lambda x: mb.layer_norm(x=x, axes=[1, 2, 3], epsilon=0.01),
         lambda x: normalized(x, (1, 2, 3), 0.01)),
        ("l2_norm", lambda x: mb.l2_norm(x=x, epsilon=0.01), lambda x: x / np.sqrt((x ** 2).sum() + 0.01)),
    ]:
        yield Program(name, made, expected)
    yield Program(
        "attention", lambda x: mb.scaled_dot_product_attention(query=x, key=key, value=value),
        lambda x: softmax(x @ key.swapaxes(2, 3) / math.sqrt(5), -1) @ value, ct.target.iOS18)


OF_CHANNELS = {name: numbers(4) for name in ("mean", "variance", "gamma", "beta")} | {"last": numbers(5)}


def numbers_of(name):
    return OF_CHANNELS[name]


def shapes():
    places = RANDOM.permutation(30)[:9].astype(np.int32)
    updates, listed = numbers(9), numbers(30)
    replaced = listed.copy()
    replaced[places] = updates

    def scattered(x):
        return mb.add(x=mb.reshape(x=x, shape=[4, 30]), y=mb.scatter(
            data=listed, indices=places, updates=updates, axis=0, mode="update"))

    for name, made, expected in [
        ("transpose", lambda x: mb.transpose(x=x, perm=[0, -1, 1, 2]), lambda x: x.transpose(0, 3, 1, 2)),
        ("reshape", lambda x: mb.reshape(x=x, shape=[0, 2, -1, 3]), lambda x: x.reshape(1, 2, 20, 3)),
        ("squeeze", lambda x: mb.squeeze(x=x, axes=[0]), lambda x: x[0]),
        ("expand_dims", lambda x: mb.expand_dims(x=mb.squeeze(x=x), axes=[-1, 1]), lambda x: x[0][:, None, :, :, None]),
        ("flatten2d", lambda x: mb.flatten2d(x=x, axis=2), lambda x: x.reshape(4, 30)),
        ("concat", lambda x: mb.concat(values=[x, x, mb.abs(x=x)], axis=-2),
         lambda x: np.concatenate([x, x, np.abs(x)], 2)),
        ("concat-interleaved", lambda x: mb.concat(values=[x, mb.abs(x=x)], axis=1, interleave=True),
         lambda x: np.stack([x, np.abs(x)], 2).reshape(1, 8, 6, 5)),
        ("stack", lambda x: mb.stack(values=[x, mb.abs(x=x)], axis=-1), lambda x: np.stack([x, np.abs(x)], -1)),
        ("split", lambda x: mb.sub(x=mb.split(x=x, num_splits=2, axis=1)[0], y=mb.split(x=x, num_splits=2, axis=1)[1]),
         lambda x: x[:, :2] - x[:, 2:]),
        ("split-sizes", lambda x: mb.mul(x=mb.split(x=x, split_sizes=[1, 3], axis=-3)[0],
                                         y=mb.split(x=x, split_sizes=[1, 3], axis=-3)[1]), lambda x: x[:, :1] * x[:, 1:]),
        ("pad", lambda x: mb.pad(x=x, pad=[1, 0, 2, 3], mode="constant", constant_val=0.7),
         lambda x: np.pad(x, ((0, 0), (0, 0), (1, 0), (2, 3)), constant_values=0.7)),
        ("pad-reflect", lambda x: mb.pad(x=x, pad=[2, 1, 4, 0], mode="reflect"),
         lambda x: np.pad(x, ((0, 0), (0, 0), (2, 1), (4, 0)), mode="reflect")),
        ("pad-replicate", lambda x: mb.pad(x=x, pad=[2, 1, 4, 0], mode="replicate"),
         lambda x: np.pad(x, ((0, 0), (0, 0), (2, 1), (4, 0)), mode="edge")),
        ("tile", lambda x: mb.tile(x=x, reps=[1, 2, 1, 3]), lambda x: np.tile(x, [1, 2, 1, 3])),
        ("pixel_shuffle", lambda x: mb.pixel_shuffle(x=x, upscale_factor=2),
         lambda x: x.reshape(1, 1, 2, 2, 6, 5).transpose(0, 1, 4, 2, 5, 3).reshape(1, 1, 12, 10)),
        ("slice_by_index", lambda x: mb.slice_by_index(
            x=x, begin=[0, -3, 1, 0], end=[0, -1, 0, 5], stride=[1, 1, 2, 1], begin_mask=[False, False, False, True],
            end_mask=[False, False, True, False], squeeze_mask=[True, False, False, False]), lambda x: x[0, -3:-1, 1::2]),
        ("slice_by_size", lambda x: mb.slice_by_size(x=x, begin=[0, 1, 2, 0], size=[1, 2, -1, 4]),
         lambda x: x[:, 1:3, 2:, :4]),
        ("gather", lambda x: mb.gather(x=x, indices=np.array([[3, 0], [-1, 2]], np.int32), axis=1),
         lambda x: x[:, [[3, 0], [-1, 2]]]),
        ("scatter", scattered, lambda x: x.reshape(4, 30) + replaced),
        ("reduce_mean", lambda x: mb.reduce_mean(x=x, axes=[-1, 1], keep_dims=False), lambda x: x.mean(axis=(1, 3))),
        ("reduce_mean-all", lambda x: mb.expand_dims(x=mb.reduce_mean(x=x), axes=[0]), lambda x: x.mean()),
        ("reduce_max", lambda x: mb.reduce_max(x=x, axes=[2], keep_dims=True), lambda x: x.max(axis=2, keepdims=True)),
        ("reduce_min", lambda x: mb.reduce_min(x=x, axes=[1, 2]), lambda x: x.min(axis=(1, 2))),
        ("reduce_sum", lambda x: mb.reduce_sum(x=x, axes=[-3], keep_dims=True), lambda x: x.sum(axis=1, keepdims=True)),
        ("reduce_l2_norm", lambda x: mb.reduce_l2_norm(x=x, axes=[1, 3]), lambda x: np.sqrt((x ** 2).sum(axis=(1, 3)))),
        ("upsample_nearest_neighbor", lambda x: mb.upsample_nearest_neighbor(x=x, scale_factor_height=2, scale_factor_width=3),
         lambda x: x.repeat(2, axis=2).repeat(3, axis=3)),
        ("upsample_bilinear", lambda x: mb.upsample_bilinear(
            x=x, scale_factor_height=2.0, scale_factor_width=1.5, align_corners=True), lambda x: resized(x, 12, 7, True)),
        ("upsample_bilinear-centres", lambda x: mb.upsample_bilinear(
            x=x, scale_factor_height=2, scale_factor_width=3, align_corners=False), lambda x: resized(x, 12, 15, False)),
    ]:
        yield Program(name, made, expected)


def resized(x, height, width, is_aligned):
    for axis, length in ((2, height), (3, width)):
        old = x.shape[axis]
        places = np.arange(length) * (old - 1) / (length - 1) if is_aligned else (np.arange(length) + 0.5) * old / length - 0.5
        places = np.clip(places, 0, old - 1)
        low = np.minimum(places.astype(int), old - 1)
        share = (places - low).reshape([-1 if index == axis else 1 for index in range(4)])
        x = x.take(low, axis) * (1 - share) + x.take(np.minimum(low + 1, old - 1), axis) * share
    return x


def window_operations():
    for name, kernel, strides, dilations, groups, kind, pad in [
        ("plain", (3, 2), (1, 1), (1, 1), 1, "valid", None),
        ("custom", (3, 3), (2, 1), (1, 1), 1, "custom", (1, 0, 2, 1)),
        ("same", (4, 2), (1, 2), (1, 1), 1, "same", None),
        ("same-lower", (4, 2), (1, 2), (1, 1), 1, "same_lower", None),
        ("dilated", (2, 2), (1, 1), (3, 2), 1, "same", None),
        ("groups", (3, 3), (1, 1), (1, 1), 2, "custom", (1, 1, 1, 1)),
        ("depthwise", (3, 3), (2, 2), (1, 1), 4, "same", None),
    ]:
        weights, bias = numbers(8, 4 // groups, *kernel), numbers(8)
        options = {"pad": pad} if pad else {}
        ends = pads(SHAPE[2:], kernel, strides, dilations, kind, pad)
        yield Program(
            f"conv-{name}",
            lambda x, w=weights, b=bias, s=strides, d=dilations, g=groups, k=kind, o=options: mb.conv(
                x=x, weight=w, bias=b, strides=s, dilations=d, groups=g, pad_type=k, **o),
            lambda x, w=weights, b=bias, s=strides, d=dilations, g=groups, e=ends: convolved(x[0], w, b, s, d, e, g),
            ct.target.iOS16 if kind == "same_lower" else ct.target.iOS15)
    line = numbers(3, 4, 3)
    yield Program(
        "conv-line",
        lambda x: mb.conv(x=mb.reshape(x=x, shape=[1, 4, 30]), weight=line, strides=[2], pad_type="custom", pad=[1, 2]),
        lambda x: convolved(x.reshape(4, 1, 30), line[:, :, None], np.zeros(3), (1, 2), (1, 1), (0, 1, 0, 2)))
    for name, kernel, strides, kind, pad, is_complete in [
        ("valid", (2, 3), (2, 1), "valid", None, False), ("custom", (3, 3), (2, 2), "custom", (1, 0, 1, 1), False),
        ("same", (3, 2), (2, 2), "same", None, False), ("complete", (3, 2), (2, 2), "custom", (1, 1, 0, 0), True),
    ]:
        options = {"pad": pad} if pad else {}
        top, left, bottom, right = pads(SHAPE[2:], kernel, strides, (1, 1), kind, pad)
        counts = [windows(*values) for values in zip(SHAPE[2:], kernel, strides, (top, left), (bottom, right))]
        if is_complete:
            counts = [math.ceil((n + a + b - k) / s) + 1
                      for n, k, s, a, b in zip(SHAPE[2:], kernel, strides, (top, left), (bottom, right))]
            counts = [count - ((count - 1) * s >= n + a) for count, s, n, a in zip(counts, strides, SHAPE[2:], (top, left))]
        for operation, exclude in (("max_pool", False), ("avg_pool", False), ("avg_pool", True)):
            if operation == "avg_pool" and is_complete and not exclude:
                continue
            rest = {"exclude_padding_from_average": exclude} if operation == "avg_pool" else {}
            yield Program(
                f"{operation}-{name}{'-excluded' if exclude else ''}",
                lambda x, f=getattr(mb, operation), k=kernel, s=strides, t=kind, c=is_complete, o=options | rest: f(
                    x=x, kernel_sizes=k, strides=s, pad_type=t, ceil_mode=c, **o),
                lambda x, k=kernel, s=strides, p=(top, left), c=tuple(counts), a=operation == "avg_pool", e=exclude: pooled(
                    x[0], k, s, p, c, a, e, False))


def pads(lengths, kernel, strides, dilations, kind, pad):
    """Returns top, left, bottom and right."""
    if kind == "valid":
        return 0, 0, 0, 0
    if kind == "custom":
        return pad[0], pad[2], pad[1], pad[3]
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    (top, bottom), (left, right) = (
        same_pads(n, k, s, kind == "same_lower") for n, k, s in zip(lengths, spans, strides))
    return top, left, bottom, right


def packed(values, bits):
    """Packs integers of a few bits from the lowest bit of each byte on."""
    flags = (np.asarray(values).ravel()[:, None] >> np.arange(bits)) & 1
    return np.packbits(flags.ravel().astype(np.uint8), bitorder="little")


def compressed():
    data = RANDOM.integers(-128, 128, (4, 6, 5)).astype(np.int8)
    scale, zero = np.abs(numbers(6)), RANDOM.integers(-20, 20, 6).astype(np.int8)
    affine = (data - zero[:, None].astype(float)) * scale[:, None]
    yield Program(
        "constexpr_affine_dequantize",
        lambda x: mb.add(x=x, y=mb.constexpr_affine_dequantize(quantized_data=data, zero_point=zero, scale=scale, axis=1)),
        lambda x: x + affine, ct.target.iOS16)
    for bits in (1, 2, 4, 6, 8):
        table, indices = numbers(1 << bits), RANDOM.integers(0, 1 << bits, (4, 6, 5))
        yield Program(
            f"constexpr_lut_to_dense-{bits}",
            lambda x, t=table, i=indices, b=bits: mb.add(x=x, y=mb.constexpr_lut_to_dense(
                indices=packed(i, b), lut=t, shape=np.uint32([4, 6, 5]))),
            lambda x, t=table, i=indices: x + t[i], ct.target.iOS16)
    mask = RANDOM.integers(0, 2, (4, 6, 5))
    values = numbers(int(mask.sum()))
    sparse = np.zeros((4, 6, 5))
    sparse[mask == 1] = values
    yield Program(
        "constexpr_sparse_to_dense",
        lambda x: mb.add(x=x, y=mb.constexpr_sparse_to_dense(
            nonzero_data=values, mask=packed(mask, 1), shape=np.uint32([4, 6, 5]))),
        lambda x: x + sparse, ct.target.iOS16)
    blocks, offsets = np.abs(numbers(2, 3, 1)), RANDOM.integers(-20, 20, (2, 3, 1)).astype(np.int8)

    def spread(values):
        return np.kron(values.astype(float), np.ones((2, 2, 5)))

    yield Program(
        "constexpr_blockwise_shift_scale",
        lambda x: mb.add(x=x, y=mb.constexpr_blockwise_shift_scale(data=data, scale=blocks, offset=offsets)),
        lambda x: x + (data - spread(offsets)) * spread(blocks), ct.target.iOS18)
    tables, places = numbers(2, 1, 1, 256, 1), RANDOM.integers(0, 256, (4, 6, 5)).astype(np.uint8)
    yield Program(
        "constexpr_lut_to_dense-blocks",
        lambda x: mb.add(x=x, y=mb.constexpr_lut_to_dense(indices=places, lut=tables)),
        lambda x: x + np.concatenate([tables[0, 0, 0, :, 0][places[:2]], tables[1, 0, 0, :, 0][places[2:]]]),
        ct.target.iOS18)


def all_programs():
    return [*elementwise(), *products(), *shapes(), *window_operations(), *compressed()]
