"""The certificate as one document: what it holds, what it says is missing, and whom it recommends."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from gumption.curation.certify import Certificate, certify
from gumption.curation.cost import cost
from gumption.curation.dimensions import Assignment, Dimension, Dimensions, example_of
from gumption.curation.dossier import Dossier, Origin, make_dossier, read_dossier, write_dossier
from gumption.curation.response_matrix import read_matrix
from gumption.curation.rivals import compare_methods, recommend
from gumption.models.encoder import Encoder
from gumption.records import Answer, GumptionError, Item, Text

ORIGIN = Origin("Small", "Pool", "abc123", "centroid", {"k": 2}, 7, "toy-encoder@1", "f00d")


def pool(n: int) -> list[Item]:
    return [
        Item(f"i{number}", f"bench {number % 2}", (Text(f"Question {number}?"),), Answer("text"))
        for number in range(n)
    ]


def made(n: int, chosen: list[int], **more) -> Dossier:
    items = pool(n)
    return make_dossier(ORIGIN, [example_of(item) for item in items], chosen, cost(items, chosen), **more)


def assignment(n: int) -> Assignment:
    """Three voters; on the first items all of them voted, and the last of these is split."""
    votes = np.zeros((n, 3), dtype=np.int64)
    votes[:, 2] = -1
    votes[:4] = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [0, 0, -2]]
    return Assignment(
        Dimensions((Dimension("Count", "how many"), Dimension("Place", "where"))),
        tuple(f"i{number}" for number in range(n)),
        votes[:, 0],
        votes,
        np.arange(n) < 4,
        np.zeros(n, dtype=bool),
        2 * n + 4,
        "same embedding, not evidence",
    )


def test_of_the_items_alone() -> None:
    found = made(6, [0, 1])
    assert (found.pool_items, found.suite_items) == (6, 2)
    assert [spread.by for spread in found.balance] == ["source benchmark", "answer kind"]
    assert (found.redundancy, found.coverage, found.voters, found.fidelity) == (None, None, None, None)
    said = " ".join(found.missing)
    for what in ("four models", "vectors", "dimension", "votes", "run folders", "human ratings"):
        assert what in said
    assert "2 of the 6 items of Pool (33.3 %), chosen by centroid with seed 7" in found.paragraph


def test_with_vectors_and_votes() -> None:
    vectors = np.eye(6)
    vectors[2, 0] = 10
    found = made(6, [0, 1], embeddings=vectors, votes=assignment(6))
    assert found.balance[0].by == "dimension"
    assert [(one.name, one.pool) for one in found.balance[0].counts] == [
        ("Count", 4),
        ("Place", 1),
        ("Other", 1),
    ]
    assert [one.name for one in found.maps] == ["Count", "Place", "Other"]
    assert found.voters is not None
    # Each of the four got the same from all that could be read.
    assert (found.voters.full, found.voters.unanimous, found.voters.voters) == (4, 1.0, 3)
    assert (found.voters.asked, found.voters.possible) == (16, 18)
    assert found.voters.agreement.fleiss.mean == pytest.approx(1.0)
    assert "not evidence" in found.paragraph
    assert found.alike[0].benchmarks == ("bench 0", "bench 0") and found.alike[0].texts[0] == "Question 0?"


@pytest.mark.parametrize("vectors", [None, np.ones((1, 3)), np.zeros((1, 1))])
def test_a_pool_of_one_item(vectors: np.ndarray | None) -> None:
    found = made(1, [0], embeddings=vectors)
    assert found.suite_items == 1 and "100.0 %" in found.paragraph


def test_all_items_identical() -> None:
    found = made(8, [0, 3], embeddings=np.ones((8, 4)))
    assert found.redundancy and (found.redundancy.share_within, found.redundancy.share_across) == (1.0, 1.0)
    assert found.coverage and found.coverage.mean == pytest.approx(0, abs=1e-6)


def test_it_is_written_and_read_without_loss(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    scores = (rng.random((8, 30)) < np.linspace(0.2, 0.8, 8)[:, None]).astype(float)
    rivals = compare_methods(scores, 6, methods=["stratified"], splits=3)
    found = made(30, [0, 1], embeddings=rng.standard_normal((30, 4)), votes=assignment(30), fidelity=rivals)
    path = write_dossier(found, tmp_path / "new" / "certificate.json")
    assert read_dossier(path) == found
    assert [entry.name for entry in path.parent.iterdir()] == ["certificate.json"]


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"origin":' + b"[" * 100_000])
def test_what_is_no_certificate_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.json").write_bytes(content)
    with pytest.raises(GumptionError, match="not a certificate"):
        read_dossier(tmp_path / "c.json")
    with pytest.raises(GumptionError, match="cannot be read"):
        read_dossier(tmp_path / "nowhere.json")


def test_an_empty_pool_is_refused() -> None:
    with pytest.raises(GumptionError, match="empty"):
        make_dossier(ORIGIN, [], [], None)  # type: ignore[arg-type]


def certificate(method: str, lift: float, reach: float, *, held_out: bool = True) -> Certificate:
    """A certificate of which only the lift matters."""
    base = certify(np.eye(6), "random", 3, splits=2)
    return msgspec.structs.replace(
        base,
        method=method,
        lift=lift,
        lift_interval=(lift - reach, lift + reach),
        held_out=held_out,
        splits=60,
    )


def test_a_selector_is_recommended_only_beyond_its_interval() -> None:
    good = recommend([certificate("kcenter", 0.10, 0.03), certificate("centroid", 0.12, 0.14)])
    assert (good.method, good.beats_random, good.leader) == ("kcenter", True, "kcenter")
    assert good.words.startswith("Take kcenter")
    none = recommend([certificate("kcenter", 0.02, 0.03), certificate("centroid", -0.2, 0.05)])
    assert (none.method, none.beats_random, none.leader) == ("random", False, "kcenter")
    assert none.words.startswith("Random is as good")
    seen = recommend([certificate("kcenter", 0.3, 0.03, held_out=False)])
    assert not seen.beats_random


def test_that_several_were_compared_is_allowed_for_in_words() -> None:
    """Student's t of 59 degrees of freedom, by a table: 2.001 at .975 and 2.662 at .995 (five compared)."""
    ahead = certificate("a", 0.10, 0.08)
    assert "confirm" not in recommend([ahead]).words
    others = [certificate(name, 0.0, 0.05) for name in "bcde"]
    found = recommend([ahead, *others])
    assert found.interval == (pytest.approx(0.02), pytest.approx(0.18))
    assert found.interval_allowing[0] == pytest.approx(0.10 - 0.08 * 2.662 / 2.001, abs=1e-3)
    assert found.beats_random and "confirm it on further models" in found.words


def test_random_itself_is_never_better_than_random() -> None:
    assert not recommend([certificate("random", 0.5, 0.01)]).beats_random


def test_on_noise_random_is_as_good() -> None:
    scores = (np.random.default_rng(3).random((16, 200)) < 0.5).astype(float)
    found = compare_methods(scores, 30, methods=["item-total", "stratified"], splits=10)
    assert found.recommendation.method == "random"
    assert [one.k for one in found.by_size] == [10, 20, 50, 100]
    assert found.random.low <= found.random.mean <= found.random.high


def write(path: Path, **arrays) -> Path:
    np.savez_compressed(path, **arrays)
    return path


GOOD = {
    "X": np.eye(2, 3, dtype=np.int8),
    "models": np.array(["m0", "m1"]),
    "ids": np.array(["a", "b", "c"]),
    "groups": np.array(["g", "g", "h"]),
}


def test_a_matrix_is_read_with_its_texts(tmp_path: Path) -> None:
    path = write(tmp_path / "m.npz", **GOOD)
    bare = read_matrix(path)
    assert (bare.name, bare.models, bare.groups) == ("m", ("m0", "m1"), ("g", "g", "h"))
    assert bare.scores.tolist() == [[1, 0, 0], [0, 1, 0]] and bare.grouped and not bare.worded
    rows = [
        {"id": "a", "text": "Where?", "options": ["left", "right"], "answer": "a,b"},
        {"id": "b", "question": "How many?", "text": "long prompt", "answer": "12"},
        {"id": "c", "text": None, "answer": "True"},
    ]
    lines = "".join(msgspec.json.encode(row).decode() + "\n" for row in rows)
    (tmp_path / "m.items.jsonl").write_text(lines)
    found = read_matrix(path)
    assert found.worded
    assert [example_of(item).text for item in found.items] == ["Where?\nleft\nright", "How many?", ""]
    assert [item.answer.kind for item in found.items] == ["choice", "number", "yes_no"]
    (tmp_path / "m.items.jsonl").write_text(lines.replace('"c"', '"d"'))
    with pytest.raises(GumptionError, match="column 3"):
        read_matrix(path)


@pytest.mark.parametrize(
    "change",
    [
        {"X": np.array([[object()] * 3] * 2)},
        {"X": np.full((2, 3), 7)},
        {"X": np.eye(3)},
        {"models": np.array([1, 2])},
        {"ids": np.array(["a", "a", "b"])},
        {"groups": np.array(["g"])},
        {"ids": np.array(["a", "b", object()], dtype=object)},
    ],
)
def test_a_matrix_that_does_not_fit_is_refused(tmp_path: Path, change: dict) -> None:
    with pytest.raises(GumptionError):
        read_matrix(write(tmp_path / "m.npz", **{**GOOD, **change}))


def test_a_file_that_is_no_matrix_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.npz").write_bytes(b"PK\x03\x04 and so on")
    for name in ("m.npz", "nowhere.npz"):
        with pytest.raises(GumptionError, match="not a response matrix"):
            read_matrix(tmp_path / name)
    del_models = {name: array for name, array in GOOD.items() if name != "models"}
    with pytest.raises(GumptionError, match="no array models"):
        read_matrix(write(tmp_path / "n.npz", **del_models))


def test_a_header_that_claims_more_than_is_there_is_refused(tmp_path: Path) -> None:
    import io
    import zipfile

    good = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        good, {"descr": "<f8", "fortran_order": False, "shape": (2**20, 2**30)}
    )
    path = write(tmp_path / "m.npz", **{name: array for name, array in GOOD.items() if name != "X"})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("X.npy", good.getvalue())
    with pytest.raises(GumptionError, match="bytes"):
        read_matrix(path)


@pytest.mark.data
def test_the_shared_matrices_are_read(public_data: Path) -> None:
    shapes = {"blink_val": (19, 1901), "logicvista": (14, 448), "zeroeval_crux": (51, 800)}
    for name, shape in shapes.items():
        found = read_matrix(public_data / "response_matrices" / f"{name}.npz")
        assert found.scores.shape == shape and len(found.items) == shape[1]
        assert found.worded == (name != "blink_val")


@pytest.mark.data
def test_kcenter_over_all_helps_on_visonlyqa_and_by_group_does_not(public_data: Path) -> None:
    """Measured elsewhere without groups: +.10 +- .02 over 30 splits."""
    found = read_matrix(public_data / "response_matrices" / "visonlyqa_noreason.npz")
    vectors = Encoder().encode([example_of(item).text for item in found.items])
    rivals = compare_methods(
        found.scores,
        180,
        methods=["kcenter", "kcenter/all"],
        embeddings=vectors,
        groups=np.array(found.groups),
        splits=10,
    )
    by_group, over_all = rivals.certificates
    assert over_all.lift == pytest.approx(0.10, abs=0.06)
    assert by_group.lift < over_all.lift
    assert rivals.recommendation.leader == "kcenter/all" and rivals.by_size[0].method.endswith("/all")
