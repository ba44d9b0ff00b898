# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Random changes of the message of a Core ML file, which stays readable."""

import math

from byte_mutations import damaged
from layer_mutations import KINDS, fit, insert, one, reorder, type_of

RARE_FLOATS = [math.nan, math.inf, -1e30, 1e20, 1e-30, 4e38]
RARE_INTEGERS = [1 << 24, 1 << 31, 1 << 32, (1 << 63) - 1, 4096, 4097, -1, -(1 << 63)]
RARE_TEXTS = ["", "an'other", "é\n"]
RARE_SHARE = 0.06
NOTHING = {"float": 0.0, "bool": False, "text": "", "bytes": b"", "integer": 0, "enum": 0}


def mutated(model, random):
    """Changes a model, and returns its bytes and what was changed."""
    changes = []
    for _ in range(random.choice([1, 1, 2, 3])):
        found = networks(model)
        if not found:
            break
        match random.choice(["field", "absent", "layers", "insert"], p=[0.6, 0.1, 0.1, 0.2]):
            case "field":
                changes.append(change_field(model, random))
            case "absent":
                changes.append(set_absent_field(model, random))
            case "layers":
                changes.append(reorder(one(found, random), random))
            case "insert":
                changes.append(insert(one(found, random), random))
    if random.random() < 0.8:
        for network in networks(model):
            fit(network, random)
    return model.SerializeToString(), ", ".join(changes)


def networks(model):
    """Returns the networks of a model."""
    kind = model.WhichOneof("Type")
    if kind == "pipelineClassifier":
        return [network for part in model.pipelineClassifier.pipeline.models for network in networks(part)]
    return [getattr(model, kind)] if kind in ("neuralNetwork", "neuralNetworkClassifier") else []


def messages(message, path=""):
    """Returns a message and all messages within it, with their paths."""
    found = [(message, path)]
    for field, value in message.ListFields():
        if field.message_type:
            inner = enumerate(value) if field.is_repeated else [("", value)]
            found += [entry for place, part in inner for entry in messages(part, f"{path}.{field.name}{place}")]
    return found


def change_field(model, random):
    """Changes or removes a field that is set, and returns what was changed."""
    message, path = one([entry for entry in messages(model) if entry[0].ListFields()], random)
    field, value = one(message.ListFields(), random)
    path = f"{path}.{field.name}"
    if field.is_repeated:
        return f"{path} {change_list(model, field, value, random)}"
    if field.message_type:
        message.ClearField(field.name)
        return f"{path} removed"
    return f"{path} {assign(message, field, other_value(model, field, value, random))}"


def set_absent_field(model, random):
    """Sets a field that is not set, and returns what was changed."""
    message, path = one(messages(model), random)
    present = {field.name for field, _ in message.ListFields()}
    fields = [field for field in message.DESCRIPTOR.fields if field.name not in present and is_usual(field)]
    if not fields:
        return "nothing"
    field = one(fields, random)
    path, value = f"{path}.{field.name}", getattr(message, field.name)
    if field.is_repeated:
        return f"{path} {change_list(model, field, value, random)}"
    if field.message_type:
        value.SetInParent()
        return f"{path} added"
    return f"{path} {assign(message, field, other_value(model, field, value, random))}"


def is_usual(field):
    """Returns whether the field is none of a kind of layer that small networks lack."""
    return field.containing_oneof is None or field.containing_oneof.name != "layer" or field.name in KINDS


def assign(message, field, value):
    """Sets a field unless its type has no such value, and returns what was changed."""
    try:
        setattr(message, field.name, value)
    except (ValueError, TypeError):
        return "left"
    return f"= {value!r}"[:40]


def change_list(model, field, values, random):
    """Changes a list, and returns what was changed."""
    step = random.choice(["change", "remove", "repeat", "exchange", "add"], p=[0.5, 0.15, 0.1, 0.15, 0.1])
    place, other = (int(n) for n in random.integers(0, max(1, len(values)), 2))
    if field.message_type:
        change_messages(values, step, place)
        return f"[{place}] {step}"
    new = list(values)
    if step == "add" or not new:
        new.insert(place, other_value(model, field, NOTHING[type_of(field)], random))
    elif step == "change":
        new[place] = other_value(model, field, new[place], random)
    elif step == "remove":
        del new[place]
    elif step == "repeat":
        new.insert(place, new[place])
    else:
        new[place], new[other] = new[other], new[place]
    try:
        values[:] = new
    except (ValueError, TypeError):
        return "left"
    return f"[{place}] {step}"


def change_messages(values, step, place):
    if step == "remove" and values:
        del values[place]
    elif step == "repeat" and values:
        values.add().CopyFrom(values[place])
    elif step == "add":
        values.add()


def other_value(model, field, value, random):
    """Returns another value of the same type; of the integers, some are outside of it."""
    is_rare = random.random() < RARE_SHARE
    match type_of(field):
        case "enum":
            return 99 if is_rare else one([entry.number for entry in field.enum_type.values], random)
        case "bool":
            return not value
        case "text":
            return one(RARE_TEXTS if is_rare else names(model) or [""], random)
        case "bytes":
            return damaged(value, random)[0] if value else random.bytes(6)
        case "float":
            usual = [0.0, 1.0, -value, value * random.uniform(0.25, 4), value + random.uniform(-1, 1), 1e-3]
            return float(one(RARE_FLOATS if is_rare else usual, random))
    return int(one(RARE_INTEGERS if is_rare else [value + 1, value - 1, value * 2, 0, 1, 2, 3, 4, 5, 8], random))


def names(model):
    return [name for network in networks(model) for layer in network.layers
            for name in (layer.name, *layer.input, *layer.output)]
