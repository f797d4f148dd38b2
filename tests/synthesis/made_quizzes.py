"""What the made-up benchmarks ask: household facts, passages, measures, and drawn scenes."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

__all__ = ["FACTS", "HEAVY", "OPEN", "PASSAGES", "Scene", "blank"]

FACTS: list[tuple[str, str, list[str]]] = [
    ("What keeps bread from going stale?", "A closed bread box", ["A sunny sill", "A wet cloth", "A fan"]),
    (
        "Where do knives go after washing?",
        "In the knife block",
        ["Under the sofa", "In a shoe", "On the bed"],
    ),
    ("What removes limescale from a kettle?", "Vinegar", ["Butter", "Flour", "Sand"]),
    ("What puts out a small fire in a pan?", "A lid", ["A glass of water", "More oil", "A towel of paper"]),
    ("Which of these belongs in the freezer?", "Ice cream", ["Honey", "Salt", "Tea leaves"]),
    ("What lifts a red wine stain at once?", "Sparkling water", ["Hot iron", "Black ink", "Shoe polish"]),
    ("What do you peel before mashing?", "Potatoes", ["Grapes", "Raisins", "Peas"]),
    ("What measures flour best?", "A scale", ["A ruler", "A clock", "A thermometer"]),
    ("What dries dishes fastest?", "A clean towel", ["A damp sponge", "A closed bag", "A cold drawer"]),
    ("Which pan suits pancakes?", "A flat one", ["A tall pot", "A kettle", "A cake tin with holes"]),
    ("What do you put under a hot pot?", "A trivet", ["A balloon", "A newspaper in flames", "A candle"]),
    ("What opens a tin?", "A tin opener", ["A whisk", "A rolling pin", "A sieve"]),
    ("What drains pasta?", "A colander", ["A jug", "A spatula", "A tray"]),
    ("What sweetens tea?", "Sugar", ["Pepper", "Mustard", "Garlic"]),
    ("What is kept in a dark cupboard?", "Olive oil", ["Fresh fish", "Cut melon", "Yoghurt"]),
    ("What sharpens a blunt knife?", "A whetstone", ["A sponge", "A napkin", "A cork"]),
    ("What makes dough rise?", "Yeast", ["Gravel", "Chalk", "Soap"]),
    (
        "What do you do with sour milk?",
        "Throw it away",
        ["Give it to guests", "Freeze it again", "Boil it dry"],
    ),
    ("What cleans a greasy hob?", "Washing-up liquid", ["Lard", "Jam", "Syrup"]),
    ("Which fruit has a stone?", "Plum", ["Banana", "Kiwi", "Orange"]),
]
PASSAGES: list[tuple[str, str, str, list[str], str]] = [
    (f"{who} put the {thing} {first}. Later {who} moved it {then}.", f"Where is the {thing} now?",
     then.capitalize(), [first.capitalize(), other.capitalize()], genre)
    for who, thing, first, then, other, genre in [
        ("Ada", "key", "on the shelf", "into the drawer", "under the mat", "story"),
        ("Bo", "cup", "in the sink", "onto the table", "behind the door", "story"),
        ("Cem", "book", "on the bed", "into the bag", "on the roof", "story"),
        ("Dora", "ball", "in the hall", "into the garden", "in the oven", "story"),
        ("Eli", "lamp", "by the window", "by the chair", "in the cellar", "story"),
        ("Fay", "shoe", "near the door", "under the stairs", "in the fridge", "story"),
        ("Gus", "note", "on the fridge", "into the bin", "on the car", "note"),
        ("Hana", "list", "in a pocket", "on the desk", "in the bath", "note"),
        ("Ivo", "bill", "on the desk", "into a folder", "in a vase", "note"),
        ("Jo", "flour", "in a bowl", "into a tin", "on the floor", "recipe"),
        ("Kim", "dough", "on the board", "into the oven", "on the lamp", "recipe"),
        ("Lea", "butter", "in the pan", "onto the bread", "in the tea", "recipe"),
    ]
]  # fmt: skip
OPEN: list[tuple[str, list[str], str]] = [
    ("Which animal barks?", ["dog", "hound"], "nature"),
    ("What do bees make?", ["honey"], "nature"),
    ("Which star do we see by day?", ["sun"], "nature"),
    ("What falls from clouds?", ["rain", "snow", "hail"], "nature"),
    ("Which bird hoots at night?", ["owl", "barn owl"], "nature"),
    ("What do cows give?", ["milk"], "nature"),
    ("What do you call a baby cat?", ["kitten"], "nature"),
    ("What grows on an apple tree?", ["apples", "apple"], "nature"),
    ("What do you cut bread with?", ["bread knife", "knife"], "home"),
    ("What do you sit on at a table?", ["chair", "stool", "bench"], "home"),
    ("What tells the time on a wall?", ["clock", "wall clock"], "home"),
    ("What do you sweep the floor with?", ["broom"], "home"),
    ("What do you dry your hands on?", ["towel", "hand towel"], "home"),
    ("Where do you wash your hands?", ["sink", "basin", "wash-basin"], "home"),
    ("What keeps food cold?", ["refrigerator", "fridge"], "home"),
    ("What do you look into to shave?", ["mirror"], "home"),
    ("What does a baker bake?", ["bread"], "work"),
    ("Who puts out fires?", ["firefighter", "fire brigade"], "work"),
    ("Who flies a plane?", ["pilot"], "work"),
    ("Who pulls teeth?", ["dentist"], "work"),
]
HEAVY: list[tuple[str, float, str]] = [
    (f"{thing} {ask}", value, unit)
    for thing, ask, value, unit in [
        ("A litre of water.", "How heavy is it, in kilograms?", 1, "kg"),
        ("A brick.", "What does it weigh, in kilograms?", 3.5, "kg"),
        ("A hen's egg.", "How heavy is it, in grams?", 60, "g"),
        ("A door.", "How high is it, in centimetres?", 200, "cm"),
        ("A pencil.", "How long is it, in millimetres?", 175, "mm"),
        ("A football.", "How heavy is it, in grams?", 430, "g"),
        ("A bathtub.", "How much does it hold, in litres?", 150, "L"),
        ("A small car.", "What does it weigh, in kilograms?", 1200, "kg"),
        ("A sheet of A4.", "How wide is it, in millimetres?", 210, "mm"),
        ("A bus.", "How long is it, in metres?", 12, "m"),
        ("A bucket.", "How much does it hold, in litres?", 10, "L"),
        ("A teaspoon.", "How much does it hold, in millilitres?", 5, "ml"),
        ("A loaf of bread.", "How heavy is it, in grams?", 750, "g"),
        ("A bed.", "How long is it, in centimetres?", 200, "cm"),
        ("A cat.", "How heavy is it, in kilograms?", 4.5, "kg"),
        ("A table.", "How high is it, in centimetres?", 75, "cm"),
        ("A wine bottle.", "How much does it hold, in millilitres?", 750, "ml"),
        ("A grand piano.", "How heavy is it, in kilograms?", 480, "kg"),
        ("A mug.", "How much does it hold, in millilitres?", 300, "ml"),
        ("A swimming pool.", "How long is it, in metres?", 25, "m"),
    ]
]

_COLOURS = {"red": "#d03030", "green": "#30a040", "blue": "#3050d0", "yellow": "#e0c020", "purple": "#8030a0"}
_SHAPES = ("circle", "square", "triangle")


class Scene:
    """Shapes in the cells of a 3 by 2 grid, each of another colour and shape."""

    def __init__(self, random: Random, width: int, height: int) -> None:
        self.width, self.height = width, height
        kinds = random.sample(
            [(colour, shape) for colour in _COLOURS for shape in _SHAPES], random.randint(3, 6)
        )
        cells = random.sample(range(6), len(kinds))
        self.things = list(zip(kinds, cells, strict=True))

    def name(self, which: int) -> str:
        return " ".join(self.things[which][0])

    def absent(self, random: Random) -> str:
        there = {self.name(i) for i in range(len(self.things))}
        return random.choice([f"{c} {s}" for c in _COLOURS for s in _SHAPES if f"{c} {s}" not in there])

    def box(self, which: int) -> tuple[float, float, float, float]:
        """Edges in pixels."""
        cell = self.things[which][1]
        wide, high = self.width / 3, self.height / 2
        x, y = (cell % 3 + 0.5) * wide, (cell // 3 + 0.5) * high
        half = min(wide, high) * 0.35
        return round(x - half), round(y - half), round(x + half), round(y + half)

    def on(self, which: int) -> list[tuple[float, float]]:
        """Places well inside any of the shapes."""
        x0, y0, x1, y1 = self.box(which)
        x, y, step = (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 10
        return [(x, y), (x + step, y), (x, y + step), (x - step, y + step / 2)]

    def off(self, which: int) -> list[tuple[float, float]]:
        """Places well outside: the middles of the other cells."""
        cell = self.things[which][1]
        wide, high = self.width / 3, self.height / 2
        return [((c % 3 + 0.5) * wide, (c // 3 + 0.5) * high) for c in range(6) if c != cell]

    def colour_question(self, random: Random) -> tuple[str, str, list[str], str]:
        (colour, _), _ = self.things[0]
        row, column = (
            ("top", "bottom")[self.things[0][1] // 3],
            ("left", "middle", "right")[self.things[0][1] % 3],
        )
        wrong = random.sample([other for other in _COLOURS if other != colour], 3)
        return f"Which colour has the thing at the {row} {column}?", colour, wrong, "colour"

    def count_question(self, random: Random) -> tuple[str, str, list[str], str]:
        count = len(self.things)
        wrong = [f"{n} things" for n in (count - 1, count + 1, count + 2)]
        return "How much is on the shelf?", f"{count} things", wrong, "count"

    def save(self, path: Path, without: int | None = None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._drawn(without).save(path)

    def png(self) -> bytes:
        out = io.BytesIO()
        self._drawn(None).save(out, "PNG")
        return out.getvalue()

    def save_mask(self, path: Path, which: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        mask = Image.new("L", (self.width, self.height), 0)
        self._draw(ImageDraw.Draw(mask), which, 255)
        mask.save(path)

    def _drawn(self, without: int | None) -> Image.Image:
        picture = Image.new("RGB", (self.width, self.height), "#f4efe6")
        pen = ImageDraw.Draw(picture)
        for which, ((colour, _), _) in enumerate(self.things):
            if which != without:
                self._draw(pen, which, _COLOURS[colour])
        return picture

    def _draw(self, pen: ImageDraw.ImageDraw, which: int, fill: str | int) -> None:
        x0, y0, x1, y1 = self.box(which)
        shape = self.things[which][0][1]
        if shape == "circle":
            pen.ellipse((x0, y0, x1, y1), fill=fill)
        elif shape == "square":
            pen.rectangle((x0, y0, x1, y1), fill=fill)
        else:
            pen.polygon([((x0 + x1) / 2, y0), (x1, y1), (x0, y1)], fill=fill)


def blank() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), "white").save(out, "PNG")
    return out.getvalue()
