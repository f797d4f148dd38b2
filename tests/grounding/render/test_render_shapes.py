"""Shapes measured on paper: where they begin and end, which colours they show, whether ink can be read."""

from __future__ import annotations

import io
import math
from itertools import combinations, product

import numpy as np
import pytest
from PIL import Image

from gumption.grounding import read_domain
from gumption.grounding.render._canvas import Canvas, Colour, ink_on, shaded
from gumption.grounding.render._food import Thing, draw_thing, things_of
from gumption.grounding.render._kitchen import _spot
from gumption.grounding.render._looks import short
from gumption.grounding.render._sprites import draw_name

PAPER = (255, 255, 255)
RED = (200, 30, 30)
BLUE = (30, 30, 200)


def paper() -> Canvas:
    return Canvas((120, 100), PAPER)


def pixels(canvas: Canvas) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(canvas.png())))


def drawn(canvas: Canvas) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is not paper; the last two are the first pixels outside."""
    rows, columns = np.nonzero((pixels(canvas) != PAPER).any(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def share(canvas: Canvas, colour: Colour) -> float:
    """Of what is drawn, what has that colour."""
    picture = pixels(canvas)
    return float((picture == colour).all(axis=2).sum() / (picture != PAPER).any(axis=2).sum())


def test_the_picture_has_the_size_that_is_asked_for() -> None:
    assert pixels(paper()).shape == (100, 120, 3)


def test_a_box_fills_what_it_says() -> None:
    canvas = paper()
    canvas.box((10, 20, 40, 60), RED, None)
    assert drawn(canvas) == (10, 20, 40, 60)
    assert share(canvas, RED) == 1


def test_round_corners_are_left_out() -> None:
    canvas = paper()
    canvas.box((10, 20, 90, 80), RED, None, radius=20)
    assert drawn(canvas) == (10, 20, 90, 80)
    seen = pixels(canvas)
    # From the middle of the corner's circle: one pixel further than the radius, and one within.
    assert tuple(seen[23, 13]) == PAPER
    assert tuple(seen[28, 18]) == RED


def test_an_ellipse_has_its_middle_and_its_half_axes() -> None:
    canvas = paper()
    canvas.ellipse(60, 50, 30, 10, RED, None)
    left, top, right, bottom = drawn(canvas)
    assert (left, top) == pytest.approx((30, 40), abs=1)
    assert (right, bottom) == pytest.approx((90, 60), abs=1)


def test_polygons_and_lines_go_where_they_are_sent() -> None:
    canvas = paper()
    canvas.polygon(((10, 10), (70, 10), (10, 40)), RED, None)
    assert drawn(canvas) == pytest.approx((10, 10, 70, 40), abs=1)
    canvas = paper()
    canvas.line(((20, 50), (80, 50)), RED, 8)
    assert drawn(canvas) == pytest.approx((20, 46, 80, 54), abs=1)


def test_words_stand_around_their_point() -> None:
    canvas = paper()
    canvas.words(60, 50, "HHH", 20)
    left, top, right, bottom = drawn(canvas)
    assert (left + right) / 2 == pytest.approx(60, abs=1.5)
    assert (top + bottom) / 2 == pytest.approx(50, abs=2.5)
    assert 12 <= bottom - top <= 20
    small = paper()
    small.words(60, 50, "HHH", 20, room=20)
    left, _, right, _ = drawn(small)
    assert 10 <= right - left <= 21


def test_tags_begin_end_or_stand_at_their_place_and_stay_in_the_picture() -> None:
    edges = {}
    for anchor in ("l", "m", "r"):
        canvas = paper()
        canvas.tag(60, 50, "abc", 12, anchor=anchor)
        edges[anchor] = drawn(canvas)
    assert edges["l"][0] == pytest.approx(60, abs=1)
    assert edges["r"][2] == pytest.approx(60, abs=1)
    assert (edges["m"][0] + edges["m"][2]) / 2 == pytest.approx(60, abs=1)
    for x in (-50, 200):
        canvas = paper()
        canvas.tag(x, 50, "abc", 12)
        left, _, right, _ = drawn(canvas)
        assert 0 <= left < right <= 120
        assert right - left == pytest.approx(edges["m"][2] - edges["m"][0], abs=1)


def test_shades_are_shares_of_the_way_to_black_and_to_white() -> None:
    assert shaded((200, 100, 0), 0.5) == (100, 50, 0)
    assert shaded((200, 100, 0), 1) == (200, 100, 0)
    assert shaded((205, 55, 255), 1.5) == (230, 155, 255)
    assert shaded((200, 100, 0), 2) == PAPER


@pytest.mark.parametrize(
    ("colour", "dark_ink"),
    [(PAPER, True), ((0, 0, 0), False), ((255, 120, 20), True), ((0, 255, 0), True), ((255, 0, 0), False),
     ((0, 0, 255), False), ((255, 0, 255), False), ((0, 200, 255), True)],
)  # fmt: skip
def test_ink_can_be_read_on_what_is_under_it(colour: Colour, dark_ink: bool) -> None:
    """Brightness by the weights of ITU-R BT.601; what lies in the middle is left out."""
    assert (sum(ink_on(colour)) < 200) == dark_ink


FORMS = ("round", "long", "cone", "knife", "spoon")


@pytest.mark.parametrize(("form", "leafy", "sliced"), list(product(FORMS, (False, True), (False, True))))
def test_a_thing_fills_its_square_and_goes_hardly_beyond(form: str, leafy: bool, sliced: bool) -> None:
    canvas = Canvas((200, 200), PAPER)
    draw_thing(canvas, 110, 90, 100, Thing(form, RED, BLUE, leafy=leafy, sliced=sliced))
    left, top, right, bottom = drawn(canvas)
    assert 110 - 58 <= left <= 110 - 30
    assert 110 + 30 <= right <= 110 + 58
    assert 90 - 58 <= top <= 90 - 10
    assert 90 + 5 <= bottom <= 90 + 58
    assert (left + right) / 2 == pytest.approx(110, abs=12)


@pytest.mark.parametrize("form", ("round", "long", "cone"))
def test_slices_show_the_flesh_inside_the_skin(form: str) -> None:
    whole, sliced = Canvas((200, 200), PAPER), Canvas((200, 200), PAPER)
    draw_thing(whole, 100, 100, 120, Thing(form, RED, BLUE))
    draw_thing(sliced, 100, 100, 120, Thing(form, RED, BLUE, sliced=True))
    assert share(whole, RED) > 0.5
    assert share(whole, BLUE) == 0
    assert share(sliced, RED) > 0.2
    assert share(sliced, BLUE) > 0.2


def test_leaves_are_green_and_small() -> None:
    for form in ("round", "long", "cone"):
        bare, leafy = Canvas((200, 200), PAPER), Canvas((200, 200), PAPER)
        draw_thing(bare, 100, 100, 120, Thing(form, RED, BLUE))
        draw_thing(leafy, 100, 100, 120, Thing(form, RED, BLUE, leafy=True))
        changed = (pixels(bare) != pixels(leafy)).any(axis=2)
        if form != "cone":  # a carrot's leaves are always there
            assert 0.01 < changed.mean() < 0.05
        seen = pixels(leafy).astype(int)
        green = (seen[..., 1] > seen[..., 0] + 30) & (seen[..., 1] > seen[..., 2] + 30)
        assert green.mean() > 0.003


@pytest.mark.parametrize(("across", "isometric"), list(product((1, 2, 3, 4), (False, True))))
def test_things_of_one_place_lie_around_it_and_apart(across: int, isometric: bool) -> None:
    spots = [_spot(60, 50, slot, across, 30, isometric=isometric) for slot in range(across**2)]
    middle = np.mean(spots, axis=0)
    assert middle == pytest.approx((60, 47 if isometric else 50))
    apart = [math.dist(one, other) for one, other in combinations(spots, 2)]
    assert min(apart, default=30) >= (20 if isometric else 30) - 1e-9
    assert max(math.dist(one, middle) for one in spots) <= 30 * across


def test_a_hand_has_its_name_beside_it_and_above() -> None:
    for x, side in ((60, 0), (180, 2)):
        canvas = Canvas((240, 100), PAPER)
        draw_name(canvas, x, 12, "left")
        edges = drawn(canvas)
        assert edges[side] == pytest.approx(x + 12 - 12 * side, abs=1)
        assert edges[3] < 50


def test_a_knife_is_no_spoon() -> None:
    pictures = []
    for form in ("knife", "spoon"):
        canvas = Canvas((200, 200), PAPER)
        draw_thing(canvas, 100, 100, 120, Thing(form, RED, BLUE))
        assert share(canvas, RED) > 0.1
        assert share(canvas, BLUE) > 0.1
        pictures.append(pixels(canvas))
    assert (pictures[0] != pictures[1]).any(axis=2).mean() > 0.01


@pytest.mark.parametrize(
    ("name", "label"),
    [("disk2", "2"), ("disc_3", "3"), ("block_7", "7"), ("a", "a"), ("red_block", "red_block"),
     ("grey_disc_4", "4"), ("violet_block_b", "b"), ("tall", "tall")],
)  # fmt: skip
def test_labels_leave_out_what_can_be_seen(name: str, label: str) -> None:
    assert short(name) == label


def test_what_cannot_be_told_by_sight_has_a_label() -> None:
    domain = read_domain(
        """(define (domain any) (:types location vegetable tool - object)
        (:predicates (at ?a - object ?b - location) (can-cut ?t - tool) (is-whole ?v - vegetable)
                     (is-sliced ?v - vegetable)))"""
    )
    vegetables = dict.fromkeys(("tomato", "carrot1", "carrot2", "turnip"), "vegetable")
    objects = vegetables | dict.fromkeys(("knife", "whisk"), "tool")
    state = frozenset({("can-cut", "knife"), ("is-sliced", "tomato"), ("is-whole", "turnip")})
    found = things_of(domain, objects, list(objects), state, 0)
    labels = {name: thing.label for name, thing in found.items()}
    assert labels == {
        "tomato": "", "carrot1": "carrot1", "carrot2": "carrot2", "turnip": "turnip",
        "knife": "", "whisk": "whisk",
    }  # fmt: skip
    assert [name for name, thing in found.items() if thing.sliced] == ["tomato"]
    assert (found["knife"].form, found["whisk"].form) == ("knife", "spoon")
