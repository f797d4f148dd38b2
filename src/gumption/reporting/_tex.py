"""Any text as LaTeX that prints it letter by letter, whatever it holds."""

from __future__ import annotations

import re

__all__ = ["tex"]

_LETTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    # Curly in the text font, and a command in German.
    '"': r"{\ttfamily\char34}",
    # After \\ these would be its argument.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "…": r"\ldots{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
}
_SPECIAL = str.maketrans(_LETTERS)
_JOINED = re.compile(r"(?<=([-,]))(?=\1)")
"""Between signs that a font would join: two hyphens make a dash."""


def tex(text: str) -> str:
    r"""Nothing in `text` is a command: \ { } $ & # % _ ^ ~ and quotes stand for themselves.

    A line break is a space and any other control code U+FFFD. Letters beyond ASCII stay as they are: current
    LaTeX reads UTF-8, and those beyond its fonts need XeLaTeX or LuaLaTeX with a font that has them.
    """
    line = " ".join(text.split())
    plain = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
    return _JOINED.sub("{}", plain.translate(_SPECIAL))
