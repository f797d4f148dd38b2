"""Samples of lmms-eval (EvolvingLMMs-Lab/lmms-eval): `MODEL/DATE_samples_TASK.jsonl`, or
`MODEL/samples_TASK_DATE.jsonl` as lm-evaluation-harness names them.

A line is one question: `doc_id`, the prompt (`input`, or the first of `arguments`), `target`, the reply
(`filtered_resps`, and `resps` where the two differ), hashes, and one key a metric. A metric is a number, or
the record that the task's aggregation is made of; the verdict is then looked for in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from gumption.exchange._answers import answer_of, options_in, unit_score
from gumption.exchange.log import Gathered, KitLog, Recorded, short
from gumption.lines import decode, read_lines
from gumption.records import Answer, GumptionError, Item, Reply, Text

__all__ = ["read"]

_KIT = "lmms-eval"
_DATE = r"\d{8}_\d{6}|\d{4}-\d\d-\d\dT[\d.:-]+"
_NAMES = re.compile(rf"(?:(?:{_DATE})_)?samples_(.+?)(?:_(?:{_DATE}))?", re.ASCII)
_NO_METRIC = frozenset(
    {
        *("doc_id", "doc", "input", "arguments", "target", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash", "token_counts", "idx"),
    }
)
_VERDICTS = ("is_correct", "correct", "score", "accuracy", "acc", "exact_match", "hit", "MRA:.5:.95:.05")
_READ = ("parsed_pred", "pred_answer", "pred", "prediction", "extracted_answer")
_GOLDS = ("gt_content", "gold", "answer", "ground_truth")
_CATEGORIES = ("sub_task", "question_type", "category", "task", "subtask")


def read(path: Path, model: str = "") -> KitLog:
    """The log in one file of samples, packed with gzip or not.

    model: its name; otherwise the folder's. Raises GumptionError where no line can be used, which is so for
    tasks that compare likelihoods: they have no reply.
    """
    stem = path.name.removesuffix(".gz").removesuffix(".jsonl")
    named = _NAMES.fullmatch(stem)
    task = named[1] if named else stem
    model = model or path.resolve().parent.name.replace("__", "/")
    gathered = Gathered(_KIT, task, model, path)
    for number, line in read_lines(path):
        if line is not None and not line.strip():
            continue
        id = ""
        try:
            sample = _sample(decode(line))
            id = str(sample["doc_id"])
            gathered.keep(_recorded(sample, id, task, model, gathered, number))
        except GumptionError as error:
            gathered.reject(number, id, error)
    return gathered.log()


def _sample(line: str) -> dict[str, Any]:
    try:
        sample = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(f"not a sample: {error}", remedy="fetch the file again") from error
    if "doc_id" not in sample or not {"resps", "filtered_resps"} & sample.keys():
        raise GumptionError("no doc_id or no reply", remedy="log with --log_samples")
    return sample


def _recorded(
    sample: dict[str, Any], id: str, task: str, model: str, gathered: Gathered, number: int
) -> Recorded:
    prompt = _prompt(sample)
    metric, verdict = next(_verdicts(sample), ("", None))
    record: dict[str, Any] = next(
        (sample[name] for name in _metrics(sample) if isinstance(sample[name], dict)), {}
    )
    if metric:
        gathered.note(f"what the kit made of a reply is its metric {metric}")
    reply = _reply(sample)
    return Recorded(
        item=Item(
            id=id,
            benchmark=f"{_KIT}:{task}",
            parts=(Text(prompt),) if prompt else (),
            answer=_answer(sample, record, options_in(prompt)),
            category=_first(record, _CATEGORIES),
        ),
        replies=(Reply(id, 0, "", model, text=reply),),
        score=verdict,
        read=_first(record, _READ),
        where=gathered.where(number),
        gold=sample.get("target"),
        carried=short({**doc, **record}) if isinstance(doc := sample.get("doc"), dict) else short(record),
    )


def _answer(sample: Mapping[str, Any], record: Mapping[str, Any], choices: dict[str, str]) -> Answer:
    """From the target, else from what the task's record says is right: some targets are an option's place."""
    golds = [sample.get("target"), *(record[name] for name in _GOLDS if name in record)]
    for gold in golds[:-1]:
        try:
            return answer_of(gold, choices or None)
        except GumptionError:
            continue  # the next one may say it in another way; the last says why none does
    return answer_of(golds[-1], choices or None)


def _prompt(sample: Mapping[str, Any]) -> str:
    match sample:
        case {"input": str() as prompt} | {"arguments": {"gen_args_0": {"arg_0": str() as prompt}}}:
            return prompt
        case {"arguments": [str() as prompt, *_]} | {"doc": {"question": str() as prompt}}:
            return prompt
    return ""


def _reply(sample: Mapping[str, Any]) -> str:
    """The raw reply where it is kept, else the filtered one, which then is the same."""
    said: Any = sample.get("resps", sample.get("filtered_resps"))
    while isinstance(said, list) and said:
        said = said[0]
    if not isinstance(said, str):
        raise GumptionError("no reply in words", remedy="only tasks that generate can be scored again")
    return said


def _metrics(sample: Mapping[str, Any]) -> Iterator[str]:
    return (name for name in sample if name not in _NO_METRIC)


def _verdicts(sample: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Each metric that says what this reply is worth, in the order of the file."""
    for name in _metrics(sample):
        value = sample[name]
        if isinstance(value, dict):
            worth = next((unit_score(value[key]) for key in _VERDICTS if key in value), None)
            if worth is None:
                worth = _as_parsed(value.get("parsed_pred"), value.get("answer"))
        else:
            worth = unit_score(value)
        if worth is not None:
            yield name, worth


def _as_parsed(parsed: Any, gold: Any) -> float | None:
    """Whether what the task read is the right letter; a list holds what it read of several replies."""
    if isinstance(parsed, list) and parsed and all(isinstance(one, str) for one in parsed):
        parsed = parsed[0]
    return float(parsed == gold) if isinstance(parsed, str) and isinstance(gold, str) else None


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((str(record[name]) for name in names if isinstance(record.get(name), str)), "")
