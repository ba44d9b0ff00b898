# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The layers of known classifiers of 1,000 labels, without their weights."""

from network import Network, Preprocessing

LABELS = 1000
# The preprocessing that each architecture's published weights expect.
SYMMETRIC = Preprocessing(2 / 255, (-1, -1, -1))
MEANS = Preprocessing(1, (-123, -117, -104), is_bgr=True)
# One scale is all that Core ML has, so the deviations of the three channels are averaged.
DEVIATIONS = Preprocessing(1 / (255 * 0.226), (-0.485 / 0.226, -0.456 / 0.226, -0.406 / 0.226))


def mobile_net_v2():
    """Source: Keras 2, keras/applications/mobilenet_v2.py, with a width of 1.0."""
    net = Network(224, SYMMETRIC, 1)

    def normalized(source, size):
        return net.batch_normalization(source, 1e-3, size)

    def block(source, count, stride, expansion):
        result, channels = source, net.channels[source]
        if expansion > 1:
            result = net.relu6(normalized(net.convolution(result, expansion * channels, 1), 2))
        padding = "padded" if stride == 2 else "same"
        result = net.relu6(normalized(net.depthwise(result, 3, stride, padding), 1))
        result = normalized(net.convolution(result, count, 1), 0.35)
        return net.total(source, result) if stride == 1 and channels == count else result

    result = net.relu6(normalized(net.convolution("image", 32, 3, 2, "same"), 3))
    for expansion, count, repeats, stride in [
        (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
    ]:
        for number in range(repeats):
            result = block(result, count, stride if number == 0 else 1, expansion)
    result = net.relu6(normalized(net.convolution(result, 1280, 1), 2))
    return net.finish(net.product(net.global_average(result), LABELS, 2.5))


def inception_v3():
    """Source: Keras 2, keras/applications/inception_v3.py."""
    net = Network(299, SYMMETRIC, 2)

    def chain(source, *steps):
        """Steps: count, kernel, and for some stride and padding."""
        for count, kernel, *rest in steps:
            stride, padding = rest or (1, "same")
            source = net.relu(net.batch_normalization(net.convolution(source, count, kernel, stride, padding), 1e-3))
        return source

    def averaged(source, count):
        return chain(net.average(source, 3), (count, 1))

    def small(source, count):
        return net.concatenation(
            chain(source, (64, 1)), chain(source, (48, 1), (64, 5)), chain(source, (64, 1), (96, 3), (96, 3)),
            averaged(source, count))

    def middle(source, n):
        return net.concatenation(
            chain(source, (192, 1)), chain(source, (n, 1), (n, (1, 7)), (192, (7, 1))),
            chain(source, (n, 1), (n, (7, 1)), (n, (1, 7)), (n, (7, 1)), (192, (1, 7))), averaged(source, 192))

    def large(source):
        parts = [chain(source, (320, 1))]
        for stem in (chain(source, (384, 1)), chain(source, (448, 1), (384, 3))):
            parts.append(net.concatenation(chain(stem, (384, (1, 3))), chain(stem, (384, (3, 1)))))
        return net.concatenation(*parts, averaged(source, 192))

    def half(source, *chains):
        return net.concatenation(*(chain(source, *steps) for steps in chains), net.maximum(source, 3, 2))

    result = chain("image", (32, 3, 2, 0), (32, 3, 1, 0), (64, 3))
    result = chain(net.maximum(result, 3, 2), (80, 1, 1, 0), (192, 3, 1, 0))
    result = net.maximum(result, 3, 2)
    for count in (32, 64, 64):
        result = small(result, count)
    result = half(result, [(384, 3, 2, 0)], [(64, 1), (96, 3), (96, 3, 2, 0)])
    for count in (128, 160, 160, 192):
        result = middle(result, count)
    result = half(
        result, [(192, 1), (320, 3, 2, 0)], [(192, 1), (192, (1, 7)), (192, (7, 1)), (192, 3, 2, 0)])
    result = large(large(result))
    return net.finish(net.product(net.global_average(result), LABELS, 4.5))


def squeeze_net():
    """Source: SqueezeNet 1.1 for Caffe, https://github.com/forresti/SqueezeNet."""
    net = Network(227, MEANS, 3)

    def rectified(source, count, kernel, stride=1, padding=0, size=1.0):
        return net.relu(net.convolution(source, count, kernel, stride, padding, bias_size=0.25, size=size))

    def fire(source, squeezed, expanded):
        stem = rectified(source, squeezed, 1)
        return net.concatenation(rectified(stem, expanded, 1), rectified(stem, expanded, 3, 1, 1))

    result = net.maximum(rectified("image", 64, 3, 2, size=1 / 64), 3, 2, "complete")
    result = net.maximum(fire(fire(result, 16, 64), 16, 64), 3, 2, "complete")
    result = net.maximum(fire(fire(result, 32, 128), 32, 128), 3, 2, "complete")
    for squeezed, expanded in [(48, 192), (48, 192), (64, 256), (64, 256)]:
        result = fire(result, squeezed, expanded)
    return net.finish(net.global_average(rectified(result, LABELS, 1, size=15)))


def res_net_18():
    """Source: torchvision/models/resnet.py."""
    net = Network(224, DEVIATIONS, 4)

    def normalized(source, count, kernel, stride, padding, size=1.0):
        return net.batch_normalization(net.convolution(source, count, kernel, stride, padding), 1e-5, size)

    def block(source, count, stride):
        inner = net.relu(normalized(source, count, 3, stride, 1))
        inner = normalized(inner, count, 3, 1, 1, 0.7)
        outer = source if stride == 1 else normalized(source, count, 1, stride, 0)
        return net.relu(net.total(inner, outer))

    result = net.maximum(net.relu(normalized("image", 64, 7, 2, 3)), 3, 2, 1)
    for count, stride in [(64, 1), (128, 2), (256, 2), (512, 2)]:
        result = block(block(result, count, stride), count, 1)
    return net.finish(net.product(net.global_average(result), LABELS, 1.5))


ARCHITECTURES = {
    "MobileNetV2": mobile_net_v2, "InceptionV3": inception_v3, "SqueezeNet 1.1": squeeze_net, "ResNet-18": res_net_18,
}
