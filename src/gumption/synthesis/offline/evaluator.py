"""The Evaluator without a model: how a folder is loaded and asked, by its README's words and its data."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from gumption.records import Convention
from gumption.synthesis._walk import IMAGES
from gumption.synthesis._withheld import words_of
from gumption.synthesis.folder import BenchmarkFolder
from gumption.synthesis.offline._asked import ASKS_FOR_FORM
from gumption.synthesis.offline._choices import options_of
from gumption.synthesis.offline._gold import Kind, answer_words, gold_of
from gumption.synthesis.offline._ids import id_of
from gumption.synthesis.offline._places import mark_of
from gumption.synthesis.offline._readme import without_orders
from gumption.synthesis.offline._regions import convention_of
from gumption.synthesis.offline._shown import (
    context_of,
    image_label_of,
    image_labels_of,
    labels_of,
    order_of,
    unit_of,
)
from gumption.synthesis.offline._targets import Found
from gumption.synthesis.offline._telling import instruction_of
from gumption.synthesis.offline._view import View, view_of
from gumption.synthesis.offline._words import ignored, named, said
from gumption.synthesis.recipes import load, request
from gumption.synthesis.recipes._cells import composed_of, places
from gumption.synthesis.spec import Asking, Gold, Loading, Source

__all__ = ["OfflineEvaluator", "Proposal"]


_MEAN = re.compile(r"(?i)\b(?:means?|averag\w+|scores?|results?|report\w*)\b")


class Proposal(Struct, frozen=True):
    """How a folder is loaded and asked, and where its right answers are."""

    loading: Loading
    asking: Asking
    kind: Kind
    gold: Gold | None
    """None where it is in doubt."""
    convention: Convention | None
    """Of points; None for other answers and where the README does not say."""
    doubts: tuple[str, ...]


class OfflineEvaluator:
    """Proposes by rules; deterministic, and sees no replies."""

    def propose(self, folder: BenchmarkFolder) -> Proposal:
        """What can be said of a folder. Raises GumptionError where no rows or no questions are found."""
        readme, ordered = without_orders(folder.readme)
        view = view_of(folder, readme)
        if not readme.strip():
            view.doubts.append("there is no README: all of this is guessed from the data")
        if ordered:
            view.doubts.append(
                "the README speaks to whoever reads it by machine; those paragraphs were passed over"
            )
        id = id_of(view)
        options = options_of(view)
        shown = (*view.asked, *options.columns)
        images = _images(view, shown)
        view.doubts += _unseen(view, images)
        ids = places(id) or (id,)
        units = unit_of(view, (*shown, *ids, *images))
        closing = (*_closing(view, (*shown, *ids, *images)), *units)
        context = context_of(view, (*shown, *ids, *images, *closing))
        asking = Asking(
            view.question,
            template=view.template,
            images=images,
            image_label=image_label_of(view) if images else "",
            labels={**labels_of(view, context), **image_labels_of(view, images), **units},
            image_folder=_image_folder(view, images),
            image_separator=next(
                (view.columns[n].separator for n in images if view.columns[n].separator), ""
            ),
            base64=any(view.columns[name].holds == "base64" for name in images),
            context=context,
            options=options,
            closing=closing,
            order=order_of(view, context),
        )
        asking = replace(asking, place=mark_of(view, asking))
        found, kind = gold_of(view, asking, (*shown, *ids, *images, *context, *closing, *_keys(view)))
        gold = found.gold if found else None
        convention = convention_of(view, gold.form) if gold and kind == "point" else None
        taken = (*shown, *ids, *images, *context, *closing, *([gold.column] if gold else []))
        asking = _finished(view, asking, gold, kind, convention, taken)
        loading = _loading(view, id, asking, found)
        request(load(folder.path, loading)[0], asking)
        return Proposal(loading, asking, kind, gold, convention, tuple(dict.fromkeys(view.doubts)))


def _images(view: View, shown: tuple[str, ...]) -> tuple[str, ...]:
    """Columns of the pictures that are shown."""
    if _own_pictures(view):
        return ()
    found = [
        column.name
        for column in view.find(lambda one: one.holds in ("path", "base64") and not one.masks, shown)
        if not set(words_of(column.name))
        & {"depth", "mask", "masks", "seg", "segmentation", "annotated", "gt"}
    ]
    in_cells = [name for name in found if not name.startswith("@")]
    lost = [
        column.name
        for column in view.find(lambda one: one.holds == "text", shown)
        if column.examples and all(text.lower().endswith(IMAGES) for text in column.examples)
    ]
    if lost:
        view.doubts.append(f"pictures that {', '.join(lost)} names are not in the folder")
    in_cells = in_cells or [name for name in found if name in view.compose]
    if in_cells or not found:
        return tuple(in_cells)
    told = [name for name in found if name.removeprefix("@").split("/")[0] in view.readme]
    if len(told or found) > 1:
        view.doubts.append(f"pictures of {', '.join(told or found)} are all shown")
    return tuple(told or found)


_PICTURES = re.compile(r"(?i)\b(?:pictures?|images?|photos?|photographs?|screenshots?|frames?|drawings?)\b")
_NONE_SHOWN = re.compile(r"(?i)\b(?:no|not|nor|never|without|none|nothing|text[- ]only|n't)\b")


def _unseen(view: View, images: tuple[str, ...]) -> Iterator[str]:
    """Doubts where there are pictures, or the README speaks of them, and none is shown."""
    if images or _own_pictures(view):
        return
    told = [one for one in view.sentences if _PICTURES.search(one) and not _NONE_SHOWN.search(one)]
    if told:
        yield f"no picture is shown, though the README speaks of some: {told[0]}"
    elif any(not one.masks for one in view.folder.media):
        yield "no picture is shown, though there are some in the folder"


def _own_pictures(view: View) -> list[str]:
    """Paths of pictures that conversations carry themselves."""
    bare = Asking(view.question)
    rows = [row for row in view.rows if isinstance(row.get(view.question), list)]
    return [part["image"] for row in rows for part in request(row, bare)["parts"] if "image" in part]


def _image_folder(view: View, images: tuple[str, ...]) -> str:
    own = _own_pictures(view)
    if own:
        files = set(view.folder.files)
        folders = ["", *(one.folder for one in view.folder.media)]
        fits = [one for one in folders if all(f"{one}/{path}".lstrip("/") in files for path in own)]
        if not fits:
            view.doubts.append("pictures that the conversations name are not in the folder")
        return fits[0] if fits else ""
    folders = list(dict.fromkeys(_folder_of(view, name) for name in images))
    if len(folders) > 1:
        view.doubts.append(f"{', '.join(images)} name files from different folders")
    return folders[0] if folders else ""


def _folder_of(view: View, name: str) -> str:
    """The folder of a column's files: of several that have such the one that the README ties to it."""
    column = view.columns[name]
    several = (column.folder or "", *column.elsewhere)
    told = [one for one in several if one and one in view.note(name)]
    if len(several) > 1 and len(told) != 1:
        view.doubts.append(
            f"files that {name} names are in {' and in '.join(one or '.' for one in several)}: those of"
            f" {several[0] or '.'} are shown"
        )
    return told[0] if len(told) == 1 else several[0]


def _keys(view: View) -> tuple[str, ...]:
    """Columns that say where a row is from, or by what it was joined."""
    return ("@key", "@file", "@stem", "@folder", *(one.key for one in view.sources if one.key))


def _closing(view: View, taken: tuple[str, ...]) -> tuple[str, ...]:
    """Columns of text that ask for a form of answer."""
    return tuple(
        column.name
        for column in view.find(lambda one: one.holds == "text" and not one.missing, taken)
        if all(ASKS_FOR_FORM.search(text) for text in column.examples)
    )


def _finished(
    view: View,
    asking: Asking,
    gold: Gold | None,
    kind: Kind,
    convention: Convention | None,
    taken: tuple[str, ...],
) -> Asking:
    """With the request for a form of answer, and what rows have in common."""
    few = max(2, len(view.rows) // 2)
    kinds = [
        (
            2 * said(view.note(name), "category") + named(name, "category") + 4 * _averaged_by(view, name),
            -place,
            name,
        )
        for place, (name, column) in enumerate(view.columns.items())
        if name not in taken
        and not ignored(view.note(name))
        and column.holds in ("text", "integer")
        and 2 <= column.distinct <= few
    ]
    category = max(kinds)[2] if kinds and max(kinds)[0] else ""
    alike = [
        name
        for name in asking.images
        if view.columns[name].distinct < len(view.rows) and not view.columns[name].missing
    ]
    alike += [
        name
        for name, column in view.columns.items()
        if named(name, "cluster") and name not in taken and 2 <= column.distinct < len(view.rows)
    ]
    return replace(
        asking,
        instruction=""
        if {*asking.closing} - {*asking.labels}
        else instruction_of(view, asking, gold, kind, convention),
        guesses=2 if kind == "yes_no" else len(answer_words(view, gold.column)) if gold else 0,
        category=category,
        cluster=alike[0] if alike else "",
    )


def _averaged_by(view: View, name: str) -> bool:
    """Whether the README takes means by what a column holds, as by scene."""
    called = [word.removesuffix("s") for word in words_of(name) if word not in ("key", "id", "name")][-1:]
    if not called:
        return False
    by = re.compile(rf"(?i)\b(?:by|per|of each|for each|in each|within (?:a|each)) {called[0]}s?\b")
    return any(by.search(one) and _MEAN.search(one) for one in view.sentences)


def _loading(view: View, id: str, asking: Asking, found: Found | None) -> Loading:
    """The sources, without those of which no column is used."""
    used = {*(places(id) or (id,)), *view.asked, *asking.images, *asking.context, *asking.closing}
    used |= {*asking.options.columns, asking.category}
    used |= {asking.cluster, *((found.gold.column, found.gold.unit) if found else ())}
    made = found.gather if found else {}
    used |= {part for parts in made.values() for part in parts}
    used |= {view.columns[name].stored for name in asking.images}
    compose = {name: text for name, text in view.compose.items() if name in used}
    used |= {name for text in compose.values() for name in composed_of(text)}
    first, *others = view.sources
    table = {
        name for one in view.folder.tables if one.source == first for name in (c.name for c in one.columns)
    }
    kept: list[Source] = []
    for source in reversed(others):
        columns = {source.column} if source.format == "files" else _columns(view.folder, source)
        if (columns - table) & used:
            kept.insert(0, source)
            used.add(source.on or source.key)
    stored = {name: view.columns[name].stored for name in asking.images if view.columns[name].stored}
    return Loading((first, *kept), id, made, stored=stored, compose=compose)


def _columns(folder: BenchmarkFolder, source: Source) -> set[str]:
    return {
        column.name
        for table in folder.tables
        if (table.source.path, table.source.rows, table.source.sheet)
        == (source.path, source.rows, source.sheet)
        for column in table.columns
    }
