# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Random changes of the layers of a network, of which many leave a network that can be computed."""

import math

# Layers that compute something from any input.
SIMPLE_KINDS = [
    "activation", "unary", "reduce", "softmax", "l2normalize", "mvn", "lrn", "flatten", "upsample", "padding", "crop",
    "slice", "permute", "add", "multiply", "scale", "bias", "pooling", "max", "min", "average", "concat",
]
KINDS = [*SIMPLE_KINDS, "convolution", "innerProduct", "batchnorm", "split", "loadConstant", "reshape"]
MOST_WEIGHTS = 4096


def one(values, random):
    return values[int(random.integers(0, len(values)))]


def type_of(field):
    if field.enum_type:
        return "enum"
    if field.type in (field.TYPE_FLOAT, field.TYPE_DOUBLE):
        return "float"
    return {field.TYPE_BOOL: "bool", field.TYPE_STRING: "text", field.TYPE_BYTES: "bytes"}.get(field.type, "integer")


def copied(layers):
    """Returns layers that a change of their network leaves alone."""
    return [type(layer).FromString(layer.SerializeToString()) for layer in layers]


def reorder(network, random):
    """Moves, removes or repeats a layer, or changes its kind; returns what was changed."""
    layers = copied(network.layers)
    if not layers:
        return "nothing"
    place, other = (int(n) for n in random.integers(0, len(layers), 2))
    step = random.choice(["exchange", "remove", "repeat", "kind", "bypass"])
    if step == "exchange":
        layers[place], layers[other] = layers[other], layers[place]
    elif step == "remove":
        del layers[place]
    elif step == "repeat":
        layers.insert(place, layers[other])
    elif step == "kind":
        fill(getattr(layers[place], one(KINDS, random)), random)
    elif layers[place].input:
        # The layer is left out: later ones get its input.
        removed = layers.pop(place)
        for layer in layers[place:]:
            if list(layer.input) == list(removed.output):
                layer.input[:] = removed.input
    del network.layers[:]
    network.layers.extend(layers)
    return f"layers[{place}] {step}"


def insert(network, random):
    """Adds a layer before one that then gets its result, and returns what was changed."""
    layers = copied(network.layers)
    places = [place for place, layer in enumerate(layers) if layer.input]
    if not places:
        return "nothing"
    place, kind = one(places, random), one(SIMPLE_KINDS, random)
    added = type(layers[0])(name="added", input=list(layers[place].input), output=[f"added{place}"])
    if kind in ("max", "min", "average", "concat"):
        added.input.append(one([name for layer in layers[:place + 1] for name in layer.input], random))
    fill(getattr(added, kind), random)
    layers[place].input[:] = added.output
    layers.insert(place, added)
    del network.layers[:]
    network.layers.extend(layers)
    return f"layers[{place}] {kind} added"


def fill(message, random):
    """Gives a message random values that make sense in many networks."""
    message.SetInParent()
    if message.DESCRIPTOR.name == "WeightParams":
        message.floatValue.append(random.uniform(-1, 1))
        return
    choices = {}
    for field in message.DESCRIPTOR.fields:
        if field.containing_oneof:
            choices.setdefault(field.containing_oneof.name, []).append(field)
        elif field.message_type and field.is_repeated:
            for _ in range(2):
                fill(getattr(message, field.name).add(), random)
        elif field.message_type:
            fill(getattr(message, field.name), random)
        elif field.is_repeated:
            getattr(message, field.name).extend(likely_values(field, random))
        else:
            setattr(message, field.name, likely(field, random))
    for fields in choices.values():
        fill(getattr(message, one(fields, random).name), random)


def likely_values(field, random):
    """Returns values for a list."""
    match field.name:
        case "axis":
            return [0, *(random.permutation(3) + 1)]
        case "shape" | "shapeScale" | "shapeBias":
            return [1]
        case "fractionalScalingFactor":
            return []
    return [likely(field, random) for _ in range(2)]


def likely(field, random):
    match type_of(field):
        case "enum":
            return one([entry.number for entry in field.enum_type.values], random)
        case "bool":
            return bool(random.random() < 0.2)
        case "float":
            return float(random.uniform(-1, 2))
        case "integer":
            return int(random.integers(0, 4))
        case "text":
            return ""
    return b""


def fit(network, random):
    """Gives layers as many weights as their other fields ask for."""
    for layer in network.layers:
        for message, count in needed(layer):
            if 0 < count <= MOST_WEIGHTS:
                resize(message, count, random)


def needed(layer):
    """Yields the weights of a layer, and their count."""
    match layer.WhichOneof("layer"):
        case "convolution":
            own, groups = layer.convolution, layer.convolution.nGroups or 1
            count = own.outputChannels // groups if own.isDeconvolution else own.outputChannels
            yield own.weights, count * own.kernelChannels * math.prod(own.kernelSize or [3, 3])
            yield own.bias, own.outputChannels if own.hasBias else 0
        case "innerProduct":
            own = layer.innerProduct
            yield own.weights, own.inputChannels * own.outputChannels
            yield own.bias, own.outputChannels if own.hasBias else 0
        case "batchnorm":
            for name in ("gamma", "beta", "mean", "variance"):
                yield getattr(layer.batchnorm, name), layer.batchnorm.channels


def resize(message, count, random):
    """Cuts or extends weights in their encoding."""
    if message.float16Value:
        added = random.uniform(-1, 1, count).astype("<f2").tobytes()
        message.float16Value = (message.float16Value + added)[:2 * count]
    elif message.rawValue:
        length = math.ceil(count * message.quantization.numberOfBits / 8)
        message.rawValue = (message.rawValue + random.bytes(min(length, MOST_WEIGHTS)))[:length]
    else:
        del message.floatValue[count:]
        message.floatValue.extend(random.uniform(-1, 1, count - len(message.floatValue)))
