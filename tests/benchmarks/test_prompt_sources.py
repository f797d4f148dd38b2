"""The authors' words read where they stand: YAML, JSON, Python and text, of this computer and of a site."""

from __future__ import annotations

import functools
import hashlib
import json
import string
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gumption.benchmarks import prompted, read_prompts
from gumption.benchmarks._prompt_python import python_constants
from gumption.benchmarks._prompt_tree import string_at
from gumption.benchmarks._prompt_yaml import yaml_tree
from gumption.cli import app
from gumption.records import Answer, GumptionError, Item, Text

# In the form of a task file of lmms-eval; the words are ours.
YAML = """\
dataset_path: owner/set
dataset_kwargs:
  token: False
test_split: test
process_docs: !function utils.process_docs
doc_to_visual: !function utils.to_visual
generation_kwargs: &decoding {max_new_tokens: 16, until: ["\\n\\n", stop]}
metric_list:
  - metric: score
    aggregation: !function utils.aggregate
  - !made {metric: other, note: 'Second.'}
lmms_eval_specific_kwargs:
  default: &usual
    pre_prompt: "Behold the frames.\\n"
    post_prompt: >-
      One number,
      please.
    empty: ""
    count: 7
    maybe: no
    gone:
  qwen2.5-vl:
    <<: *usual
    pre_prompt: 'It''s {"answer": {0}} %s'
  again: *usual
"""
PYTHON = '''\
"""Words."""
import os
from elsewhere import FAR
BASE: str = "Look" " twice"
SEP = "\\n"
POST = BASE + SEP + "and " + "say."
MADE = f"{BASE}!"
FAR_TOO = FAR + "x"
CALLED = "x".upper()
TIMES = "x" * 3
BASE += "!"
OPEN: str
TEMPLATES = {
    "default": {"pre": "Pre {Question}", 7: "seven", BASE: POST, FAR: "far"},
    "list": ["a", ("b", POST)],
}
CHANGED = {"a": "b"}
CHANGED["a"] = "c"
UPDATED = {"a": "b"}
UPDATED.update(a="c")
GUARDED = "x"
if os.environ.get("HARD"):
    GUARDED = "y"
class Bench(object):
    TMPL = "In class: " + SEP
    def ask(self):
        TEMPLATES = "\\\\d"
        return self.TMPL
def function():
    open("ran", "w")
open("ran", "w")
if __name__ == "__main__":
    POST = "not imported"
'''
JSON = {"prompts": [{"text": "First.\n"}, {"text": "Sécond {x}"}], "n": 3, "a.b": {"c": "dotted"}}
FILES = {
    "task.yaml": YAML.encode(),
    "_default_template_yaml": b"pre: words of a file without an ending\n",
    "prompts.py": PYTHON.encode(),
    "prompts.json": json.dumps(JSON).encode(),
    "words.txt": "﻿All of {this}\nfile.\n".encode(),
}
KWARGS = "task.yaml#lmms_eval_specific_kwargs"
WORDS = {
    f"{KWARGS}.default.pre_prompt": "Behold the frames.\n",
    f"{KWARGS}.default.post_prompt": "One number, please.",
    f"{KWARGS}.default.empty": "",
    f"{KWARGS}.qwen2.5-vl.pre_prompt": 'It\'s {"answer": {0}} %s',
    f"{KWARGS}.qwen2.5-vl.post_prompt": "One number, please.",
    f"{KWARGS}.again.post_prompt": "One number, please.",
    "task.yaml#generation_kwargs.until.1": "stop",
    "task.yaml#metric_list.1.note": "Second.",
    "_default_template_yaml#pre": "words of a file without an ending",
    "prompts.py#POST": "Look twice\nand say.",
    "prompts.py#BASE": "Look twice!",
    "prompts.py#TEMPLATES.default.pre": "Pre {Question}",
    "prompts.py#TEMPLATES.default.7": "seven",
    "prompts.py#TEMPLATES.default.Look twice!": "Look twice\nand say.",
    "prompts.py#TEMPLATES.list.1.0": "b",
    "prompts.py#Bench.TMPL": "In class: \n",
    "prompts.json#prompts.1.text": "Sécond {x}",
    "prompts.json#a.b.c": "dotted",
    "words.txt": "All of {this}\nfile.\n",
}
COMMIT = "0123456789abcdef0123456789abcdef01234567"
NUMBER = Item("1", "vsi-bench", (Text("How many?"),), Answer("number", gold=3))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUMPTION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return tmp_path / "cache"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def prompts(folder: Path, source: Any, template: str = "{pre}|{question}") -> Path:
    path = folder / "mine.json"
    path.write_text(json.dumps({"sources": {"pre": source}, "vsi-bench": {"number": template}}))
    return path


def template(folder: Path, source: Any, template: str = "{pre}|{question}") -> str:
    templates = read_prompts(prompts(folder, source, template)).templates
    assert templates is not None
    return templates["vsi-bench"]["number"]


@pytest.mark.parametrize("place", WORDS)
def test_words_are_what_the_file_has_under_the_key(folder: Path, place: str) -> None:
    assert template(folder, place) == f"{WORDS[place]}|{{question}}"


def test_nothing_of_a_python_file_is_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    template(folder, "prompts.py#POST")
    assert not (folder / "ran").exists() and "elsewhere" not in sys.modules


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (f"{KWARGS}.default.count", "'7' of the type int"),
        (f"{KWARGS}.default.maybe", "bool"),
        (f"{KWARGS}.default.gone", "null"),
        ("task.yaml#process_docs", "utils.process_docs.*!function"),
        (f"{KWARGS}.default", "a mapping"),
        ("task.yaml#metric_list", "a list"),
        ("task.yaml", "no key is named"),
        ("prompts.json#n", "no string but 3"),
        ("prompts.py#MADE", "f-string"),
        ("prompts.py#FAR_TOO", "no constant string"),
        ("prompts.py#CALLED", "makes when it runs"),
        ("prompts.py#TIMES", "makes when it runs"),
        ("prompts.py#CHANGED", "makes when it runs"),
        ("prompts.py#UPDATED", "makes when it runs"),
        ("prompts.py#GUARDED", "makes when it runs"),
        ("prompts.py#FAR", "makes when it runs"),
        ("prompts.py#function", "a function"),
        ("words.txt#key", "has no keys"),
        ("none.yaml#key", "cannot be read"),
    ],
)
def test_what_is_no_string_is_an_error_that_says_what_it_is(folder: Path, place: str, says: str) -> None:
    with pytest.raises(GumptionError, match=says) as error:
        read_prompts(prompts(folder, place))
    assert error.value.remedy and place.partition("#")[0] in error.value.where


@pytest.mark.parametrize(
    ("place", "key", "under", "there"),
    [
        (f"{KWARGS}.default.pre", "pre", "lmms_eval_specific_kwargs.default", "'pre_prompt', 'post_prompt'"),
        ("task.yaml#x.y", "x.y", "", "'dataset_path'"),
        ("task.yaml#metric_list.2.note", "2.note", "metric_list", "0 to 1"),
        ("prompts.json#prompts.first", "first", "prompts", "0 to 1"),
        ("prompts.py#TEMPLATES.default.post", "post", "TEMPLATES.default", "'pre', '7', 'Look twice!'"),
        ("prompts.py#OPEN", "OPEN", "", "'BASE'"),
        ("prompts.json#n.x", "x", "n", "another key"),
    ],
)
def test_an_unknown_key_says_which_there_are(
    folder: Path, place: str, key: str, under: str, there: str
) -> None:
    with pytest.raises(GumptionError) as error:
        read_prompts(prompts(folder, place))
    assert error.value.problem == f"no key {key!r}" + (f" under {under!r}" if under else "")
    assert there in error.value.remedy and error.value.where == place


# ── their braces and ours ────────────────────────────────────────────────────────────────────────────


def test_braces_of_the_authors_stay_as_they_are(folder: Path) -> None:
    (folder / "words.txt").write_text('{x} {0.__class__} {{a}} {pre} {post} {"answer": 1}\n')
    asked = prompted_with(folder, "words.txt", "{pre}{question}")
    assert asked == '{x} {0.__class__} {{a}} {pre} {post} {"answer": 1}\n' + "How many?"


def prompted_with(folder: Path, source: Any, written: str) -> str:
    (item,) = read_prompts(prompts(folder, source, written)).applied([NUMBER])
    return "".join(part.text for part in prompted(item).parts if isinstance(part, Text))


def test_placeholders_of_the_authors_are_filled_where_fill_says_so(folder: Path) -> None:
    (folder / "words.txt").write_text('Q: {Question} Reply {{"answer": N}} as {fmt}, {fmt}.')
    fill = {"{Question}": "{question}", "{{": "{", "}}": "}", "{fmt}": "JSON"}
    source = {"from": "words.txt", "fill": fill}
    assert prompted_with(folder, source, "{pre}") == 'Q: How many? Reply {"answer": N} as JSON, JSON.'
    # The longest of theirs first, whatever the order in the file.
    source = {"from": "words.txt", "fill": {"{": "<", "{{": "{", "{Question}": "{question}"}}
    assert prompted_with(folder, source, "{pre}") == 'Q: How many? Reply {"answer": N}} as <fmt}, <fmt}.'


@pytest.mark.parametrize(
    ("words", "fill", "written"),
    [
        ("Q: {question}", {}, "{pre} {question}"),
        ("{options}", {}, "{pre}{question}"),
        ("{{letters}}", {"{{": "{", "}}": "}"}, "{pre}{question}"),
        ("{", {}, "{pre}options} {question}"),
    ],
)
def test_what_looks_like_a_field_of_ours_is_never_taken_for_one(
    folder: Path, words: str, fill: dict[str, str], written: str
) -> None:
    (folder / "words.txt").write_text(words)
    with pytest.raises(GumptionError, match="authors' words have") as error:
        read_prompts(prompts(folder, {"from": "words.txt", "fill": fill}, written))
    assert '"fill"' in error.value.remedy


@given(words=st.text(st.sampled_from('{}questionpre"%\n é'), max_size=60))
@settings(max_examples=60)
def test_words_come_through_unchanged(tmp_path_factory: pytest.TempPathFactory, words: str) -> None:
    folder = tmp_path_factory.mktemp("words")
    (folder / "words.json").write_text(json.dumps({"a": words}))
    if "{question}" not in words and "{options}" not in words:
        assert template(folder, "words.json#a", "{question} {pre}") == f"{{question}} {words}"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"sources": {"pre": "w.txt"}, "*": {"*": "{question}"}}, "no template shows the source pre"),
        ({"sources": {"question": "w.txt"}, "*": {"*": "{question}"}}, "cannot be called 'question'"),
        ({"sources": {"a b": "w.txt"}, "*": {"*": "{a b}{question}"}}, "cannot be called"),
        ({"sources": {"pre": {"file": "w.txt"}}, "*": {"*": "{pre}{question}"}}, "no file of prompts"),
        ({"sources": {"pre": 1}, "*": {"*": "{pre}{question}"}}, "no file of prompts"),
        (
            {"sources": {"pre": {"from": "w.txt", "fill": {"%s": "x"}}}, "*": {"*": "{pre}{question}"}},
            "'%s' of fill",
        ),
        (
            {"sources": {"pre": {"from": "w.txt", "fill": {"": "x"}}}, "*": {"*": "{pre}{question}"}},
            "of fill",
        ),
        ({"sources": {"pre": "w.txt"}, "*": {"*": "{pre}"}}, "has not {question} once"),
        ({"sources": {"pre": "w\0.txt"}, "*": {"*": "{pre}{question}"}}, "cannot be read"),
        (
            {"sources": {"pre": "w.txt#" + "a." * 2_000}, "*": {"*": "{pre}{question}"}},
            "over 2,000 characters",
        ),
        ({"sources": {f"s{n}": "w.txt" for n in range(65)}}, "over 64 sources"),
    ],
)
def test_a_file_of_prompts_with_wrong_sources_is_refused(tmp_path: Path, content: Any, says: str) -> None:
    (tmp_path / "w.txt").write_text("words")
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(content))
    with pytest.raises(GumptionError, match=says) as error:
        read_prompts(path)
    assert error.value.remedy


# ── what a run says of them ──────────────────────────────────────────────────────────────────────────


def test_the_prompt_is_named_after_file_sources_keys_and_hashes(folder: Path) -> None:
    path = folder / "mine.json"
    sources = {"pre": f"{KWARGS}.default.pre_prompt", "post": "prompts.py#POST"}
    path.write_text(json.dumps({"sources": sources, "vsi-bench": {"number": "{pre}\n{question}\n{post}"}}))
    asking = read_prompts(path)
    told = {name: hashlib.sha256(FILES[name]).hexdigest() for name in ("task.yaml", "prompts.py")}
    assert asking.name == (
        f"prompts of a file, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}; "
        f"pre from {KWARGS}.default.pre_prompt (SHA-256 {told['task.yaml']}); "
        f"post from prompts.py#POST (SHA-256 {told['prompts.py']})"
    )
    (item,) = asking.applied([NUMBER])
    shown = "".join(part.text for part in prompted(item).parts if isinstance(part, Text))
    assert shown == "Behold the frames.\n\nHow many?\nLook twice\nand say."
    (folder / "prompts.py").write_text(PYTHON + "# changed\n")
    assert read_prompts(path).name != asking.name


class Site(NamedTuple):
    """A site on this machine that serves a folder, and the paths it was asked for."""

    folder: Path
    address: str
    asked: list[str]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            asked.append(self.path)

    folder = tmp_path / "site" / COMMIT
    folder.mkdir(parents=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder.parent)))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield Site(folder, f"http://127.0.0.1:{server.server_port}/{COMMIT}", asked)
    server.shutdown()
    server.server_close()
    thread.join()


def test_sources_of_a_site_are_fetched_once_and_stand_on_the_scorecard(tmp_path: Path, site: Site) -> None:
    quiz = tmp_path / "quiz.jsonl"
    quiz.write_text('{"id": "1", "question": "Is it?", "answer": "yes"}\n')
    for name, data in FILES.items():
        (site.folder / name).write_bytes(data)
    path = tmp_path / "mine.json"
    keys = {"pre": f"{KWARGS}.default.pre_prompt", "post": "prompts.py#POST", "all": "words.txt"}
    sources = {name: f"{site.address}/{key}" for name, key in keys.items()}
    path.write_text(json.dumps({"sources": sources, "*": {"*": "{pre}\n{question}\n{post}{all}"}}))
    for out in ("run", "again"):
        arguments = ["run", str(quiz), "--model", "baseline/oracle", "--prompts", str(path)]
        done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / out)])
        assert done.exit_code == 0, done.output
    files = ("task.yaml", "prompts.py", "words.txt")
    assert site.asked == [f"/{COMMIT}/{name}" for name in files]
    prompt = json.loads((tmp_path / "run" / "run.json").read_bytes())["protocol"]["prompt"]
    for place, name in zip(sources.values(), files, strict=True):
        told = f"{place} (SHA-256 {hashlib.sha256(FILES[name]).hexdigest()})"
        assert told in prompt
        assert "".join(told.split()) in "".join(done.output.split())  # the card wraps it


def test_a_source_that_cannot_be_had_says_what_to_get_and_where_to_put_it(
    tmp_path: Path, site: Site, cache: Path
) -> None:
    place = f"{site.address}/task.yaml"
    with pytest.raises(GumptionError, match="404") as error:
        read_prompts(prompts(tmp_path, f"{place}#a"))
    assert error.value.where == place and str(cache) in error.value.remedy
    with pytest.raises(GumptionError, match="names no commit"):
        read_prompts(prompts(tmp_path, "https://github.com/o/r/blob/main/t.yaml#a"))


def test_a_source_of_over_four_mebibytes_is_refused(tmp_path: Path, site: Site) -> None:
    for folder, place in ((tmp_path, "words.txt"), (site.folder, f"{site.address}/words.txt")):
        (folder / "words.txt").write_bytes(b"a" * (4 * 2**20 + 1))
        with pytest.raises(GumptionError, match="over 4 MiB"):
            read_prompts(prompts(tmp_path, place))


def test_a_fetched_file_of_prompts_reads_no_file_of_this_computer(folder: Path, site: Site) -> None:
    mine = prompts(folder, str(folder / "words.txt"))
    assert read_prompts(mine).quoted
    (site.folder / "mine.json").write_bytes(mine.read_bytes())
    with pytest.raises(GumptionError, match="of this computer"):
        read_prompts(f"{site.address}/mine.json")


# ── hostile files ────────────────────────────────────────────────────────────────────────────────────

LAUGHS = "a0: &a0 [ha]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))


def test_aliases_are_never_unfolded() -> None:
    assert string_at(yaml_tree(LAUGHS), "a11" + ".8" * 11 + ".0") == "ha"  # 9 ** 11 strings, were they copies


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("&a [" + "*a, " * 9 + "]", "no anchor 'a' before"),
        ("a: &a x\nb: [" + "*a, " * 101 + "]", "over 100 aliases"),
        (
            "k: &k\n"
            + "".join(f" k{n}: 1\n" for n in range(2_000))
            + "a: {<<: *k}\n"
            + "".join(f"b{n}: {{<<: *k}}\n" for n in range(60)),
            "merges of over",
        ),
        ("- " * 65 + "x", "64 deep"),
        ("[" * 100_000, "deep|nesting"),
        ("a: [", "no YAML"),
        ('"\\UFFFFFFFF"', "no YAML"),
        ("a: b: c", "no YAML"),
    ],
)
def test_a_hostile_yaml_file_is_refused(text: str, says: str) -> None:
    with pytest.raises(GumptionError, match=says) as error:
        yaml_tree(text)
    assert error.value.remedy


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A = 'xxxxxxxx'\n" + "A = A + A\n" * 40, "without end"),
        ("A = " + "[" * 70 + "]" * 70, "64 deep"),
        ("A = " + "(" * 5_000, "no Python"),
        ("A = " + "-" * 100_000 + "1", "too deeply"),
        ("A" + "[0]" * 100_000 + " = 1", "too deeply"),
        ("A = " + " + ".join(["'x'"] * 60_000), "too deeply"),
        ("x = 1\n" * 2**17, "512 KiB"),
        ("print 'two'", "no Python"),
        ("A = 'x'\0", "no Python"),
    ],
)
def test_a_hostile_python_file_is_refused(text: str, says: str) -> None:
    with pytest.raises(GumptionError, match=says) as error:
        python_constants(text)
    assert error.value.remedy


@pytest.mark.parametrize("text", ["[" * 100_000, "{", '{"a": NaN}', ""])
def test_a_hostile_json_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(GumptionError, match="no JSON"):
        read_prompts(prompts(tmp_path, "a.json#a"))


@pytest.mark.parametrize("data", [b"\xff\xfe", b'{"a": "\\ud800"}', b'{"a": "\\u0000"}'])
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.json").write_bytes(data)
    with pytest.raises(GumptionError, match=r"not (UTF-8 )?text|no JSON"):
        read_prompts(prompts(tmp_path, "a.json#a"))


def test_words_that_are_put_in_too_often_are_refused(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("w" * 2**20)
    with pytest.raises(GumptionError, match="the authors' words make over"):
        read_prompts(prompts(tmp_path, "w.txt", "{pre}" * 5 + "{question}"))
    with pytest.raises(GumptionError, match="fill makes over"):
        read_prompts(prompts(tmp_path, {"from": "w.txt", "fill": {"w": "x" * 5}}))


def test_without_pyyaml_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(GumptionError, match="needs PyYAML") as error:
        yaml_tree("a: b")
    assert "pip install pyyaml" in error.value.remedy


# ── other programs as references ─────────────────────────────────────────────────────────────────────

KEYS = st.text(string.ascii_letters, min_size=1, max_size=5)
TREES = st.recursive(
    st.text(string.printable + "é日", max_size=12),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3) | st.dictionaries(KEYS, inner, min_size=1, max_size=3)
    ),
    max_leaves=12,
)


@given(
    tree=st.dictionaries(KEYS, TREES, min_size=1, max_size=4), style=st.sampled_from([None, '"', "'", "|"])
)
@settings(max_examples=80)
def test_yaml_is_what_pyyaml_makes_of_it(tree: dict[str, Any], style: str | None) -> None:
    text = yaml.safe_dump(tree, default_style=style, allow_unicode=True)
    assert yaml_tree(text) == yaml.safe_load(text)


@pytest.mark.parametrize("slow", [False, True])
def test_both_of_pyyamls_parsers_give_the_same(monkeypatch: pytest.MonkeyPatch, slow: bool) -> None:
    if slow:
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    kwargs = yaml_tree(YAML)["lmms_eval_specific_kwargs"]
    assert kwargs["again"] is kwargs["default"]
    assert kwargs["qwen2.5-vl"]["post_prompt"] == "One number, please."


@given(tree=st.dictionaries(KEYS, TREES, min_size=1, max_size=4))
@settings(max_examples=80)
def test_python_literals_are_what_python_makes_of_them(tree: dict[str, Any]) -> None:
    assert python_constants(f"WORDS = {tree!r}\n") == {"WORDS": tree}
