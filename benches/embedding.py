"""Embedding the question pool, cold and from the cache; and what calls two items duplicates, measured.

Pictures: copies in other encodings and sizes are to be found, other photographs and drawn scenes are not.
Texts: two questions on one picture with different right answers are surely two.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from benches._table import show
from gumption.benchmarks import open_suite
from gumption.benchmarks.tabletop import draw_suite
from gumption.curation._copies import copies
from gumption.curation._picture_features import decoded, fingerprint
from gumption.curation._wording import told_apart, words_of
from gumption.curation.duplicates import SIMILARITY, duplicates, near_duplicates, similarities
from gumption.curation.embedding import embed
from gumption.models.encoder import Encoder
from gumption.records import Item, Text

DATA = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or "../shared/data")
SCENES = 240
_EMBED = """
from pathlib import Path
from gumption.benchmarks import open_suite
from gumption.curation.embedding import embed
from gumption.models.encoder import Encoder
suite = open_suite("question-pool", Path({data!r}))
embed(suite.items, suite.media, encoder=Encoder(), cache=Path({cache!r}))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "vectors"
        if (DATA / "question_pool").is_dir():
            speed(cache)
            texts(cache)
        else:
            print(f"Skipped: no {DATA}/question_pool")
        pictures(Path(folder))
    many()


def speed(cache: Path) -> None:
    """A process each, start and loading of the pool included."""
    rows = []
    for what in ("cold", "warm"):
        start = time.perf_counter()
        code = _EMBED.format(data=str(DATA), cache=str(cache))
        process = subprocess.Popen([sys.executable, "-c", code])
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status):
            raise SystemExit("embedding failed")
        wall, spent = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
        rows.append((what, f"{wall:.1f} s", f"{spent:.1f} s", f"{usage.ru_maxrss / 1024:.0f} MB"))
    show("The question pool embedded", ("cache", "wall", "CPU", "peak memory"), rows)


def texts(cache: Path) -> None:
    """Pairs of questions on one picture, by whether their right answers are the same."""
    suite = open_suite("question-pool", DATA)
    embedded = embed(suite.items, suite.media, encoder=Encoder(), cache=cache)
    on_one: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, shown in enumerate(embedded.shows):
        if shown:
            on_one[shown].append(row)
    pairs = np.array([pair for some in on_one.values() for pair in combinations(some, 2)])
    cosines = similarities(embedded.text, pairs)
    said = [words_of("\n".join(p.text for p in item.parts if isinstance(p, Text))) for item in suite.items]
    apart = np.array([told_apart(said[one], said[other]) for one, other in pairs.tolist()])
    answers = [_right(item) for item in suite.items]
    same = np.array([answers[one] == answers[other] for one, other in pairs.tolist()])
    rows = []
    for least in (0.99, SIMILARITY, 0.98, 0.97, 0.95):
        near = cosines >= least
        counts = [near & same, near & ~same, near & ~apart & same, near & ~apart & ~same]
        rows.append((f"{least}", *(str(int(one.sum())) for one in counts)))
    head = ("cosine from", "same answer", "other answer", "same, words too", "other, words too")
    show(f"{int(same.sum()):,} pairs with the same answer, {int((~same).sum()):,} with another", head, rows)
    start = time.process_time()
    found = duplicates(suite.items, embedded)
    spent = time.process_time() - start
    rows = [(str(len(embedded) - len(found.kept)), str(found.unknown), f"{spent:.1f} s")]
    show("Duplicates of the pool", ("found", "media not known", "CPU"), rows)


def _right(item: Item) -> str:
    gold = item.answer.gold
    return str((item.answer.choices or {}).get(gold, gold)) if isinstance(gold, str) else str(gold)


def pictures(folder: Path) -> None:
    """Copies to be found among photographs and drawn scenes."""
    suite = draw_suite(folder / "tabletop", scenes=SCENES, seed=1)
    sets = {"tabletop scenes": [suite.media.read(name) for name in suite.media]}
    photographs = sorted((DATA / "egothink" / "images").glob("*"))
    if photographs:
        distinct = dict.fromkeys(path.read_bytes() for path in photographs)
        sets["photographs (EgoThink)"] = list(distinct)
    rows = []
    for name, files in sets.items():
        spent = time.process_time()
        originals = [fingerprint(decoded(data)).cells for data in files]
        each = (time.process_time() - spent) / len(files) * 1000
        kept = copies(originals)
        wrong = int((kept != np.arange(len(files))).sum())
        rows.append((name, "different ones", str(len(files)), str(wrong), f"{each:.1f} ms"))
        made: defaultdict[str, list[bytes]] = defaultdict(list)
        for data in files[:80]:
            for how, copy in _copies_of(Pillow.open(io.BytesIO(data)).convert("RGB")):
                made[how].append(copy)
        for how, some in made.items():
            together = copies([*originals, *(fingerprint(decoded(data)).cells for data in some)])
            found = int((together[len(files) :] == together[: len(some)]).sum())
            rows.append((name, how, str(len(some)), str(found), ""))
    show("Pictures taken for a copy of another", ("pictures", "kind", "n", "taken", "each"), rows)


def _copies_of(picture: Pillow.Image) -> Iterator[tuple[str, bytes]]:
    """Other encodings and sizes of a picture."""
    width, height = picture.size
    for quality in (90, 60, 30):
        yield f"JPEG {quality}", _saved(picture, "JPEG", quality)
    yield "WebP 70", _saved(picture, "WEBP", 70)
    for scale in (0.25, 0.5, 0.7, 1.5):
        other = picture.resize((int(width * scale), int(height * scale)), Pillow.Resampling.LANCZOS)
        yield f"JPEG 85 x {scale}", _saved(other, "JPEG", 85)


def _saved(picture: Pillow.Image, format: str, quality: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, format, quality=quality)
    return file.getvalue()


def many() -> None:
    """Growth: items of one media label, of which half repeat another."""
    rows = []
    for n in (25_000, 100_000):
        points = np.random.default_rng(0).standard_normal((n // 2, 384)).astype(np.float32)
        start = time.process_time()
        stands = near_duplicates(np.concatenate([points, points]), ["x"] * n, SIMILARITY)
        spent = time.process_time() - start
        rows.append((f"{n:,}", f"{spent:.1f} s", f"{int((stands != np.arange(n)).sum()):,}"))
    show("Near-duplicates among items of the same media", ("items", "CPU", "found"), rows)


if __name__ == "__main__":
    main()
