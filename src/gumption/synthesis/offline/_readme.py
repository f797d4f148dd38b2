"""What a README says of each column, and which of it is addressed to machines.

Its words are looked for, never followed: a README can at most describe a column wrongly, and then
the data decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

__all__ = ["entries", "notes", "sentences", "without_orders"]

_BULLET = re.compile(r"\s*(?:[-*+•]\s|\d+[.)]\s|\|)")
_DEFINED = re.compile(r"\s+\S.{0,60}?(?: {2,}|\t)\S|\S.{0,40}?(?: {2,}|\t)\S")
_ORDERS = re.compile(
    r"(?i)ignore (?:all |any |the |your )*(?:previous|earlier|prior|above|other)|"
    r"\b(?:ai|llm) (?:agents?|models?|assistants?|systems?)\b.{0,40}:|system prompt"
    r"|disregard (?:all |any |the |your |these |those )*(?:previous|earlier|prior|above|other"
    r"|instructions?|rules?)|"
    r"you are (?:now )?an? (?:ai|assistant|agent|language)|"
    r"as an (?:ai|assistant)|(?:give|assign|set) (?:every|all) (?:reply|replies|item|score)"
)
_WHOLE = re.compile(
    r"[`*]*(?:\s*[:=|]|\s*-{1,2}\s|\s*[–—]|\s{2,}|\s*(?:is|was|are|has|have|holds?"
    r"|contains?|gives?|means?|tells?)\b)"
)
"""What follows a name, or several, and is about all of them."""
_RELATIVE = re.compile(r"[`*]*, (?:which|that|who)\b")
"""... as this is, which is about the last."""
_FURTHER = re.compile(r"[`*]*\s*[:(=]")
_NEXT = re.compile(r",\s+and `[^`]{1,40}`,? (?!to\b)(?=\w)")
"""Where a list goes on with a name that is no column's."""
_EDGES = " \t:|-–—,;.`*()="
_BETWEEN = re.compile(r"(?:[\s,/&|`*_…]|\.(?!\s))*(?:and|or|to|through|-|–)?(?:[\s,/&`*_…]|\.(?!\s))*")
_LEADING = re.compile(
    r"^(?:[\s,;:.(]|and\b|or\b|in\b|its\b|the\b|a\b|an\b|has\b|with\b|is\b|are\b)+", re.IGNORECASE
)
_BEGIN = "(?:(?<=^)|(?<=^[-*+|] )|(?<=^ )|(?<=^  )|(?<=^   )|(?<=^    ))"
_LISTED = re.compile(r"\s*(?:and )?([\w.#-][\w .#-]{0,40}?)\s*(?:\(([^()]{1,200})\))?\s*")
_APART = re.compile(r",(?![^()]*\))")
_LONGEST = 600


def without_orders(text: str) -> tuple[str, bool]:
    """The text without paragraphs that speak to a machine, and whether there were any."""
    kept = [one for one in re.split(r"\n\s*\n", text) if not _ORDERS.search(one)]
    whole = len(re.split(r"\n\s*\n", text))
    return "\n\n".join(kept), len(kept) < whole


def entries(text: str) -> list[str]:
    """Bullets, rows of tables, lines of definitions and running paragraphs, each on one line."""
    out: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        current = ""
        for line in block.splitlines():
            if _BULLET.match(line) or _DEFINED.match(line):
                out.append(current)
                current = line
            else:
                current = f"{current} {line.strip()}" if current else line
        out.append(current)
    return [one.rstrip() for one in out if one.strip() and not re.fullmatch(r"[|\s:=-]+", one)]


def sentences(text: str) -> list[str]:
    """Sentences of all entries, without a full stop."""
    found: list[str] = []
    for entry in entries(text):
        found += re.split(r"(?<=[a-z0-9)`\"'])(?<![`(][a-j0-9])[.!?;](?=\s|$)(?! to \w[.)])", entry)
    return [one.strip() for one in found if one.strip()]


def notes(text: str, names: Sequence[str]) -> dict[str, str]:
    """What the README says of each column that it names. A range such as `A` to `D` names all in between."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for entry in entries(text):
        for name, told in _bare(entry, names):
            found[name].append(told)
        mentions = _mentions(entry, names)
        for (first, last), told in _descriptions(entry, mentions):
            named = list(dict.fromkeys(name for _, _, name in mentions[first : last + 1]))
            for name in _filled_in(named, names, entry[mentions[first][1] : mentions[last][0]]):
                if told:
                    found[name].append(told)
    return {name: " / ".join(told)[:_LONGEST] for name, told in found.items() if told}


def _bare(entry: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What stands in brackets behind names of a plain list of columns: `photo (also the id), kind, value`."""
    for sentence in re.split(r"(?<=[a-z0-9)])[.;](?=\s|$)", entry):
        listed = [_LISTED.fullmatch(one) for one in _APART.split(sentence.rpartition(": ")[2])]
        known = [one for one in listed if one and one[1] in names]
        if len(known) >= 3 and len(known) * 2 > len(listed):
            yield from ((one[1], one[2]) for one in known if one[2])


def _mentions(entry: str, names: Iterable[str]) -> list[tuple[int, int, str]]:
    """Where columns are named: begin, end, name. Short plain names count as code or where a line begins."""
    found: list[tuple[int, int, str]] = []
    for name in sorted(names, key=len, reverse=True):
        bare = name.rpartition(".")[2] or name
        for said in dict.fromkeys((name, bare)):
            quoted = re.escape(said)
            code = rf"[`\"']{quoted}(?:\[\]|:|=)?[`\"']"
            begins = rf"{_BEGIN}{quoted}(?=\s{{2,}}|\s*[:|=]|,)"
            word = rf"(?<![\w`]){quoted}(?![\w`])"
            plain = len(said) >= 4 and (not said.isalpha() or not said.islower())
            for match in re.finditer(f"{code}|{begins}" + (f"|{word}" if plain else ""), entry):
                if all(match.end() <= start or match.start() >= end for start, end, _ in found):
                    found.append((match.start(), match.end(), name))
    listed = re.match(r"\s*(?:[\w .]{1,30},\s*)+[\w .]{1,30}?(?= {2,})", entry)
    if listed:  # `opt_a, opt_b, opt_c    the options`
        for name in names:
            again = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", listed.group())
            if again and all(again.end() <= start or again.start() >= end for start, end, _ in found):
                found.append((again.start(), again.end(), name))
    return sorted(found)


def _descriptions(entry: str, mentions: Sequence[tuple[int, int, str]]) -> list[tuple[tuple[int, int], str]]:
    """Runs of mentions with what is said of them: what follows, or what leads up to them."""
    out: list[tuple[tuple[int, int], str]] = []
    first = 0
    for n, (begin, end, _) in enumerate(mentions):
        after = entry[end : mentions[n + 1][0] if n + 1 < len(mentions) else len(entry)]
        if n + 1 < len(mentions) and _BETWEEN.fullmatch(after):
            continue
        if (
            n == first == 0
            and begin < 8
            and _WHOLE.match(after)
            and not _FURTHER.match(entry[mentions[-1][1] :] if len(mentions) > 1 else "")
        ):
            return [((0, 0), entry[end:].strip(_EDGES))]  # a definition: the rest of the line is about it
        told = re.split(r"(?<=[a-z0-9)`])\.\s", after)[0]
        ends = n + 1 == len(mentions) or told != after
        shared = bool(_WHOLE.match(after) or _RELATIVE.match(after))
        start = first if shared else _tied(entry, mentions, first, n)
        if not shared and not after.lstrip().startswith("("):
            before = entry[mentions[start - 1][1] if start else 0 : mentions[start][0]]
            led = _LEADING.sub("", re.split(r"[),;:.]\s", before)[-1]).strip(" `*|-").split()[-4:]
            told = " ".join([*led, told] if ends or not led else led)
        told = _NEXT.split(told)[0].strip(_EDGES)
        if re.search(r"\w", told):
            out.append(((start, n), told))
        first = n + 1
    return out


def _tied(entry: str, mentions: Sequence[tuple[int, int, str]], first: int, last: int) -> int:
    """From which mention on those up to `last` are one: joined by `and` or `to`, not listed after commas."""
    while last > first and "," not in entry[mentions[last - 1][1] : mentions[last][0]]:
        last -= 1
    return last


def _filled_in(named: list[str], names: Sequence[str], between: str) -> list[str]:
    """With a range's first and last name, also those in between."""
    if len(named) != 2 or not re.search(r"\bto\b|\.\.|…|–|-|through", between):
        return named
    one, two = (list(names).index(name) for name in named)
    return list(names[one : two + 1]) if one < two else named
