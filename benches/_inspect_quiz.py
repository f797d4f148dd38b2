"""The questions as a task of inspect_ai, made of its own parts: `inspect eval benches/_inspect_quiz.py@quiz`.

Read by inspect_ai in an environment of its own, which has nothing of gumption.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice


@task
def quiz(file: str) -> Task:
    """file: a path of JSON lines, with the pictures beside it."""

    def sample(row: dict[str, Any]) -> Sample:
        picture = ContentImage(image=str(Path(file).parent / row["image"]))
        return Sample(
            id=row["id"],
            input=[ChatMessageUser(content=[picture, ContentText(text=row["question"])])],
            choices=row["choices"],
            target=row["answer"],
        )

    return Task(dataset=json_dataset(file, sample), solver=multiple_choice(), scorer=choice())
