#!/usr/bin/env python3
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print the patterns that transactions.cu launches, one request a line.

name space operation bytes mask(hex) offset0 .. offset31, offsets in bytes.
Without an argument the fixed set, the same every time. With a seed and a count,
so many requests drawn at random, to try the model on what it has not seen.
"""
import random
import sys

FULL = 0xFFFFFFFF
SHARED, GLOBAL = 48 * 1024, 1024 * 1024
rng = random.Random(20261120)


def emit(name, space, bytes_, offsets, mask=FULL, operations=("load", "store")):
    assert all(o % bytes_ == 0 for o in offsets), name
    for operation in operations:
        print(name, space, operation, bytes_, f"{mask:08x}", *offsets)


def masks():
    yield "first1", 1
    yield "lane17", 1 << 17
    yield "first10", (1 << 10) - 1
    yield "first16", 0xFFFF
    yield "last16", 0xFFFF0000
    yield "first17", 0x1FFFF
    yield "even", 0x55555555
    yield "quads", 0x000F000F
    yield "ends", 0x80000001
    yield "mod8", 0x01010101
    for i in range(5):
        yield f"random{i}", rng.getrandbits(32) | 1 << i


def shared():
    for b in (1, 2, 4, 8, 16):
        strides = {1: (1, 2, 3, 4, 5, 8, 16, 33, 64, 128), 2: (1, 2, 3, 4, 8, 16, 33, 64)}.get(
            b, range(1, 34) if b == 4 else (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33))
        for s in strides:
            emit(f"stride{s}", "shared", b, [l * s * b for l in range(32)], operations=("load",) if s % 4 else ("load", "store"))
        for name, m in masks():
            for s in (1, 2) if b < 16 else (1, 3):
                emit(f"stride{s}-{name}", "shared", b, [l * s * b for l in range(32)], m, ("load",))
        emit("broadcast", "shared", b, [64] * 32)
        emit("broadcast-first10", "shared", b, [64] * 32, 0x3FF, ("load",))
        for k in (1, 2, 3, 4):
            x = 1 << k
            emit(f"groups{x}", "shared", b, [l // x * b for l in range(32)])
            emit(f"repeat{x}", "shared", b, [l % x * b for l in range(32)])
            emit(f"wide-repeat{x}", "shared", b, [l % x * 128 for l in range(32)])
            emit(f"wide-groups{x}", "shared", b, [l // x * 128 for l in range(32)])
            emit(f"drop-bit{k}", "shared", b, [(l & ~x) * b for l in range(32)])
            emit(f"spread-drop-bit{k}", "shared", b, [(l & ~x) * 3 * b for l in range(32)], operations=("load",))
            emit(f"xor{x}", "shared", b, [(l ^ x) * b for l in range(32)], operations=("load",))
        emit("drop-bit0", "shared", b, [(l & ~1) * b for l in range(32)])
        emit("drop-bit0-first16", "shared", b, [(l & ~1) * b for l in range(32)], 0xFFFF, ("load",))
        emit("reverse", "shared", b, [(31 - l) * b for l in range(32)])
        emit("swizzle-column", "shared", b, [l * 32 * b + (l ^ 5) * b for l in range(32)])
        emit("tile33-column", "shared", b, [l * 33 * b for l in range(32)], operations=("store",))
        emit("tile17-column", "shared", b, [(l % 16 * 17 + l // 16) * b for l in range(32)])
        emit("halves-collide", "shared", b, [(l % 16) * b + l // 16 * 1024 for l in range(32)])
        emit("offset1", "shared", b, [(l + 1) * b for l in range(32)])
        for i in range(14):
            span = rng.choice((8, 16, 32, 64, 256, 1024, SHARED // 16))
            m = rng.choice((FULL, FULL, rng.getrandbits(32) | 1))
            emit(f"random{i}-{span}", "shared", b, [rng.randrange(span) * b for _ in range(32)], m,
                 ("store",) if i % 4 == 3 else ("load",))
    # Which lanes of wide words meet: two lanes active, one bank, two words.
    for b in (8, 16):
        for other in (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31):
            emit(f"lanes0-{other}", "shared", b, [128 * l for l in range(32)], 1 | 1 << other, ("load",))
            emit(f"lanes0-{other}-free", "shared", b, [0 if l == 0 else 128 + 64 for l in range(32)], 1 | 1 << other, ("load",))


def global_():
    for b in (1, 2, 4, 8, 16):
        for s in (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 64):
            emit(f"stride{s}", "global", b, [l * s * b for l in range(32)], operations=("load",) if s % 4 else ("load", "store"))
        for o in (1, 3, 7, 8, 16, 31):
            emit(f"offset{o}", "global", b, [(l + o) * b for l in range(32)])
        for name, m in masks():
            emit(f"stride1-{name}", "global", b, [l * b for l in range(32)], m)
            emit(f"stride3-{name}", "global", b, [l * 3 * b for l in range(32)], m, ("load",))
        emit("broadcast", "global", b, [4096] * 32)
        emit("broadcast-first10", "global", b, [4096] * 32, 0x3FF, ("load",))
        for x in (2, 4, 8, 16):
            emit(f"groups{x}", "global", b, [l // x * b for l in range(32)])
            emit(f"spread-groups{x}", "global", b, [l // x * 64 for l in range(32)])
            emit(f"repeat{x}", "global", b, [l % x * 64 for l in range(32)], operations=("load",))
        emit("reverse", "global", b, [(31 - l) * b for l in range(32)])
        emit("xor5", "global", b, [(l ^ 5) * b for l in range(32)], operations=("load",))
        for i in range(10):
            span = rng.choice((16, 64, 256, 4096, GLOBAL // 16))
            m = rng.choice((FULL, FULL, rng.getrandbits(32) | 1))
            emit(f"random{i}-{span}", "global", b, [rng.randrange(span) * b for _ in range(32)], m,
                 ("store",) if i % 4 == 3 else ("load",))
    for size in (12, 16, 20, 24, 48):
        for field in (0, 4, 8):
            emit(f"struct{size}+{field}", "global", 4, [l * size + field for l in range(32)])


def merging():
    """Wide requests whose lanes pair up: when are two phases served as one?"""
    def lanes(f, span):
        # A slot for each class of lanes that f calls equal, drawn anew.
        slot = {}
        free = list(range(span))
        rng.shuffle(free)
        return [slot.setdefault(f(l), free[len(slot)]) for l in range(32)]
    kinds = {
        "pair1": lambda l: l & ~1, "pair2": lambda l: l & ~2, "pair4": lambda l: l & ~4,
        "mixed-quads": lambda l: l & ~(1 if l & 4 else 2), "mixed-eighths": lambda l: l & ~(1 if l & 8 else 2),
        "mixed-halves": lambda l: l & ~(1 if l & 16 else 2),
        "first-half1": lambda l: l & ~1 if l < 16 else l, "last-half1": lambda l: l & ~1 if l >= 16 else l,
        "first-half2": lambda l: l & ~2 if l < 16 else l, "first-eighth1": lambda l: l & ~1 if l < 8 else l,
        "one-quad-off": lambda l: l if l // 4 == 5 else l & ~1, "one-lane-off": lambda l: 99 if l == 13 else l & ~1,
        "same": lambda l: 0, "distinct": lambda l: l, "quads": lambda l: l & ~3,
    }
    some = {"full": FULL, "even": 0x55555555, "odd": 0xAAAAAAAA, "low2": 0x33333333, "mod4": 0x11111111,
            "three": 0x77777777, "cross": 0x99999999, "first-half": 0xFFFF, "seven": 0x7F, "random": None}
    for b in (8, 16):
        for kind, f in kinds.items():
            for span in (32, 128, 1024):
                emit(f"{kind}-{span}", "shared", b, [s * b for s in lanes(f, span)],
                     operations=("load", "store") if span == 128 else ("load",))
            for mask, m in some.items():
                if mask != "full" and kind in ("pair1", "pair2", "distinct", "mixed-quads"):
                    m = m or rng.getrandbits(32) | 1
                    emit(f"{kind}-{mask}", "shared", b, [s * b for s in lanes(f, 64)], m,
                         ("load", "store") if kind == "distinct" else ("load",))
        for s in (1, 2, 4, 8, 16):
            emit(f"pair2-stride{s}", "shared", b, [(l & ~2) * s * b for l in range(32)], operations=("load",))
            emit(f"pair1-stride{s}", "shared", b, [(l & ~1) * s * b for l in range(32)], operations=("load",))
            emit(f"repeat2-wide{s}", "shared", b, [l % 2 * s * 8 * b for l in range(32)], operations=("load",))


def atomics():
    for space in ("shared", "global"):
        for s in (0, 1, 2, 3, 8, 32):
            emit(f"stride{s}", space, 4, [l * s * 4 for l in range(32)], operations=("atomic",))
        for x in (2, 4, 16):
            emit(f"groups{x}", space, 4, [l // x * 4 for l in range(32)], operations=("atomic",))
        emit("first10", space, 4, [l * 4 for l in range(32)], 0x3FF, ("atomic",))


def draw(count):
    for i in range(count):
        b = rng.choice((1, 2, 4, 4, 8, 8, 8, 16, 16, 16))
        space = rng.choice(("shared", "shared", "global"))
        room = (SHARED if space == "shared" else GLOBAL) // b
        stride, start, flip = rng.choice((1, 1, 2, 3, 4, 6, 8, 12, 16, 32, 33)), rng.randrange(64), rng.randrange(32)
        fold = rng.choice((~0, ~0, ~1, ~2, ~3, ~4, ~6, 15, 7))
        span = rng.choice((4, 16, 32, 64, 256, 1024, room))
        table = [rng.randrange(min(span, room)) for _ in range(32)]
        kind = rng.choice(("affine", "xor", "tile", "table", "table", "patched"))
        lane = {
            "affine": lambda l: start + (l & fold) * stride,
            "xor": lambda l: ((l & fold) ^ flip) * stride + start,
            "tile": lambda l: l % 8 * stride + l // 8 * (32 + start % 3),
            "table": lambda l: table[l & fold & 31],
            "patched": lambda l: table[l] if l == flip else table[l & fold & 31],
        }[kind]
        m = rng.choice((FULL, FULL, 0xFFFF, 0x55555555, 0x33333333, rng.getrandbits(32) | 1, 1 << flip | 1))
        emit(f"{kind}{i}", space, b, [lane(l) % (room - 16) * b for l in range(32)], m, (rng.choice(("load", "load", "store")),))


if len(sys.argv) == 3:
    rng.seed(int(sys.argv[1]))
    draw(int(sys.argv[2]))
else:
    shared()
    global_()
    merging()
    atomics()
