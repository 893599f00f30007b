"""What crosses between grader and learner: data arrives unchanged, other values do not cross."""

from __future__ import annotations

import json
import socket
import struct
from contextlib import suppress
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from coursekit.grade import wire
from coursekit.grade.limits import Limits
from coursekit.grade.values import CannotCrossError, Decoder, Encoder
from coursekit.grade.wire import Channel, WireError, parse

LIMITS = Limits(depth=8, items=500, message_bytes=100_000, header_bytes=50_000)
QUICK = settings(max_examples=150, deadline=None)


def refuse(value):
    """Refuse an object that is not data."""
    raise CannotCrossError("it is not data")


def refuse_tree(tree):
    """Refuse a tree of an unknown kind."""
    raise WireError("no such kind")


def crossed(value):
    """Return a value as it arrives."""
    encoder = Encoder(LIMITS, refuse)
    tree = json.loads(json.dumps(encoder.encode(value)))
    return Decoder(encoder.payload, LIMITS, refuse_tree).decode(tree)


def same(a, b):
    """Whether two values are of one type and equal, NaN included."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray | np.generic):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return a == b or (a != a and b != b)


arrays = npst.arrays(
    st.one_of(
        npst.boolean_dtypes(),
        npst.integer_dtypes(endianness="?"),
        npst.floating_dtypes(sizes=(16, 32, 64)),
        npst.complex_number_dtypes(sizes=(64, 128)),
        npst.unicode_string_dtypes(max_len=5),
    ),
    npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
)
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**200), 2**200),
    st.floats(),
    st.complex_numbers(allow_nan=False),
    st.text(max_size=20),
    arrays,
    st.just(...),
    st.builds(range, st.integers(-9, 9), st.integers(-9, 9)),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(st.one_of(st.text(max_size=5), st.integers()), inner, max_size=4),
    ),
    max_leaves=12,
)


@QUICK
@given(values)
@example(np.array([["a", ""]]))
@example([np.float32(1.5), np.bool_(True), (np.int8(-3),)])
def test_data_comes_back_unchanged(value):
    assert same(crossed(value), value)


def test_arrays_arrive_as_copies_and_writable_where_they_were():
    array = np.arange(6.0).reshape(2, 3).T
    assert crossed(array).flags.writeable
    array.flags.writeable = False
    assert not crossed(array).flags.writeable


def test_tensors_keep_type_gradient_and_bfloat16():
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.bfloat16, torch.int64, torch.bool):
        tensor = torch.ones(2, 3).to(dtype)
        assert crossed(tensor).dtype == dtype
        assert torch.equal(crossed(tensor), tensor)
    leaf = torch.ones(2, requires_grad=True)
    (leaf * 3).sum().backward()
    back = crossed(leaf)
    assert back.requires_grad
    assert torch.equal(back.grad, leaf.grad)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (json.loads("[" * 20 + "]" * 20), "deeper than 8"),
        ([0] * 1000, "more than 500 values"),
        (iter(int, 1), "more than 500 values"),
        (np.zeros(20_000), "larger than"),
        (np.broadcast_to(0.0, (10**4, 10)), "larger than"),
        (10**2000, "more than 4096 bits"),
        (range(10**9), "more than 500 values"),
        (range(10**30), "more than 500 values"),
        (object(), "not data"),
        (np.array([object()]), "not data"),
        (np.array(["2020-01-01"], "datetime64[D]"), "not data"),
        (lambda: 1, "not data"),
    ],
)
def test_what_cannot_cross_says_why(value, why):
    with pytest.raises(CannotCrossError, match=why):
        crossed(value)


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from("tvdsonrg"), inner, max_size=5),
        st.fixed_dictionaries(
            {
                "t": st.sampled_from(
                    ["array", "scalar", "tuple", "dict", "set", "slice", "int", "complex", "range"]
                ),
                "v": inner,
            },
            optional={
                "d": st.sampled_from(["<f8", "O", "V8", "<f8,<f8", "(2,)f8", "<U3", "x", "m8[s]"]),
                "s": st.lists(st.integers(-1, 2**60), max_size=3),
                "o": st.integers(-1, 100),
                "n": st.integers(-1, 100),
            },
        ),
    ),
    max_leaves=15,
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_values, st.binary(max_size=64))
@example({"t": "array", "d": "<f8", "s": [2**40, 0, 2**40], "o": 0, "n": 0}, b"")
@example({"t": "dict", "v": [[[], 1]]}, b"")
@example({"t": "set", "v": [{"t": "dict", "v": []}]}, b"")
@example({"t": "range", "v": [0, 1, 0]}, b"")
@example({"t": "range", "v": [0, 10**30, 1]}, b"")
@example({"t": "tensor", "d": "float32", "s": [2], "o": 0, "n": 4}, b"1234")
def test_malformed_messages_are_refused_and_do_nothing_else(tree, payload):
    with suppress(WireError):
        Decoder(payload, LIMITS, refuse_tree).decode(tree)


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"nonsense", b"[" * 40_000, b'{"a": ' + b"9" * 5000 + b"}", b"\xff\xfe{}"],
    ids=lambda text: text[:8],
)
def test_malformed_headers_are_refused(text):
    with pytest.raises(WireError):
        parse(text)


@pytest.fixture
def ends():
    """Return a raw socket and the channel that is connected to it."""
    ours, theirs = socket.socketpair()
    yield theirs, Channel(ours, LIMITS)
    ours.close()
    theirs.close()


def test_messages_come_in_order_and_whole(ends):
    raw, channel = ends
    sender = Channel(raw, LIMITS)
    for number in range(3):
        sender.send({"number": number}, bytes(number))
    assert [channel.receive(1) for _ in range(3)] == [({"number": n}, bytes(n)) for n in range(3)]


@pytest.mark.parametrize(
    "frame",
    [
        b"CKG2" + struct.pack(">II", 2, 0) + b"{}",
        b"CKG1" + struct.pack(">II", 2**32 - 1, 0),
        b"CKG1" + struct.pack(">II", 2, 2**32 - 1),
        b"CKG1" + struct.pack(">II", 2, 0) + b"[]",
    ],
)
def test_broken_frames_are_refused_before_memory_is_taken(ends, frame):
    raw, channel = ends
    raw.sendall(frame)
    with pytest.raises(WireError):
        channel.receive(1)


def test_a_trickle_meets_its_deadline(ends, monkeypatch):
    raw, channel = ends
    raw.sendall(b"CKG1" + struct.pack(">II", 1000, 0))
    clock = count(0, 0.1)
    # Whenever it looks at the clock, one more byte has come.
    look = SimpleNamespace(monotonic=lambda: raw.sendall(b" ") or next(clock))
    monkeypatch.setattr(wire, "time", look)
    with pytest.raises(TimeoutError):
        channel.receive(0.3)


def test_a_closed_end_is_the_end(ends):
    raw, channel = ends
    raw.sendall(b"CKG1")
    raw.close()
    with pytest.raises(EOFError):
        channel.receive(1)
