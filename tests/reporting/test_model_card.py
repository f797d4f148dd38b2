"""Model cards as the Hub reads them, and YAML that PyYAML takes for the same data."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption import __version__
from gumption.records import GumptionError, Interval
from gumption.reporting._yaml import yaml
from gumption.reporting.model_card import community_results, model_card, protocol_hash, write_model_cards

loaded = pytest.importorskip("yaml", reason="needs PyYAML: pip install 'gumption[hub]'")
hub = pytest.importorskip("huggingface_hub", reason="needs huggingface_hub: pip install 'gumption[hub]'")

NAMES = (
    'a: b "c" \\',
    "line\nbreak: - x",
    "yes",
    "1e3",
    "---",
    "书生 \U0001f600 \x85\u2028\x7f",
    "'",
    "# {a}",
)


@pytest.mark.parametrize("name", NAMES)
def test_the_hub_reads_what_was_measured(made, name: str) -> None:
    text = model_card(
        made.card(), model=name, dataset="owner/toy", source=("Evidence", "https://example.org/a")
    )
    data = hub.ModelCard(text).data
    assert data.model_name == name
    first, *others = data.eval_results
    assert (first.dataset_type, first.dataset_name) == ("owner/toy", "Toy")
    assert (first.source_name, first.source_url) == ("Evidence", "https://example.org/a")
    # Official .7 in [.6, .8]; eight of ten scored, one of the eight unread.
    assert (first.metric_name, first.metric_value) == ("macro over category", 0.7)
    assert first.metric_args == {
        "low": 0.6, "high": 0.8, "confidence": 0.95, "interval": "bootstrap", "scored": 8, "planned": 10,
        "coverage": 0.8, "unread": 0.125, "gumption": __version__,
        "protocol_sha256": protocol_hash({"temperature": 0, "prompt": "Answer with a letter."}),
    }  # fmt: skip
    found = {one.metric_name: one.metric_value for one in others}
    # The dimension of which nothing was scored has no number, macro is the official one and stands once.
    assert found == {
        "micro": 0.75,
        "chance-adjusted (0 is guessing, 1 all right)": 0.5,
        "category: Depth": 0.8,
        "category: Count": 0.6667,
    }
    assert all(one.metric_args.keys() >= {"scored", "coverage", "low", "high"} for one in others)


def test_the_hub_writes_it_back_the_same(made) -> None:
    text = model_card(made.card(), source=("Evidence", "https://example.org"))
    index = loaded.safe_load(text.strip("-\n"))["model-index"]
    name, results = hub.repocard_data.model_index_to_eval_results(index)
    assert hub.repocard_data.eval_results_to_model_index(name, results) == index


def test_community_results_as_the_hub_reads_them(made) -> None:
    text = community_results(made.card(), "owner/toy", "default", source=("Evidence", "https://example.org"))
    (entry,) = hub.parse_eval_result_entries(loaded.safe_load(text))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("owner/toy", "default", 0.7)
    assert entry.source_url == "https://example.org"
    for said in ("0.6000 to 0.8000", "8 of 10 items", "coverage 0.8000", __version__, "protocol "):
        assert said in entry.notes


def test_nothing_scored_is_no_result(made) -> None:
    nothing = Interval(None, None, None, name="micro")
    total = made.slice("total", None, 0, 10)
    card = made.card(
        official=nothing, micro=nothing, macro=nothing, total=total, categories=(), dimensions=()
    )
    with pytest.raises(GumptionError, match="nothing was scored"):
        model_card(card)
    with pytest.raises(GumptionError, match="nothing was scored"):
        community_results(card, "a/b", "c")


def test_the_hash_is_of_the_protocol_and_not_of_the_model() -> None:
    protocol = {"suite": "abc", "epochs": 1}
    expected = hashlib.sha256(b'{"epochs":1,"suite":"abc"}').hexdigest()
    assert protocol_hash(protocol) == expected
    assert protocol_hash({"epochs": 1, "suite": "abc", "model": {"name": "x"}}) == expected
    assert protocol_hash({"suite": "abc", "epochs": 2}) != expected


def test_a_file_for_each_model_stays_in_the_folder(made, tmp_path: Path) -> None:
    names = ["openai/x", "openai:x", "../../etc", "OPENAI-X", "", "书"]
    files = write_model_cards([made.card()] * 6, tmp_path / "cards", names=names, benchmark=("a/b", "c"))
    assert len(set(map(str.lower, map(str, files)))) == 12
    assert all(file.parent == tmp_path / "cards" and file.is_file() for file in files)
    assert [hub.ModelCard.load(file).data.model_name for file in files if file.suffix == ".md"] == [
        *names[:4],
        "Model A",
        "书",
    ]


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(plain)
def test_pyyaml_reads_the_same_data(data) -> None:
    assert loaded.safe_load(yaml(data)) == data


@pytest.mark.parametrize("number", [1e-05, 1e16, 1.5e-7, -0.0, 5e-324, 1e300])
def test_small_and_large_numbers_stay_numbers(number: float) -> None:
    found = loaded.safe_load(yaml({"value": number}))["value"]
    assert isinstance(found, float) and found == number


def test_numbers_that_are_none_are_refused_and_half_a_pair_is_replaced() -> None:
    with pytest.raises(ValueError, match="nan"):
        yaml({"value": math.nan})
    assert loaded.safe_load(yaml("a\ud800b")) == "a\N{REPLACEMENT CHARACTER}b"
