"""The protocol record of a benchmark folder: how its rows are read, asked and scored.

It is proposed by the offline roles from a README and the data, or by a model, or written by hand; then it is
frozen and hashed. Code that is assembled from it infers nothing from a reply.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

__all__ = ["Asking", "Format", "Gold", "Loading", "Options", "Scoring", "Source", "Spec"]

Format: TypeAlias = Literal[
    "csv", "json", "jsonl", "yaml", "parquet", "markdown", "blocks", "front", "xlsx", "text", "files"
]  # fmt: skip


class Source(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One file, or all files that a pattern names, read as flat rows."""

    path: str
    """Relative to the folder; may hold `*` within a name, and may be several with ` + ` between them. Rows of
    more than one file get `@file`, `@stem` and `@folder`, the name of the folder that the file lies in."""
    format: Format
    """text: a file is one row with `text`. front: so it is, with the fields of its front matter, which stands
    between two lines of `---`. markdown: a table between bars. files: a picture's path is the row, see
    `column`."""
    rows: str = ""
    """json, jsonl, yaml: where the rows lie in the whole (a list of lines is `[]`), as in
    `rooms[].shots[].asks[]`; several such places have ` + ` between them.
    `{}` stands for the values of an object, their keys come as `@key`; `columns` for an object of columns.
    Fields of what the rows lie in come with them. "" is a file that is itself one row."""
    separator: str = ","
    """csv: a comma, a tab, a semicolon or a bar."""
    quoting: bool = True
    """csv: whether double quotes are quotes."""
    header: bool = True
    """csv: whether the first line names the columns; else they are `0`, `1`, ..."""
    sheet: str = ""
    """xlsx: the sheet's name; "" is the first. markdown: the header's cells, `|` between them, where a file
    has tables of several kinds."""
    block: dict[str, str] = {}
    """blocks: how each field's line begins, as in {"id": "#", "question": "Q:", "answer": "A:"}; an opening
    bracket closes at the line's end. "" is the first line that begins like none of them."""
    several: tuple[str, ...] = ()
    """blocks: beginnings that a block may have more than once, each time with one of several values."""
    remark: str = ""
    """csv, blocks: how lines begin that are to be passed over."""
    column: str = ""
    """files: the column that gets the path, or a sorted list of paths where several have the same key. The
    key, in the column `key`, is what the pattern's first `*` stands for."""
    key: str = ""
    """Of all sources but the first: the column by which its rows are joined, ..."""
    on: str = ""
    """... and the column of the rows so far that it must equal; "" is one of the same name."""


class Loading(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """From files to rows."""

    sources: tuple[Source, ...]
    """The first holds the questions; the others add columns to its rows."""
    id: str
    """Column of the row's own id; `@row` is its number, counted from 1. Of several columns together with
    their names in braces, as in "{section}-{no}"."""
    gather: dict[str, tuple[str, ...]] = {}
    """Columns to make as a list of others, numbers as numbers, as in {"box": ("x0", "y0", "x1", "y1")}."""
    stored: dict[str, str] = {}
    """Columns in which a row may give, in place of its own picture, which row has it: with the column that
    says so, as in {"image": "index"}."""
    compose: dict[str, str] = {}
    """Columns to make as a text of others, as the path in {"@picture": "plates/{room}/{number:02}.jpg"},
    where `:02` is for zeros before a number until it has two digits."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a row's options are; without columns there are none to show."""

    columns: tuple[str, ...] = ()
    """One column of each option, or a single one that holds them all."""
    separator: str = ""
    """Of options in one cell; "" where the cell holds a list or JSON."""
    inside: bool = False
    """Whether the question's text lists them itself, so that they are not shown again; without columns they
    are read from there."""
    empty: tuple[str, ...] = ("", "nan", "none", "null")
    """Cells that mean no option, in lower case."""
    letters: str = "ABCDEFGHIJ"
    """What they are known by. An option that is left out keeps its letter: no other takes it."""
    label: str = "A. "
    """How that stands before the text, shown with the first: an A, an a, or a 1 or 0 where numbers are shown.
    One without such a sign, as "- ", is the same before all."""
    added: tuple[str, ...] = ()
    """Options that every row has behind its own, which no column holds."""


class Asking(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """From a row to a request. Parts come in the order `order`; what a row has not is left out."""

    question: str
    """Column, or one that holds a list of messages. A picture may have its place in it, see `place`."""
    images: tuple[str, ...] = ()
    """Columns that hold a path, a list of paths, or base64."""
    image_folder: str = ""
    """What is put before a path."""
    image_suffix: str = ""
    """What is put behind a path that has none."""
    image_separator: str = ""
    """Of several paths in one cell; "" where the cell holds one, a list or JSON."""
    base64: bool = False
    place: str = ""
    """How the place of a picture is marked in texts, as the first is: "<pic 1>", "[img:0]", "{photo}"; one
    without a number stands for the next picture. "" is <image> or <image 1>."""
    image_label: str = ""
    """What stands before each picture, shown with the first: "(A)", "Image 1:"; "" is nothing."""
    context: tuple[str, ...] = ()
    """Columns of text that is shown beside the question."""
    labels: dict[str, str] = {}
    """What stands before a context's or a closing text, or before each picture of a column, by column, as in
    {"hint": "Hint: ", "left": "Left:", "unit": "Answer in "}."""
    options: Options = Options()
    closing: tuple[str, ...] = ()
    """Columns of text that is shown before the instruction, such as a row's own wish for a form of answer."""
    order: tuple[str, ...] = ("images", "context", "question", "options", "instruction")
    """May name a column of the context by itself; "context" is the others then."""
    instruction: str = ""
    """What form of answer is asked for, in the README's words or ours."""
    guesses: int = 0
    """How many answers there are to guess from where no options are shown: 2 for yes or no."""
    category: str = ""
    cluster: str = ""
    template: str = ""
    """The question where no column holds it whole: a text for all rows, with columns' names in braces, as in
    "Is there a {object}?". `question` is "" then."""


class Gold(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the right answer is and how it is written."""

    column: str
    form: Literal[
        "letter", "index0", "index1", "option_text", "yes_no", "number", "texts", "mask", "box_xyxy",
        "box_xywh", "polygon", "points", "circle",
    ]  # fmt: skip
    separator: str = ""
    """Of several accepted texts in one cell; "" where the cell holds one, a list or JSON."""
    yes: tuple[str, ...] = ("1", "true", "yes", "y", "t")
    """yes_no: what means yes, in lower case."""
    unit: str = ""
    """Column of the unit, for people."""
    folder: str = ""
    """mask: what is put before a path."""
    threshold: float = 0.5
    """mask: what of the brightest value is on target."""
    dark: bool = False
    """mask: whether what is below the threshold is the target instead."""


class Scoring(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """From a reply to a score."""

    kind: Literal["choice", "yes_no", "number", "point", "text"]
    gold: Gold
    metric: str
    """The rule's name among the recipes, as in exact, mra, tolerance, share_on_target."""
    parameters: dict[str, Any] = {}
    """Of reading and of the metric, as `recipes.reading` and `recipes.metrics` name them (letters, several,
    relative, thresholds, ...); `codegen.METRICS` lists those of each metric. A tolerance's `absolute` may be
    a column, which holds each row's own, and so may the `radius` around points. A number's `accepts` are the
    units that it may have: columns that hold them, or such units. For points also `scale`, what
    the written coordinates run to, and `size`, what the target's run to: numbers, columns, or "picture"."""
    region: tuple[str, ...] = ("answer_tag", "answer_mark", "whole")
    """What part of a reply is read: the first of these that it has. Their names are in `recipes.reading`."""
    normalise: tuple[str, ...] = ()
    """text: the steps before comparing, by their recipes' names, in order."""
    aggregate: Literal["mean", "macro"] = "mean"
    """macro: the mean over categories of their means."""
    evidence: tuple[str, ...] = ()
    """The sentences of the README on which this rests."""


class Spec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that identifies how a folder is asked and scored."""

    name: str
    loading: Loading
    asking: Asking
    scoring: Scoring
    doubts: tuple[str, ...] = ()
    """What the README leaves open or the data contradict; a person should look."""

    @property
    def sha256(self) -> str:
        """Hash of the record as canonical JSON."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()
