# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Claim: an app that receives a WebRTC call can have its frames judged, and tell the sender. One peer sends video with the
test pattern in the middle; the other passes its frames to sca watch, and sends each state back over a data channel.

usage: peers.py SCA PATTERN, where PATTERN is a raw picture of 240 × 240 samples of luma."""

import asyncio
import fractions
import json
import os
import sys
import time

import av
import numpy
from aiortc import RTCPeerConnection, VideoStreamTrack

WIDTH, HEIGHT, RATE = 320, 240, 15
# The seconds of the pattern, of the end, and the largest delay of the guidance.
PATTERN, END, MOST = (4, 8), 14, 3.0


class Camera(VideoStreamTrack):
    """A picture in slow motion, with the pattern for some seconds."""

    def __init__(self, pattern):
        super().__init__()
        self.pattern = pattern
        self.count = 0
        self.begin = None
        self.first_pattern = self.last_pattern = None

    async def recv(self):
        now = time.monotonic()
        self.begin = self.begin or now
        await asyncio.sleep(max(0, self.begin + self.count / RATE - now))
        seconds = self.count / RATE
        columns = numpy.arange(WIDTH) + self.count
        luma = numpy.tile(60 + columns % 160 // 2, (HEIGHT, 1)).astype(numpy.uint8)
        if PATTERN[0] <= seconds < PATTERN[1]:
            luma[:, 40:280] = self.pattern
            self.first_pattern = self.first_pattern or time.monotonic()
            self.last_pattern = time.monotonic()
        planes = numpy.concatenate([luma, numpy.full((HEIGHT // 2, WIDTH), 128, numpy.uint8)])
        frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts, frame.time_base = self.count * 90_000 // RATE, fractions.Fraction(1, 90_000)
        self.count += 1
        return frame


class Receiver:
    """The app that displays the call: each frame goes to sca watch, and its states go back."""

    def __init__(self, sca):
        self.sca = sca
        self.channel = None
        self.frames = 0

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            self.sca, "watch", "--raw", f"{WIDTH}x{HEIGHT}@{RATE}", "--format", "jsonl", "-",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env={**os.environ, "SCA_TEST_MODE": "1"})
        self.tasks = [asyncio.ensure_future(self.report())]

    def take(self, track):
        self.tasks.append(asyncio.ensure_future(self.pass_frames(track)))

    async def pass_frames(self, track):
        while True:
            frame = await track.recv()
            # A peer may lower the size when the connection is slow.
            pixels = frame.reformat(WIDTH, HEIGHT, "yuv420p").to_ndarray()
            self.frames += 1
            self.process.stdin.write(pixels.tobytes())
            await self.process.stdin.drain()

    async def report(self):
        async for line in self.process.stdout:
            state = json.loads(line)["state"]
            if self.channel and self.channel.readyState == "open":
                self.channel.send(state)

    async def end(self):
        for task in self.tasks[1:]:
            task.cancel()
        self.process.stdin.close()
        return await asyncio.wait_for(self.process.wait(), 20)


async def call(sca, pattern):
    sender, receiver = RTCPeerConnection(), RTCPeerConnection()
    camera, app = Camera(pattern), Receiver(sca)
    await app.start()
    guidance = []
    channel = sender.createDataChannel("guidance")
    channel.on("message", lambda text: guidance.append((time.monotonic(), text)))
    receiver.on("track", app.take)
    receiver.on("datachannel", lambda each: setattr(app, "channel", each))
    sender.addTrack(camera)
    await sender.setLocalDescription(await sender.createOffer())
    await receiver.setRemoteDescription(sender.localDescription)
    await receiver.setLocalDescription(await receiver.createAnswer())
    await sender.setRemoteDescription(receiver.localDescription)
    end = time.monotonic() + 60
    while (camera.begin is None or time.monotonic() < camera.begin + END) and time.monotonic() < end:
        await asyncio.sleep(0.1)
    exit_code = await app.end()
    await sender.close()
    await receiver.close()
    return camera, app, guidance, exit_code


def main():
    pattern = numpy.fromfile(sys.argv[2], numpy.uint8).reshape(240, 240)
    camera, app, guidance, exit_code = asyncio.run(call(sys.argv[1], pattern))
    # The end of sca watch may be told or not, because the call ends too.
    states = [text for _, text in guidance if text != "ended"]
    faults = []
    if app.frames < RATE * END / 2:
        faults.append(f"only {app.frames} frames were received")
    found = next((when for when, text in guidance if text == "sensitive"), None)
    if found is None or camera.first_pattern is None:
        faults.append(f"the sender was told {states}")
    elif not 0 <= found - camera.first_pattern <= MOST:
        faults.append(f"the sender was told {found - camera.first_pattern:.2f} s after the first frame of the pattern")
    if states[-1:] != ["notSensitive"]:
        faults.append(f"the last state that the sender was told is no harmless one: {states}")
    if exit_code != 1:
        faults.append(f"sca watch ended with {exit_code}")
    for fault in faults:
        print(f"webrtc: FAILED: {fault}")
    if not faults:
        print(f"webrtc: {app.frames} frames; the sender was told after {found - camera.first_pattern:.2f} s: {states}")
    sys.exit(1 if faults else 0)


main()
