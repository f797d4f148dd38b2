"""Reviews of evalscope (modelscope/evalscope, 1.0 and later): `reviews/MODEL/DATASET_SUBSET.jsonl`.

A line is one question: `index, input, target, sample_score`. The score holds its values by name, the reply
and what was read of it. The file of the same name under `predictions/` has the model's output as it came,
with the reason why it stopped; it is used where it is there.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from gumption.exchange._answers import answer_of, options_in, unit_score
from gumption.exchange.log import Gathered, KitLog, Recorded, short
from gumption.lines import decode, read_lines
from gumption.records import GumptionError, Item, Reply, Status, Text

__all__ = ["read"]

_KIT = "evalscope"
_STATUS: dict[str, Status] = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "refused",
}
_CATEGORIES = ("category", "subject", "question_type", "subset")


class _Score(msgspec.Struct):
    value: dict[str, Any] = {}
    extracted_prediction: str | None = None
    prediction: str | None = None
    main_score_name: str | None = None


class _SampleScore(msgspec.Struct):
    score: _Score
    group_id: str | int | None = None
    sample_metadata: dict[str, Any] | None = None


class _Message(msgspec.Struct):
    role: str = ""
    content: str | list[dict[str, Any]] | None = None


class _Review(msgspec.Struct):
    index: int | str
    sample_score: _SampleScore
    input: str | list[_Message] = ""
    target: str | list[str] | None = None


class _Choice(msgspec.Struct):
    message: _Message
    stop_reason: str = ""


class _Output(msgspec.Struct):
    choices: list[_Choice] = []
    error: str | None = None


class _Prediction(msgspec.Struct):
    index: int | str
    model_output: _Output | None = None


def read(path: Path, model: str = "") -> KitLog:
    """The log in one file of reviews.

    model: its name; otherwise the folder's. Raises GumptionError for a file of predictions, which says
    nothing of right answers, and where no line can be used.
    """
    dataset = path.name.removesuffix(".jsonl")
    model = model or path.resolve().parent.name
    gathered = Gathered(_KIT, dataset, model, path)
    outputs = _outputs(path)
    asked: Counter[str] = Counter()
    for number, line in read_lines(path):
        if line is not None and not line.strip():
            continue
        try:
            review = _decoded(decode(line), _Review)
            group = review.sample_score.group_id
            id = str(review.index if group is None else group)
            recorded = _recorded(review, id, asked[id], outputs, gathered, number, dataset, model)
            asked[id] += 1
            gathered.keep(recorded)
        except GumptionError as error:
            gathered.reject(number, "", error)
    return gathered.log()


def _recorded(
    review: _Review,
    id: str,
    epoch: int,
    outputs: dict[str, _Output],
    gathered: Gathered,
    number: int,
    dataset: str,
    model: str,
) -> Recorded:
    scored = review.sample_score
    prompt = review.input if isinstance(review.input, str) else _asked(review.input)
    values = scored.score.value
    metric = (
        scored.score.main_score_name if scored.score.main_score_name in values else next(iter(values), "")
    )
    if metric:
        gathered.note(f"what the kit made of a reply is its score {metric}")
    about = scored.sample_metadata or {}
    return Recorded(
        item=Item(
            id=id,
            benchmark=f"{_KIT}:{dataset}",
            parts=(Text(prompt),) if prompt else (),
            answer=answer_of(review.target, options_in(prompt) or None),
            category=next((about[name] for name in _CATEGORIES if isinstance(about.get(name), str)), ""),
        ),
        replies=(_reply(id, epoch, model, outputs.get(str(review.index)), scored.score.prediction),),
        score=unit_score(values.get(metric or "")),
        read=scored.score.extracted_prediction or "",
        where=gathered.where(number),
        gold=review.target,
        carried=short(about),
    )


def _reply(id: str, epoch: int, model: str, output: _Output | None, reviewed: str | None) -> Reply:
    if output is not None and output.error:
        return Reply(id, epoch, "", model, "infra_error", error=output.error)
    if output is not None and output.choices:
        choice = output.choices[0]
        status = _STATUS.get(choice.stop_reason, "ok")
        return Reply(id, epoch, "", model, status, _words(choice.message), finish_reason=choice.stop_reason)
    if reviewed is None:
        raise GumptionError("no reply", remedy="give the folder with predictions and reviews")
    return Reply(id, epoch, "", model, text=reviewed)


def _outputs(reviews: Path) -> dict[str, _Output]:
    """By index, from the file of predictions beside the reviews; empty where there is none."""
    folder = reviews.resolve().parent
    file = folder.parent.parent / "predictions" / folder.name / reviews.name
    if folder.parent.name != "reviews" or not file.is_file():
        return {}
    found = {}
    for _, line in read_lines(file):
        if line is None or line.strip():
            prediction = _decoded(decode(line), _Prediction)
            if prediction.model_output is not None:
                found[str(prediction.index)] = prediction.model_output
    return found


def _decoded(line: str, kind: Any) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(
            f"not a line of evalscope's {'reviews' if kind is _Review else 'predictions'}: {error}",
            remedy="give a file under reviews/ of evalscope 1.0 or later",
        ) from error


def _asked(messages: list[_Message]) -> str:
    return "\n".join(text for message in messages if message.role == "user" and (text := _words(message)))


def _words(message: _Message) -> str:
    """The text of a message; reasoning and pictures are left out."""
    if isinstance(message.content, list):
        texts = (part.get("text") for part in message.content if part.get("type") == "text")
        return "\n".join(text for text in texts if isinstance(text, str))
    return message.content or ""
