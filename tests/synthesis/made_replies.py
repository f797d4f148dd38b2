"""What three models that do not exist reply, and what each reply is worth by how it was built.

Each function takes the right answer, whether the model is to be right, and a random source, and gives a reply
with its score. What a reply says is decided first and its surface form is drawn then, so that no parser is
needed to know the score; only forms are used on which the READMEs leave no doubt.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

__all__ = ["MODELS", "Reply", "choice", "number", "points", "text", "yes_no"]

MODELS = {"model-a": 0.85, "model-b": 0.6, "model-c": 0.35}
"""How often each is right."""
Reply: TypeAlias = tuple[str, float]

_NOTHING = ("", "I'm sorry, but I can't help with that.", "I am not able to answer this question.", "...")


def _void(random: Random) -> Reply | None:
    return (random.choice(_NOTHING), 0.0) if random.random() < 0.08 else None


def choice(options: dict[str, str], gold: str, right: bool, random: Random, texts: bool = True) -> Reply:
    """A letter, or an option's text where `texts`, or two left open."""
    void = _void(random)
    if void is not None:
        return void
    letters = list(options)
    if random.random() < 0.06:
        one, two = random.sample(letters, 2)
        return f"It is either {one} or {two}, I cannot decide.", 0.0
    pick = gold if right else random.choice([letter for letter in letters if letter != gold])
    other = random.choice([letter for letter in letters if letter != pick])
    said = options[pick]
    forms = [
        pick,
        f"{pick}.",
        f"({pick})",
        f"**{pick}**",
        f"The answer is {pick}.",
        f"{pick}. {said}",
        f"Answer: {pick}",
        f"**Answer:** ({pick})",
        f"<think>First I thought of {other}, but no.</think>\n{pick}",
        f"<answer>{pick}</answer>",
        f"The best option is ({pick}).",
    ]
    if texts:
        forms += [said, said.upper(), f"**{said}**", f"Answer: {said}."]
    return random.choice(forms), float(pick == gold)


def yes_no(gold: bool, right: bool, random: Random) -> Reply:
    void = _void(random)
    if void is not None:
        return void
    if random.random() < 0.06:
        return "It could be yes or no.", 0.0
    said = gold if right else not gold
    word, other = ("yes", "no") if said else ("no", "yes")
    forms = [
        word,
        word.capitalize(),
        f"{word.upper()}.",
        f"**{word}**",
        str(said),
        f"{word.capitalize()}, that is what the picture shows.",
        f"<think>{other}? Let me look again.</think>\n{word}",
        f"The answer is {word}.",
    ]
    return random.choice(forms), float(said == gold)


_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def number(
    gold: float, miss: float, accepted: bool, right: bool, random: Random, unit: str = "", whole: bool = False
) -> Reply:
    """`miss`: a value that the rule does not accept. `accepted`: values near gold are drawn too."""
    void = _void(random)
    if void is not None:
        return void
    if random.random() < 0.06:
        return f"Somewhere between {gold:g} and {miss:g}.", 0.0
    value = gold if right else miss
    if right and accepted:
        value = float(f"{gold * random.choice([0.93, 0.97, 1.0, 1.04, 1.08]):.4g}")
    shown = f"{value:g}" if value < 1000 else f"{value:,.0f}"
    forms = [
        shown,
        f"{shown} {unit}".strip(),
        f"**{shown}**",
        f"About {shown} {unit}".strip() + ".",
        f"Answer: {shown}",
        f"I first had {miss + 3:g} in mind.\nAnswer: {shown} {unit}".strip(),
    ]
    if whole and value < len(_WORDS):
        forms += [_WORDS[int(value)], f"There are {_WORDS[int(value)]}."]
    return random.choice(forms), float(right)


def text(accepted: list[str], wrong: str, right: bool, random: Random) -> Reply:
    void = _void(random)
    if void is not None:
        return void
    said = random.choice(accepted) if right else wrong
    forms = [
        said,
        said.upper(),
        f"{said}.",
        f"The {said}",
        f"Answer: {said}",
        f"I had to think for a while.\nAnswer: {said}!",
    ]
    if random.random() < 0.1:
        return f"I would say that people call it {said}", 0.0
    return random.choice(forms), float(right)


def points(
    hits: list[tuple[float, float]],
    misses: list[tuple[float, float]],
    right: bool,
    random: Random,
    written: Callable[[tuple[float, float]], str],
    most: int = 1,
    tags: bool = True,
) -> Reply:
    """`hits`, `misses`: places well inside and outside, in pixels; `written`: one as the model writes it."""
    void = _void(random)
    if void is not None:
        return void
    count = random.randint(1, most)
    chosen = [(random.choice(hits if right or random.random() < 0.3 else misses)) for _ in range(count)]
    score = sum(one in hits for one in chosen) / count
    listed = ", ".join(written(one) for one in chosen)
    forms = [listed, f"[{listed}]", f"You will find it here: {listed}.", f"```json\n[{listed}]\n```"]
    if tags:
        stray = written(random.choice(misses))
        forms += [f"First I took {stray} for it.\nFinal answer: {listed}", f"<answer>[{listed}]</answer>"]
    return random.choice(forms), round(score, 6)
