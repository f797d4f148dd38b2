"""RoboVQA: what a robot or a person did, should do next, or could do, about clips of long household tasks.

Sermanet et al., "RoboVQA: Multimodal Long-Horizon Reasoning for Robotics", 2023. The rule in use is that of
`XiaomiMiMo/MiMo-Embodied` (lmms_eval/tasks/robovqa): mean of BLEU-1 to BLEU-4 against the published answer,
without smoothing. The copy of the data is the one that it names.

    gumption run robovqa                8 frames of each clip
    gumption run robovqa:frames=16
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from gumption.answers import score
from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._bleu import mean_bleu
from gumption.benchmarks._clips import Showing
from gumption.benchmarks._hub import Row, Shelf, Source, fetch, provenance, rows
from gumption.benchmarks._hub.columns import converted
from gumption.benchmarks._hub.source import matching
from gumption.benchmarks.benchmark import Benchmark
from gumption.lines import decode, read_lines
from gumption.records import Aggregate, Answer, GumptionError, Item, Reading, Reply
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

_QUESTIONS = "*val/*.json"
SOURCE = Source(repo="Tianli/robovqa", files=(_QUESTIONS, "*.mp4"), licence="CC-BY-4.0 (software Apache-2.0)")
_COLUMNS = {"video": "text", "text": "text"}
_USUAL_FRAMES = 8
_TAG = re.compile(r"</?[\w:]+>")
_TASK = re.compile(r"<task:([\w:]+)>")
_ANSWER = re.compile(r"<PRED>A:", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^>]+>")
_WORD = re.compile(r"\w+")
_SHORT = {
    "immediate next step": "What is the next step?",
    "next 5 step": "What are the next five steps?",
    "satisfied": "Is that done?",
    "possible right now": "Is that possible right now?",
}
"""Questions are published in short; in full words, ours."""


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    showing = Showing.told("robovqa", told, _USUAL_FRAMES)
    folder = fetch(SOURCE, data)
    shelf = Shelf(folder)
    clips = {Path(name).name: name for name in matching(folder, ("*.mp4",))}
    items = []
    for number, row in enumerate(_rows(folder)):
        try:
            items.append(_item(row, number, showing, shelf, clips))
        except GumptionError as error:
            raise GumptionError(error.problem, where=error.where or row.where, remedy=error.remedy) from error
    return Suite(
        name=f"robovqa:{showing.protocol}".rstrip(":"),
        version="val",
        items=tuple(items),
        media=shelf.media(),
        provenance={**provenance(SOURCE, folder), "split": "val"},
        licences={"robovqa": SOURCE.licence},
    )


def _rows(folder: Path) -> Iterator[Row]:
    """The rows of all files; they are JSON lines, whatever their ending says, or a list in some copies."""
    for name in matching(folder, (_QUESTIONS,)):
        path = folder / name
        with path.open("rb") as stream:
            is_list = stream.read(64).lstrip().startswith(b"[")
        yield from rows(folder, name, _COLUMNS) if is_list else _lines(path)


def _lines(path: Path) -> Iterator[Row]:
    for number, line in read_lines(path):
        where = f"{path}, row {number}"
        try:
            values = msgspec.json.decode(decode(line), type=dict[str, object])
            yield Row(converted(values, _COLUMNS, path.parent), where)
        except (msgspec.MsgspecError, RecursionError, GumptionError) as error:
            raise GumptionError(str(error), where=where, remedy="fetch the file again") from error


def _item(row: Row, number: int, showing: Showing, shelf: Shelf, clips: Mapping[str, str]) -> Item:
    before, mark, after = _parted(row["text"])
    gold = _plain(after.partition("</PRED>")[0])
    if not mark or not gold:
        raise GumptionError("no answer is marked in the text", remedy="fetch the data again")
    if row["video"] not in clips:
        raise GumptionError(f"no clip {row['video']!r}", where=row.where, remedy="fetch the clips too")
    task = _TASK.search(before)
    return Item(
        id=f"robovqa/{number}",
        benchmark="robovqa",
        parts=(*showing.parts(shelf, clips[row["video"]]), showing.words(_question(_plain(before)))),
        answer=Answer("yes_no", gold=gold.lower())
        if gold.lower() in {"yes", "no"}
        else Answer("text", gold=gold),
        cluster=row["video"],
        category=task[1] if task else "",
        meta={**showing.meta, "protocol": showing.protocol},
    )


def _parted(text: str) -> tuple[str, str, str]:
    """What stands before the first answer, its mark, and what stands after."""
    mark = _ANSWER.search(text)
    return (text[: mark.start()], mark[0], text[mark.end() :]) if mark else (text, "", "")


def _plain(text: str) -> str:
    """Without tags, blanks made one."""
    return " ".join(_TAG.sub("", text).split())


def _question(published: str) -> str:
    """What was to be done, and the question in full."""
    task, _, asked = published.rpartition("Q:")
    full = _SHORT.get(asked.strip(" ?.").removesuffix("s"), asked.strip())
    return f"{task.strip(' .')}. {full}" if task.strip(" .") else full


def official(reply: str, item: Item) -> float:
    """Mean of BLEU-1 to BLEU-4 in small letters, of the reply without reasoning and tags.

    Where the answer is yes or no, every word that has "yes" or "no" in it becomes that, so "know" is a no.
    """
    text = reply[reply.rfind("</think>") + len("</think>") :] if "</think>" in reply else reply
    end = text.rfind(">") + 1  # behind it no tag is closed, and looking for one would take long
    text = re.sub(r"\n+", " ", _ANY_TAG.sub("", text[:end]) + text[end:]).strip().lower()
    gold = str(item.answer.gold).lower()
    if gold in {"yes", "no"}:
        text = _WORD.sub(_yes_or_no, text)
    return mean_bleu(text, gold)


def _yes_or_no(word: re.Match[str]) -> str:
    return next((said for said in ("yes", "no") if said in word[0]), word[0])


def _honest(_: Reply, item: Item, reading: Reading) -> float:
    """Our reading: yes or no as such, else the same BLEU of the answer that was read."""
    if item.answer.kind == "yes_no":
        return score(item.answer, reading).value or 0.0
    return mean_bleu(" ".join(reading.value.lower().split()), str(item.answer.gold).lower())


BENCHMARK = Benchmark(
    name="robovqa",
    title="RoboVQA (val)",
    homepage="https://robovqa.github.io",
    licence=SOURCE.licence,
    rule="mean of BLEU-1 to BLEU-4 without smoothing, weights fitted to short answers; mean over all items",
    official=Aggregate("mean over the items, BLEU", part=OFFICIAL),
    further=(
        Aggregate("mean over the items, our reading"),
        Aggregate("macro over the tasks, BLEU", by="category", part=OFFICIAL),
    ),
    load=_load,
    configure=_configured,
    episode=beside(official, honest=_honest),
    source=SOURCE,
    n="val, about 1,893 (not checked)",
    formula="mean of (BLEU-1 + BLEU-2 + BLEU-3 + BLEU-4) / 4; BLEU-k has min(k, r) equal weights for r words",
    chance="yes/no 1/2; free answers 0",
    asked="8 frames taken evenly (an option), the task, the question in full words, the form of the answer",
    quirks=(
        "Of a text with several questions the first alone is asked.",
        "For yes and no every word that holds one of them becomes it: 'know' is a no.",
        "A precision of zero makes its BLEU zero, so a free answer of other words scores nearly nothing.",
        "Three weights are .33 each and do not sum to 1.",
        "A wrong answer in many of the same words scores well: 'not pick up the cup' against 'pick up the "
        "cup' "
        "is .75.",
    ),
    kits=(
        ("other forks of lmms-eval", "sacrebleu's BLEU by type of question, or a judge"),
        ("third-party mirrors", "every question of a text is an item of its own"),
    ),
    checked="fourteen pairs computed with NLTK's sentence_bleu; hand-worked replies",
)
