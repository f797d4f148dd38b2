"""What the offline scorer makes of a small folder's replies, beside what a reader would say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from other_rules import Other

from gumption.synthesis.calls import Calls
from gumption.synthesis.codegen import write_pipeline
from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline.scorer import OfflineScorer
from gumption.synthesis.sandbox.mechanisms import in_force
from gumption.synthesis.spec import Spec

Worths = dict[tuple[Any, str], Any]


def judged(kind: Other, folder: Path) -> tuple[Worths, Worths]:
    """The score of each (item, reply) in the sandbox, and the right one."""
    folder.parent.chmod(0o755)  # the sandbox reads as another user
    found = OfflineScorer().propose(inspect_folder(kind.write(folder)), kind.loading, kind.asking)
    assert found.scoring is not None, found.doubts
    spec = Spec(folder.name, found.loading, kind.asking, found.scoring, found.doubts)
    calls = Calls(write_pipeline(spec), folder, in_force())
    rows = {str(row["id"]): row for row in calls.load()}
    marked = calls.score([(rows[id], reply) for id, reply, _ in kind.replies])
    got = {
        (id, reply): getattr(one, "score", one)
        for (id, reply, _), one in zip(kind.replies, marked, strict=True)
    }
    return got, {(id, reply): worth for id, reply, worth in kind.replies}
