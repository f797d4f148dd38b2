"""How the folders of the cases and the made-up ones are loaded and asked, read off by a person.

So the scorer is tested by itself: what the evaluator works out is not needed.
"""

from __future__ import annotations

from gumption.synthesis.spec import Asking, Loading, Options, Source

__all__ = ["LAYOUTS"]

_ABCD = ("A", "B", "C", "D")


def _csv(path: str, separator: str = ",", quoting: bool = True) -> Source:
    return Source(path, "csv", separator=separator, quoting=quoting)


LAYOUTS: dict[str, tuple[Loading, Asking]] = {
    # The six cases.
    "hearth40": (
        Loading((_csv("hearth40_eval.csv"),), "Unnamed: 0"),
        Asking("Prompt Text (EN)", options=Options(("opts_pipe",), "|")),
    ),
    "TileQuiz_TSV": (
        Loading((_csv("tilequiz_test.tsv", "\t", False),), "index"),
        Asking("question", ("image",), base64=True, options=Options(_ABCD), category="l2-category"),
    ),
    "shelf-probe": (
        Loading((Source("probe.json", "json", rows="rooms[].shots[].asks[]"),), "k"),
        Asking("ask", ("file",), guesses=2),
    ),
    "rough-measure": (
        Loading((Source("prompts.jsonl", "jsonl"), Source("truth.csv", "csv", key="ref")), "ref"),
        Asking("messages"),
    ),
    "poke-map": (
        Loading((Source("poke_list.json", "json", rows="list[]"),), "uid"),
        Asking("say", ("img",), cluster="img"),
    ),
    "plainwords": (
        Loading(
            (
                Source(
                    "plainwords.txt",
                    "blocks",
                    block={"id": "#", "Q": "Q:", "A": "A:"},
                    remark="%%",
                ),
            ),
            "id",
        ),
        Asking("Q"),
    ),
    # The twelve of our own.
    "larder": (
        Loading((_csv("larder-v1.csv", ";"),), "Nr."),
        Asking("Frage (EN)", options=Options(tuple(f"Antwort {n}" for n in (1, 2, 3, 4)), label="A) ")),
    ),
    "room-quiz": (
        Loading((Source("data/rooms_eval.json", "json", rows="scenes[].questions[]"),), "qid"),
        Asking("text", ("photo",), options=Options(("choices",), label="(A) "), category="type"),
    ),
    "dotted": (
        Loading(
            (
                Source("tasks.jsonl", "jsonl"),
                Source("frames/*.png", "files", column="@frames", key="name"),
                Source("targets/*.png", "files", column="@targets", key="name"),
            ),
            "name",
        ),
        Asking("instruction", ("@frames",)),
    ),
    "touchpoint": (
        Loading((_csv("touchpoint.csv"),), "sample_id"),
        Asking("expression", ("file_name",), image_folder="img"),
    ),
    "robo-yx": (
        Loading((Source("annotations.json", "json", rows="[]"),), "key"),
        Asking("task", ("image_id",), image_folder="pictures", image_suffix=".jpg"),
    ),
    "heft": (Loading((Source("heft.xlsx", "xlsx"),), "Item no"), Asking("Object and question")),
    "before-after": (
        Loading((Source("pairs.json", "json", rows="[]"),), "no"),
        Asking("question", ("frames",), image_folder="media", options=Options(inside=True)),
    ),
    "trivia-open": (
        Loading((Source("qa.jsonl", "jsonl"),), "qid"),
        Asking("question", category="topic"),
    ),
    "is-it-so": (
        Loading((Source("data/test-00000-of-00001.parquet", "parquet"),), "uid"),
        Asking("statement", ("image",), base64=True, guesses=2),
    ),
    "one-per-file": (
        Loading((Source("items/*.json", "json"),), "@stem"),
        Asking("prompt", ("img",), options=Options(("options",))),
    ),
    "bar-letters": (
        Loading((_csv("passages.psv", "|"),), "pid"),
        Asking("query", context=("passage",), options=Options(("opt_a", "opt_b", "opt_c")), category="genre"),
    ),
    "tally": (Loading((Source("chat.jsonl", "jsonl"),), "uid"), Asking("messages")),
}
