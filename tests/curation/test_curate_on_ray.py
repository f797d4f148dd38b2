"""Others embed and ask for votes; the suite is the one that is made here, byte for byte."""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow
from roles_script import CAUSE, COUNT, PLACE, proposal
from test_by_model_induction import review, saying, vote

from executing import KillOnce, Shuffled, Words
from gumption.benchmarks import open_suite
from gumption.cli._curating import write_suite
from gumption.cli._roles import roles_by
from gumption.curation.agent import curate, labelled
from gumption.curation.by_model import Budget
from gumption.curation.dimensions import Assignment, Example
from gumption.curation.embedding import BLOCK, Embedded, embed
from gumption.executors import Executor, Local
from gumption.models.encoder import Encoder
from gumption.records import Answer, GumptionError, Image, Item, Text
from gumption.running import Run
from gumption.suites import Media
from ray_cluster import joined
from servers import Act, Asked, Server

ITEMS, PROBE = 48, 9
KINDS = ("How many cups are on shelf", "Where is robot", "Why did it fall from step")


@pytest.fixture(scope="module")
def ray() -> Iterator[Executor]:
    with joined() as executor:
        yield executor


class Pool:
    """Texts of three blocks and some, and sixteen pictures, one of which is none."""

    def __init__(self, folder: Path) -> None:
        paths: dict[str, Path] = {}
        for number in range(16):
            file = io.BytesIO()
            Pillow.effect_noise((48, 48), 10.0 + number).save(file, "PNG")
            data = b"no picture" if number == 7 else file.getvalue()
            name = hashlib.sha256(data).hexdigest()
            paths[name] = folder / name
            paths[name].write_bytes(data)
        self.pictures, self.media = [Image(name) for name in paths], Media(paths)
        texts = [f"{KINDS[n % 3]} {n}?" for n in range(3 * BLOCK + 50)]
        self.items = [
            Item(f"i{n}", "b", (Text(text), self.pictures[n % 16]), Answer("text", gold="so"))
            for n, text in enumerate(texts)
        ]
        self.here = self.embedded()

    def embedded(self, executor: Executor | None = None, cache: Path | None = None) -> Embedded:
        return embed(self.items, self.media, encoder=Words(), executor=executor, cache=cache)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Pool:
    return Pool(tmp_path_factory.mktemp("pictures"))


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(workers=st.integers(1, 5), seed=st.integers(0, 99))
def test_shards_of_any_size_in_any_order_make_the_same_vectors(
    pool: Pool, tmp_path: Path, workers: int, seed: int
) -> None:
    others = Shuffled(workers, seed)
    e, here = pool.embedded(others), pool.here
    assert e.text.tobytes() == here.text.tobytes() and e.image.tobytes() == here.image.tobytes()
    assert list(e.cells) == list(here.cells) and e.unseen == here.unseen and len(e.unseen) == 1
    assert sum(others.sizes) == 4 + 16, "four blocks of texts, and each picture"


def test_what_others_made_is_kept_and_what_nobody_survives_is_named(pool: Pool, tmp_path: Path) -> None:
    cache, bad = tmp_path / "vectors", pool.pictures[3]
    others = Shuffled(1, deadly=lambda shown: bad in shown)
    with pytest.raises(GumptionError, match="three times") as caught:
        pool.embedded(others, cache)
    assert bad.sha256 in str(caught.value) and "out of the pool" in caught.value.remedy
    again = Shuffled(1)
    assert pool.embedded(again, cache).text.tobytes() == pool.here.text.tobytes()
    assert sum(again.sizes) == 16, "the texts were kept"


def _whole(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.ray
@pytest.mark.data
def test_a_suite_of_questions_on_pictures_though_workers_are_killed(
    ray: Executor, public_data: Path, tmp_path: Path
) -> None:
    suite = open_suite("egothink", public_data)
    pictures = (public_data / "egothink" / "images").iterdir()
    distinct = len({hashlib.sha256(one.read_bytes()).digest() for one in pictures})
    killer = KillOnce("ray::_Kept")

    def stage(name: str) -> AbstractContextManager[KillOnce]:
        return nullcontext(killer if name == "Looking at pictures" else KillOnce("none is called so"))

    for executor in (Local(), ray):
        folder = tmp_path / executor.name
        made = curate(
            suite, "small", Words(), folder / "replies", cache=folder / "vectors", k=4,
            executor=executor, stage=stage if executor is ray else None,
        )  # fmt: skip
        write_suite(made, folder / "small")
        assert len(made.embedded.cells) == distinct and not made.embedded.unseen
    assert killer.killed and killer.done == distinct
    local, far = (_whole(tmp_path / name / "small") for name in ("local", "ray"))
    assert "items.parquet" in local and "certificate.json" in local
    # When it was made is all that differs.
    about = [json.loads(one.pop("suite.json")) for one in (local, far)]
    assert all(one.pop("created") for one in about) and about[0] == about[1]
    assert local == far


@pytest.mark.ray
def test_the_encoder_is_loaded_by_others_and_says_the_same(ray: Executor) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra [embeddings]")
    texts = [
        Item(f"i{n}", "b", (Text(f"{KINDS[n % 3]} {n}?"),), Answer("text", gold="so")) for n in range(12)
    ]
    encoder = Encoder()
    here = embed(texts, Media(), encoder=encoder)
    # It is loaded by now, which does not travel.
    far = embed(texts, Media(), encoder=encoder, executor=ray)
    assert far.text.tobytes() == here.text.tobytes() and far.encoder == here.encoder


def _play(asked: Asked) -> Act:
    """A Proposer of three dimensions, a Reviewer content with them, and voters by an item's first words."""
    if asked.body["model"] == "proposer":
        return saying(proposal(COUNT, PLACE, CAUSE))
    if asked.body["model"] == "reviewer":
        return review()
    return vote(asked)


def _labelled(
    server: Server, folder: Path, executor: Executor, progress: KillOnce | None = None
) -> tuple[Assignment, list[tuple[str, str, str]], list[str]]:
    """The labels, the calls of the replies that were kept, and what went amiss."""
    # The last third look like the second: they are asked about under one id.
    texts = [f"{KINDS[n % 3]} {n if n < ITEMS * 2 // 3 else n - ITEMS // 3}?" for n in range(ITEMS)]
    examples = [Example(f"bench/{n}", "Bench", "cat", text, "choice") for n, text in enumerate(texts)]
    budget = Budget()
    voters = ["openai/one", "openai/two"]
    roles = roles_by("openai/proposer", "openai/reviewer", voters, server.base_url, budget)
    encode = Words().encode
    _, assignment = labelled(
        examples, roles(examples, encode, 0), encode, folder, probe=PROBE, wanted=(2, 4),
        executor=executor, progress=progress,
    )  # fmt: skip
    kept = [(one.call, one.model, one.request_sha256) for one in Run.open(folder).replies()]
    return assignment, kept, [str(one) for one in budget.log]


class _KillLate(KillOnce):
    """Not before the votes of the induction are all in."""

    def __call__(self, done: int, of: int) -> None:
        if done > 2 + 5 * PROBE + 20:
            super().__call__(done, of + 1)


@pytest.mark.ray
def test_votes_are_asked_by_others_and_written_here_though_a_worker_is_killed(
    ray: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with Server(_play) as server:
        run = partial(_labelled, server)
        here, kept, amiss = run(tmp_path / "here", Local())
        asked = server.total
        assert asked == len(kept) and not amiss

        # Undisturbed, as much is asked as here, and each of it is written once.
        far, far_kept, far_amiss = run(tmp_path / "far", ray)
        assert server.total - asked == asked
        assert sorted(far_kept) == sorted(kept) and far_amiss == amiss
        # Called again, here, nobody is asked.
        run(tmp_path / "far", Local())
        assert server.total == 2 * asked

        # A worker that dies costs what it had asked; what is written is the same.
        server.behave = lambda asked: _play(asked).after(0.1)
        killer = _KillLate("ray::_do")
        killed, killed_kept, killed_amiss = run(tmp_path / "killed", ray, killer)
        assert killer.killed and sorted(killed_kept) == sorted(kept) and killed_amiss == amiss
        assert max(Counter(killed_kept).values()) == 1
    for other in (far, killed):
        assert other.ids == here.ids and other.asked == here.asked
        for name in ("label", "votes", "full", "adjudicated"):
            assert np.array_equal(getattr(other, name), getattr(here, name))
