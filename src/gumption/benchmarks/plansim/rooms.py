"""Where rooms and their pictures come from: the package, iTHOR's metadata, EmbodiedBrain's renders."""

from __future__ import annotations

import hashlib
from pathlib import Path

from gumption.benchmarks._data import find
from gumption.benchmarks.plansim.asking import VIEWS
from gumption.benchmarks.plansim.picture import picture_of
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import Scene, load_scene, own_rooms
from gumption.records import GumptionError, Image
from gumption.suites import Media, image_of
from gumption.suites.media import store

__all__ = ["METADATA", "RENDERS", "Rooms"]

METADATA = "ithor/ai2thor-object-metadata.json.gz"
RENDERS = "embodiedbrain/test_images/simulation"
_PROCTHOR = "https://github.com/allenai/procthor"


class Rooms:
    """Rooms by name, each loaded once, and the pictures that were asked for."""

    def __init__(self, data: Path | None) -> None:
        self._data = data
        self._scenes: dict[str, Scene] = {}
        self._pictures: dict[str, tuple[Image, ...]] = {}
        self._files: dict[str, Path] = {}
        self._by_file: dict[Path, Image] = {}

    @property
    def media(self) -> Media:
        return Media(self._files)

    def scene(self, name: str) -> Scene:
        """A room of the package, else FloorPlanN of iTHOR from the data folder or the extra [ithor].

        Raises GumptionError where there is none.
        """
        if name not in self._scenes:
            own = name in own_rooms()
            self._scenes[name] = load_scene(name) if own else self._ithor(name)
        return self._scenes[name]

    def _ithor(self, name: str) -> Scene:
        try:
            metadata = find(METADATA, self._data, get_from=_PROCTHOR)
        except GumptionError:
            return load_scene(name)
        return load_scene(name, metadata)

    def pictures(self, name: str) -> tuple[Image, ...]:
        """The four renders where the data folder has the room, else the room from above."""
        if name not in self._pictures:
            self._pictures[name] = self._renders(name) or (self.drawn(self.scene(name)),)
        return self._pictures[name]

    def _renders(self, name: str) -> tuple[Image, ...]:
        folder = f"{RENDERS}/{name.removeprefix('FloorPlan')}"
        if not name.startswith("FloorPlan"):
            return ()
        try:
            files = [find(f"{folder}/{view}.png", self._data, get_from="") for view in VIEWS]
        except GumptionError:
            return ()
        return tuple([self.file(path) for path in files])

    def file(self, path: Path) -> Image:
        """A picture that lies in a file; each is looked at once."""
        if path in self._by_file:
            return self._by_file[path]
        try:
            picture = image_of(path.read_bytes())
        except OSError as error:
            raise GumptionError(
                f"the picture cannot be read: {error}", where=str(path), remedy="fetch it again"
            ) from error
        self._files[picture.sha256] = path
        self._by_file[path] = picture
        return picture

    def drawn(self, scene: Scene) -> Image:
        """A room from above, as a suite's picture."""
        data, size = picture_of(Household(scene))
        sha256 = hashlib.sha256(data).hexdigest()
        self._files[sha256] = store(data, sha256, "image/png")
        return Image(sha256, "image/png", *size)
