"""The report folder: bounded, escaped, complete, and safe to write over an earlier one."""

from __future__ import annotations

import hashlib
import io
import json
import re
from pathlib import Path

import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.records import GumptionError, Image, Reply, Text, Video
from gumption.reporting import write_site
from gumption.reporting._evidence import OUTCOMES, flags, value
from gumption.reporting._pages import clip, encode

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\u2028\u2029]]>"


def rows_of(out: Path, name: str) -> list:
    """The rows of one page, read as the browser reads them: one call with JSON inside."""
    call = re.fullmatch(
        r'gumption\("(.+?)", (\d+), (\[.*\])\);\n', (out / "data" / name).read_text("utf-8"), re.DOTALL
    )
    assert name in (f"{call[1]}-{call[2]}.js", f"{call[1]}.js")
    return json.loads(call[3])


def all_rows(out: Path, kind: str, pages: int) -> list:
    return [row for page in range(pages) for row in rows_of(out, f"{kind}-{page}.js")]


def read(out: Path) -> tuple[dict, list, list, list[list]]:
    """Manifest, index, questions, and for each run its evidence, found by the first rows of the pages."""
    [manifest] = rows_of(out, "runs.js")
    found = []
    for kind, starts in [("items", manifest["starts"]["items"]), *enumerate(manifest["starts"]["runs"])]:
        pages = [rows_of(out, f"{kind}-{page}.js") for page in range(len(starts))]
        assert starts == [sum(map(len, pages[:page])) for page in range(len(pages))]
        found.append([row for page in pages for row in page])
    return manifest, all_rows(out, "index", manifest["pages"]["index"]), found[0], found[1:]


def files(out: Path) -> list[Path]:
    return [path for path in out.rglob("*") if path.is_file()]


def opened(path: Path) -> PIL.Image.Image:
    return PIL.Image.open(io.BytesIO(path.read_bytes()))


@given(st.text())
def test_encoded_text_cannot_end_a_script_and_comes_back_unchanged(text):
    encoded = encode([text])
    assert not set("<>&\u2028\u2029") & set(encoded.decode())
    assert json.loads(encoded) == [text]


@given(st.text(), st.integers(0, 40))
def test_a_cut_text_is_a_beginning_of_at_most_so_many_bytes_and_says_its_length(text, limit):
    size = len(text.encode())
    cut = clip(text, limit)
    if size <= limit:
        assert cut == text
    else:
        assert cut["bytes"] == size
        assert text.startswith(cut["shown"])
        assert limit - 3 <= len(cut["shown"].encode()) <= limit


@pytest.mark.parametrize(
    ("worth", "status", "outcome", "expected"),
    [
        (1.0, "ok", "answered", {"right"}),
        (0.5, "ok", "answered", {"partly"}),
        (0.0, "ok", "answered", {"wrong"}),
        (0.0, "ok", "unanswered", {"unread"}),
        (0.0, "ok", "ambiguous", {"ambiguous"}),
        (0.0, "ok", "refused", {"refused"}),
        (0.0, "refused", "refused", {"refused"}),
        (1.0, "truncated", "answered", {"right", "truncated"}),
        (0.0, "truncated", "unanswered", {"unread", "truncated"}),
        (None, "infra_error", "", {"failed"}),
        (None, "diverged", "", {"diverged"}),
        (None, "unscored", "answered", {"unscored"}),
    ],
)
def test_what_became_of_a_request_is_never_what_the_answer_was_worth(worth, status, outcome, expected):
    bits = flags([{"value": worth, "status": status, "outcome": outcome}], answered=True)
    assert {name for place, name in enumerate(OUTCOMES) if bits & 1 << place} == expected


def test_epochs_are_averaged_over_those_with_a_value():
    assert value([{"value": 1.0}, {"value": 0.0}, {"value": None}, {"value": 0.0}]) == pytest.approx(1 / 3)
    assert value([{"value": None}]) is None


def test_hostile_text_is_escaped_everywhere_and_kept_whole(made, tmp_path):
    item = made.item(0, category=HOSTILE, parts=(Text(HOSTILE),), dimension=HOSTILE)
    run = made.run(
        [item],
        [made.scored(item, 0.0, rule=HOSTILE, answer=json.dumps(HOSTILE), errors=(HOSTILE,))],
        [Reply(item.id, text=HOSTILE, reasoning=HOSTILE, error=HOSTILE)],
        name=HOSTILE,
        card=made.card(HOSTILE, notes=(HOSTILE,), protocol={HOSTILE: HOSTILE}),
    )
    out = write_site([run], tmp_path / "report", title=HOSTILE).parent
    for path in (out / "data").iterdir():
        raw = path.read_bytes()
        assert not re.search("[<>&\u2028\u2029]".encode(), raw) and b"\xe2\x80\xa8" not in raw
    manifest, index, [question], [[evidence]] = read(out)
    assert manifest["title"] == manifest["runs"][0] == index[0][2] == HOSTILE
    assert question["parts"] == [{"text": HOSTILE}]
    assert evidence["replies"][0]["text"] == evidence["scores"][0]["rule"] == HOSTILE


def test_every_item_of_every_run_is_found_with_its_evidence(made, tmp_path):
    items = [made.item(number, category=f"c{number % 3}") for number in range(700)]
    texts = {item.id: f"reply {item.id} " + "x" * (number % 97) * 40 for number, item in enumerate(items)}
    first = made.run(
        items,
        [made.scored(item, float(number % 2)) for number, item in enumerate(items)],
        [Reply(item.id, text=texts[item.id]) for item in reversed(items)],
    )
    second = made.run(items[350:], [made.scored(item, 1.0) for item in items[350:]], name="Model B")
    steps = []
    out = write_site([first, second], tmp_path / "r", progress=lambda *step: steps.append(step)).parent
    manifest, index, questions, (of_first, of_second) = read(out)
    assert [row[0] for row in index] == [item.id for item in items]
    assert manifest["items"] == len(questions) == len(of_first) == len(of_second) == 700
    assert len(manifest["starts"]["runs"][0]) > 1, "the case must need several pages"
    assert [row["replies"][0]["text"] for row in of_first] == [texts[item.id] for item in items]
    assert of_second[:350] == [None] * 350, "not asked in the second run"
    assert index[349][4:] == [[1, 0], [1.0, None]], "right in the first run, not asked in the second"
    assert [row["scores"][0]["value"] for row in of_second[350:]] == [1.0] * 350
    assert steps == [(1, 3), (2, 3), (3, 3)], "the runs, and the board that sets them side by side"


def test_no_file_is_over_two_megabytes_and_a_cut_reply_says_its_length(made, tmp_path):
    item, chatty = made.item(0, parts=(Text("<" * 3_000_000),)), made.item(1)
    long = "<&\u2028é" * 500_000
    run = made.run(
        [item, chatty],
        [made.scored(item, 0.0), made.scored(chatty, 0.0)],
        [Reply(item.id, text=long)]
        + [Reply(chatty.id, call=f"call/{number}", text="<" * 20_000) for number in range(450)],
    )
    out = write_site([run], tmp_path / "r").parent
    assert max(path.stat().st_size for path in files(out)) < 2_000_000
    _, _, questions, [[of_item, of_chatty]] = read(out)
    assert questions[0]["parts"][0]["text"]["bytes"] == 3_000_000
    cut = of_item["replies"][0]["text"]
    assert cut["bytes"] == len(long.encode())
    assert 99_997 <= len(cut["shown"].encode()) <= 100_000
    assert long.startswith(cut["shown"])
    assert len(of_chatty["replies"]) + of_chatty["more"] == 450
    assert all(reply["text"]["bytes"] == 20_000 for reply in of_chatty["replies"])


def test_a_row_that_cannot_be_made_to_fit_is_refused(made, tmp_path):
    item = made.item(0, parts=(Text("look"),) * 200_000)
    with pytest.raises(GumptionError, match="in one row") as refused:
        write_site([made.run([item], [])], tmp_path / "r")
    assert refused.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_each_picture_is_stored_once_and_small(made, tmp_path):
    (red, red_bytes), (blue, _), (small, small_bytes) = (
        made.picture((255, 0, 0)), made.picture((0, 0, 255)), made.picture((0, 9, 0), (40, 20)),
    )  # fmt: skip
    broken = "0" * 64
    items = [
        made.item(0, parts=(Image(red, width=960, height=720), Text("and"), Image(red))),
        made.item(1, parts=(Image(small), Image(red), Image(blue), Image(broken), Video("f" * 64))),
    ]
    media = {red: red_bytes, small: small_bytes, broken: b"\x89PNG\r\n\x1a\n but no picture"}
    out = write_site(
        [made.run(items, [], pictures=media), made.run(items, [], name="B")], tmp_path / "r"
    ).parent
    assert sorted(path.name for path in (out / "thumbs").iterdir()) == sorted([f"{red}.jpg", f"{small}.jpg"])
    assert opened(out / "thumbs" / f"{red}.jpg").size == (480, 360)
    assert opened(out / "thumbs" / f"{small}.jpg").size == (40, 20), "never enlarged"
    _, _, (first, second), _ = read(out)
    assert [part.get("image", {}).get("file") for part in first["parts"]] == [
        f"{red}.jpg",
        None,
        f"{red}.jpg",
    ]
    missing = [part["image"].get("missing", "") for part in second["parts"][:4]]
    assert missing[:3] == ["", "", "picture not stored with this run"]
    assert missing[3].startswith("picture unreadable")


def test_transparent_and_deep_pictures(made, tmp_path):
    media = {}
    for mode, colour in (("RGBA", (255, 0, 0, 0)), ("I;16", 40_000), ("P", 3), ("L", 7)):
        buffer = io.BytesIO()
        PIL.Image.new(mode, (900, 600), colour).save(buffer, "PNG")
        media[hashlib.sha256(buffer.getvalue()).hexdigest()] = buffer.getvalue()
    item = made.item(0, parts=tuple(map(Image, media)))
    out = write_site([made.run([item], [], pictures=media)], tmp_path / "r").parent
    modes = sorted(opened(path).mode for path in (out / "thumbs").iterdir())
    assert modes == ["RGB", "RGB", "RGB", "RGBA"]


def test_a_problem_with_pictures_is_told_where_pictures_are_missing(made, tmp_path):
    sha256, data = made.picture((7, 7, 7))
    drawn, plain = made.item(0, parts=(Image(sha256),)), made.item(0)

    def problems(name: str, *runs) -> list[str]:
        [manifest] = rows_of(write_site(runs, tmp_path / name).parent, "runs.js")
        return manifest["media_problems"]

    lost = [made.run([drawn], [], name=name, media_problem="gone") for name in "AB"]
    whole = made.run([drawn], [], pictures={sha256: data}, name="C")
    assert problems("lost", *lost) == ["gone"], "once"
    assert problems("whole", whole) == []
    assert problems("shared", *lost, whole) == [], "another run has the picture"
    assert problems("plain", made.run([plain], [], media_problem="gone")) == [], "there is no picture"


def test_a_picture_cannot_name_a_file_elsewhere(made, tmp_path):
    item = made.item(0, parts=(Image("../../escape"),))
    with pytest.raises(GumptionError, match="SHA-256"):
        write_site(
            [made.run([item], [], pictures={"../../escape": made.picture((1, 1, 1))[1]})], tmp_path / "r"
        )
    assert list(tmp_path.iterdir()) == []


def test_a_run_in_which_nothing_was_scored(made, tmp_path):
    items = [made.item(number) for number in range(3)]
    run = made.run(
        items,
        [made.scored(item, None, status="infra_error", outcome="") for item in items],
        [Reply(item.id, status="infra_error", error="HTTP 500") for item in items],
        card=made.card(total=made.slice("total", None, 0, 3)),
    )
    out = write_site([run], tmp_path / "r").parent
    _, index, _, [evidence] = read(out)
    assert [row[5] for row in index] == [[None]] * 3
    assert {OUTCOMES[place] for row in index for place in range(10) if row[4][0] & 1 << place} == {"failed"}
    assert evidence[0]["replies"][0]["error"] == "HTTP 500"


def test_a_run_that_asked_otherwise_shows_its_own_question(made, tmp_path):
    item = made.item(0)
    other = made.item(0, parts=(Text("Think step by step. Which is nearer?"),))
    runs = [
        made.run([asked], [made.scored(asked, 1.0)], name=name) for asked, name in ((item, "A"), (other, "B"))
    ]
    _, _, _, ([first], [second]) = read(write_site(runs, tmp_path / "r").parent)
    assert "asked" not in first
    assert second["asked"]["parts"] == [{"text": "Think step by step. Which is nearer?"}]


@pytest.mark.parametrize("stray", ["score", "reply"])
def test_evidence_without_its_item_is_refused(made, tmp_path, stray):
    item, other = made.item(0), made.item(1)
    run = made.run(
        [item],
        [made.scored(other, 1.0)] if stray == "score" else [],
        [Reply(other.id)] if stray == "reply" else [],
    )
    with pytest.raises(GumptionError, match="item-0001"):
        write_site([run], tmp_path / "r")


def test_no_run_is_refused(tmp_path):
    with pytest.raises(GumptionError, match="no run"):
        write_site([], tmp_path / "r")


def test_the_same_runs_give_the_same_bytes(made, tmp_path):
    sha256, data = made.picture((3, 2, 1))
    item = made.item(0, parts=(Image(sha256),))
    outs = [
        write_site(
            [made.run([item], [made.scored(item, 1.0)], pictures={sha256: data})], tmp_path / name
        ).parent
        for name in "ab"
    ]
    contents = [{path.relative_to(out): path.read_bytes() for path in files(out)} for out in outs]
    assert contents[0] == contents[1]


def test_an_earlier_report_is_replaced_whole(made, tmp_path):
    many, one = [made.item(number) for number in range(2000)], [made.item(0)]
    out = tmp_path / "r"
    write_site([made.run(many, [], [Reply(item.id, text="x" * 400) for item in many])], out)
    assert (out / "data" / "0-1.js").exists()
    assert write_site([made.run(one, [])], out) == out / "index.html"
    assert not (out / "data" / "0-1.js").exists(), "nothing of the earlier report is left"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_folder_that_is_not_a_report_is_left_alone(made, tmp_path):
    run = made.run([made.item(0)], [])
    thesis = tmp_path / "thesis"
    thesis.mkdir()
    (thesis / "index.html").write_text("<title>mine</title>")
    with pytest.raises(GumptionError, match="not a report"):
        write_site([run], thesis)
    assert (thesis / "index.html").read_text() == "<title>mine</title>"

    kept = write_site([run], tmp_path / "r").parent
    (kept / "my notes.md").write_text("keep me")
    with pytest.raises(GumptionError, match="my notes"):
        write_site([run], kept)
    assert (kept / "my notes.md").read_text() == "keep me"

    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(GumptionError, match="not a folder"):
        write_site([run], file)

    (tmp_path / "empty").mkdir()
    assert write_site([run], tmp_path / "empty").exists()


def test_a_report_that_breaks_off_leaves_the_earlier_one(made, tmp_path):
    item = made.item(0)
    out = write_site([made.run([item], [], [Reply(item.id, text="earlier")])], tmp_path / "r").parent
    before = {path: path.read_bytes() for path in files(out)}

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_site([made.run([item], [], [Reply(item.id, text="later")])], out, progress=stop)
    assert {path: path.read_bytes() for path in files(out)} == before
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_the_pages_need_no_network_and_never_parse_data_as_markup(made, tmp_path):
    out = write_site([made.run([made.item(0)], [])], tmp_path / "r").parent
    pages = "".join(path.read_text() for path in out.iterdir() if path.suffix in (".html", ".js", ".css"))
    assert set(re.findall(r"https?://[^\"' ]+", pages)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|fetch\(|XMLHttp", pages
    )
    assert "default-src 'none'" in (out / "index.html").read_text()
