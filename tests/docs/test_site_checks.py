"""The checks that end the build of the site, and the figures that its script draws."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def _program(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checked(tmp_path: Path):
    """Builds a site of one room with one public name, and has it checked."""
    room = tmp_path / "src" / "gumption" / "room"
    room.mkdir(parents=True)
    (room / "__init__.py").write_text('__all__ = ["asked"]\n')
    checks = _program(DOCS / "site" / "checks.py")

    def check(api: str, page: str = "", style: str = "") -> None:
        for name, text in (("api/room.html", api), ("index.html", page), ("style.css", style)):
            path = tmp_path / "site" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        checks.on_post_build(
            {"site_dir": str(tmp_path / "site"), "config_file_path": str(tmp_path / "mkdocs.yml")}
        )

    return check


def test_a_whole_site_passes(checked) -> None:
    checked(
        '<h2 id="gumption.room.asked">asked</h2>', '<a href="https://example.org">out</a><img src="a.svg">'
    )
    checked('<h2 id="gumption.room.asked.asked">asked</h2>')


@pytest.mark.parametrize(
    "page",
    [
        '<script src="https://cdn.example.org/a.js"></script>',
        '<link rel="stylesheet" href="//fonts.example.org/css">',
        '<img src="http://example.org/badge.svg">',
    ],
)
def test_what_other_hosts_would_send_ends_the_build(checked, page: str) -> None:
    with pytest.raises(ValueError, match=r"index.html loads .*example\.org"):
        checked('<h2 id="gumption.room.asked">asked</h2>', page)


def test_a_font_of_another_host_ends_the_build(checked) -> None:
    with pytest.raises(ValueError, match=r"style\.css"):
        checked(
            '<h2 id="gumption.room.asked">asked</h2>', style="@font-face{src:url(https://example.org/a.woff)}"
        )


def test_a_public_name_that_no_page_describes_ends_the_build(checked) -> None:
    with pytest.raises(ValueError, match=r"gumption\.room\.asked"):
        checked('<h2 id="gumption.room.other">other</h2>')


@pytest.mark.parametrize("name", ["evidence", "plan-errors"])
def test_a_figure_shows_what_the_package_says_today(name: str) -> None:
    """Those whose drawing takes no simulation; by their words, as lines move with the drawing library."""
    pytest.importorskip("matplotlib", reason="needs the extra [figures]")
    import matplotlib

    draw = _program(DOCS / "figures" / "draw.py")
    with matplotlib.rc_context(draw.STYLE):
        figure = draw.FIGURES[name]()
    words = [text.get_text() for axes in figure.axes for text in axes.texts]
    kept = re.findall(r"<text[^>]*>([^<]*)</text>", (DOCS / "figures" / f"{name}.svg").read_text())
    assert sorted(_plain(word) for word in words if word) == sorted(_plain(word) for word in kept)


def _plain(words: str) -> str:
    return " ".join(words.replace("&#39;", "'").replace("&quot;", '"').split())
