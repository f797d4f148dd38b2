"""Which part of a reply counts, as a README says it."""

from __future__ import annotations

import re
from itertools import pairwise

from gumption.synthesis.offline._statements import Statement, Statements

__all__ = ["region_of"]

_READS = re.compile(
    r"repl(?:y|ies)|responses?|outputs?|predictions?|models?\b|answers?\b.*(?:tag"
    r"|mark)|\bwe (?:read|take|look|use)"
    r"|counts?\b|look(?:ed)? (?:there|at)|extract|pars|which number|what (?:stands"
    r"|follows|comes)|\bwhatever\b|(?:is|are|gets?) (?:read|taken|compared|graded|judged|scored|marked|parsed"
    r"|checked|evaluated)|\bsplit\b|\bcontents?\b|\binside\b"
    r"|\b(?:disregard|ignore|skip)\b[^.;]{0,30}\bbefore\b|\bbetween\b|\btakes?\b|\bread\b|\boccurs?\b"
    r"|\bappears?\b"
)
_NONE = re.compile(
    r"\bno (?:special )?(?:answer )?(?:tags?|markers?|(?<=special )marks?|(?<=answer )marks?)\b(?! (?:and"
    r"|or) )"
    r"|(?:do not|don't|never|not) (?:look for|use|parse|search for|strip|extract"
    r"|interpret|treat)\b.{0,40}\b(?:tags?|marks?|markers?)"
    r"|(?:tags?|marks?|markers?)\b[^,;.]{0,40}\b(?:are|is|have|has) (?:not|no) (?:special"
    r"|parsed|meaning|removed|looked)"
)
_TAG = re.compile(r"<\s?([A-Za-z][\w -]{0,20})\s?>")
_MARK = re.compile(
    r"(?<!\w)[`\"'\u201c\u2018]\s?((?:[A-Za-z#][\w"
    r" #-]{1,30})\s?[:=])[^`\"'\u201d\u2019]{0,12}[`\"'\u201d\u2019]"
    r"|(?<!\w)((?:[Ff]inal [Aa]nswer|FINAL ANSWER|ANSWER|Answer)\s?:)"
)
_NOT_A_MARK = re.compile(
    r"\b(?:questions?|prompts?|options?|rows?|entr(?:y|ies))\b[^.;]{0,20}(?:starts?|begins?) with"
    r"|block|\bfile\b|column|field|separat|line `?[a-z]{1,2}:"
)
_ASKING = re.compile(
    r"^(?:please )?(?:show|ask|put|give|prompt|tell|send|present|let|write)\b|\bprompt\b|\binstruction\b"
    r"|\b(?:is|are|was|were|be) (?:asked|told|shown|instructed|presented|given)\b|\bask(?:s|ed)? (?:it"
    r"|the|for)\b"
)
"""What is said of the request, where a mark may stand as well."""
_SIGNS = re.compile(
    r"(\[\[|\{\{|<<|\(\()\s?[\w. ]{0,12}\s?(\]\]|\}\}|>>|\)\))"
    r"|(?<![#|$])(##|\|\||\$\$)(?= ?\w)[\w. ]{1,12}(\3)(?![#|$])"
)
"""Pairs of signs; of the same sign, only around something and not in a longer run."""
_AFTER = re.compile(
    r"\b(?:(?:after|behind|follow(?:s|ing)?|past)|split (?:at|on|by))(?: (?:the|a|an|any"
    r"|its))?(?: (?:last|final|very"
    r"|sign|mark|marker|symbol|string|separator|delimiter|sequence|line))*"
    r" (?:[`\"']([^\w\s`\"']{1,8})[`\"']|(\#{2,6}|=+>|-+>)(?!\S))"
)
"""A sign behind which the answer stands."""
_AWAY = re.compile(
    r"\b(?:thrown|throw|strip\w*|remov\w+|drop\w*|ignor\w+|discard\w*|delet\w+|cut|skip\w*|disregard\w*"
    r"|filter\w*|left out|taken out|not (?:be )?(?:read|look\w*|scored|graded|part|count\w*|consider\w*"
    r"|used|parsed)"
    r"|never (?:read|look\w*|scored|graded|counts?|considered|used)|does not count|do not count|outside)\b"
)
"""Said of what stands in tags that do not hold the answer."""
_BRACKETS = (
    (r"double (?:square )?brackets", "between:[[ ]]"),
    (r"double (?:curly )?braces", "between:{{ }}"),
    (r"square brackets", "between:[ ]"),
    (r"curly (?:braces|brackets)", "between:{ }"),
)
_JSON = re.compile(r"json|\bkey\b|\bobject\b")
_KEY = re.compile(r"[`\"']([A-Za-z]\w{0,30})[`\"']")
_PIECES = (
    (
        "last_line",
        r"\b(?:last|final|bottom)(?: (?:non-?empty|non-?blank|written))? line\b|\bline at the end\b",
    ),
    ("first_line", r"\b(?:first|top|opening)(?: (?:non-?empty|non-?blank))? line\b"),
    ("last_sentence", r"\b(?:last|final|closing) sentence\b"),
    ("first_sentence", r"\b(?:first|opening) sentence\b"),
    ("first_character", r"\b(?:first|very first|opening) (?:character|char|symbol)\b"),
    ("first_word", r"\b(?:first|very first|opening) (?:word|token)\b"),
    ("last_word", r"\b(?:last|very last|final) (?:word|token)\b"),
)
_ELSE = re.compile(
    r"\botherwise\b|\belse\b|\bif (?:it|that|this) is(?: not|n't)\b|\bif (?:not|neither|there is none"
    r"|there is no\b|it is missing"
    r"|neither)|\bfall(?:s|ing)? back"
    r"|\bwithout (?:one|it|them|such|a (?:tag|mark)|any|either)"
    r"|\bwhen (?:there is none|it is missing|neither)"
    r"|\b(?:has|have|with|contains?|uses?|holds?) (?:neither|none)\b"
)
_ALL_OF_IT = re.compile(
    r"\b(?:whole|entire|complete|full) (?:\w+ )?(?:reply|response|answer|output|text|thing)\b"
    r"|\b(?:all|everything) (?:of (?:it|the (?:reply|response|answer|output))"
    r"|(?:that )?it (?:writes|says|wrote|said))"
    r"|\b(?:reply|response|answer|output|text)\b[^.;]{0,12}"
    r"\b(?:from (?:the )?(?:beginning|start) to (?:the )?end|as a whole|in full|itself|as it (?:is|stands))\b"
    r"|\b(?:read|taken|compared|graded|scored|used|counts)"
    r" (?:from (?:the )?(?:beginning|start) to|as a whole\b|in full\b)"
)
"""That all of a reply counts where it has no mark."""
_IN_REPLY = re.compile(
    r"\b(?:in|of|from|anywhere in) (?:the|its) (?:\w+ )?(?:reply|response|answer|output|text)\b"
)
_MUST = re.compile(
    r"(?:(?:without|no|lacks?|missing|omits?|outside|not in"
    r"|not inside)\b[^.;]{0,60}\b(?:tags?|marks?|markers?|box(?:ed)?|brackets|braces"
    r"|line|format)\b|\b(?:without|outside|not in) (?:it|one)\b)[^.;]{0,60}(?:\b0\b|zero|wrong|incorrect"
    r"|nothing|fail"
    r"|not (?:read|scored|counted)|no (?:point|credit|answer)"
    r"|unanswered|unread|a miss|no score|ignored)"
    r"|\b(?:0|zero|wrong|no (?:point|credit))\b[^.;]{0,30}\b(?:if|when"
    r"|for)\b[^.;]{0,40}\b(?:no|without|missing)\b[^.;]{0,20}"
    r"\b(?:tags?|marks?|markers?|box|boxed|brackets)\b"
    r"|\b(?:tags?|marks?|markers?|box|brackets|it|one)\b (?:is|are) (?:missing|absent"
    r"|not there|left out|forgotten)[^.;]{0,60}"
    r"(?:\b0\b|zero|wrong|incorrect|nothing|no (?:point|credit)|a miss|not scored)"
)
_ALL_ELSE = re.compile(
    r"^(?:anything|everything|all) else\b[^.;]{0,40}\b(?:0|zero|wrong|nothing|an? (?:miss|error))\b"
)
_IN_CASE = re.compile(r"\b(?:if|where|when|after|behind|follow\w*|lines?)\b")
_OF_ANSWERS = re.compile(r"mark:|answer_")
"""What stands in replies, whatever else a sentence says that names it."""
_IN_DATA = re.compile(r"\b(?:csv|tsv|jsonl?|txt|file|header|column|row)\b")


def region_of(readme: Statements, default: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """The parts in the order in which they are looked for, and whether the README says anything on them."""
    apart: list[str] = []
    pieces: list[str] = []
    fallback = ""
    for statement in readme:
        if _NONE.search(statement.low):
            readme.use(statement)
            return ("whole",), True
        goes_on = apart and _ELSE.match(re.sub(r"^\W*\d[.)]\s*", "", statement.low))
        reads = bool(_READS.search(statement.low) or goes_on)
        if not reads and (_ASKING.search(statement.low) or not _IN_CASE.search(statement.low)):
            continue
        before, after = _halves(statement)
        named = [one for one in _apart(before, statement) if reads or _OF_ANSWERS.match(one)]
        found = _pieces(before) if not _IN_DATA.search(before) else []
        turned = re.split(r"[,;] ", before)[-1] if after else ""
        stages = [one for one in _ELSE.split(after) if re.search(r"\w", one)]
        otherwise = _pieces(after) or (["whole"] if _ALL_OF_IT.search(f"{turned} {after}") else [])
        if len(stages) > 1 and not _pieces(stages[-1]):
            otherwise = ["whole"]  # whose reader takes what stands first before what stands alone
        if named or found or (otherwise and apart):
            readme.use(statement)
        apart += [
            one
            for one in (*named, *_apart(after, statement))
            if one not in apart and (reads or _OF_ANSWERS.match(one))
        ]
        if (named or (apart and not found)) and otherwise:
            fallback = fallback or otherwise[0]
        elif found and (goes_on or re.search(r"\bwithout\b|\bno (?:tag|mark)", before)) and apart:
            fallback = fallback or found[0]
        elif goes_on and fallback and not found and (_ALL_OF_IT.search(before) or _IN_REPLY.search(before)):
            readme.use(statement)
            fallback = "whole"
        else:
            pieces += [one for one in found if one not in pieces]
    must = [*readme.find(_MUST), *_without_sign(readme, apart)] if apart else []
    last = readme.used[-1:] if apart else []
    must += [
        two
        for one, two in pairwise(readme)
        if one in last and _ALL_ELSE.search(two.low) and not re.search(r'"[^"]{2,60}"', two.low)
    ]
    must = [one for one in must if not re.search(r"\bmore than one|several|two\b", one.low)]
    if "boxed" not in apart:  # a box may be what is to be hit
        must = [one for one in must if not re.search(r"\bbox\b", one.low)]
    readme.use(*must)
    if not apart and not pieces:
        return default, False
    if "answer_mark" in apart:
        apart = [one for one in apart if one != "mark:Final answer:"]
    if not apart:
        return tuple(pieces[:1]), True
    if must and not fallback and not pieces:
        return tuple(apart), True
    return (*apart, fallback or (pieces[0] if pieces else "whole")), True


_LACKING = r"\b(?:without|no|lacks?|lacking|misses|missing|omits?)(?: an?| any| the| such| such an?)?"
_WORTHLESS = r"(?:\b0\b(?!\.\d)|\b(?:zero|wrong|nothing|incorrect|fails?|no points?|no credit|no score)\b)"


def _without_sign(readme: Statements, apart: list[str]) -> list[Statement]:
    """Statements by which a reply without one of the quoted signs is worth nothing."""
    found = []
    for part in apart:
        kind, _, name = part.partition(":")
        sign = {"answer_mark": "answer:", "answer_tag": "<answer>", "tag": f"<{name.lower()}>"}.get(kind, "")
        sign = sign or (name.lower() if kind in ("after", "mark") else "")
        if sign:
            quoted = rf"[`\"'\u201c]?{re.escape(sign)}[`\"'\u201d]?"
            lacking = rf"{_LACKING} {quoted}"
            absent = (
                rf"{quoted}(?: tag| mark| sign)? (?:is|are) (?:missing|absent|not there|left out|forgotten)"
            )
            without = rf"(?:{lacking}|{absent})"
            found += readme.find(rf"{without}[^.;]{{0,60}}{_WORTHLESS}|{_WORTHLESS}[^.;]{{0,40}}{without}")
    return found


def _thrown_away(said: str, match: re.Match[str]) -> bool:
    """Whether a tag is named because what stands in it is not read."""
    start = max((said.rfind(sign, 0, match.start()) for sign in (";", ". ", ", ")), default=-1) + 1
    end = re.search(r"[;]|\.\s|,\s", said[match.end() :])
    clause = said[start : match.end() + end.start() if end else len(said)]
    return bool(_AWAY.search(clause))


def _halves(statement: Statement) -> tuple[str, str]:
    """What is said, and what is said for the other case."""
    cut = _ELSE.search(statement.low)
    if cut is None or cut.start() == 0:
        return statement.low, ""
    return statement.low[: cut.start()], statement.low[cut.start() :]


def _apart(said: str, statement: Statement) -> list[str]:
    """Tags, marks, boxes and brackets that a sentence names, in its order."""
    found: list[tuple[int, str]] = []
    for match in _TAG.finditer(said):
        name = match[1].strip()
        if _thrown_away(said, match):
            continue
        if not re.search(r"pics?/|\.png|\.jpg|\.json", said[max(0, match.start() - 12) : match.end() + 8]):
            found.append(
                (match.start(), "answer_tag" if name in ("answer", "final_answer") else f"tag:{name}")
            )
    spoken = re.search(r"\banswer tags?\b|\btags? (?:called|named) answer\b", said)
    if not found and spoken:
        found.append((spoken.start(), "answer_tag"))
    for match in _MARK.finditer(" ".join(statement.text.split())):
        mark = (match[1] or match[2]).strip()
        at = said.find(mark.lower())
        if at < 0 or len(mark.rstrip(" :=")) < 3 or _NOT_A_MARK.search(said[max(0, at - 30) : at + 2]):
            continue
        plain = mark.lower().rstrip(" :")
        named = {"answer": "answer_mark", "final answer": "mark:Final answer:"}.get(plain, f"mark:{mark}")
        found.append((at, named))
    if (at := said.find("boxed")) >= 0:
        found.append((at, "boxed"))
    signs = _SIGNS.search(said)
    if signs:
        found.append((signs.start(), f"between:{signs[1] or signs[3]} {signs[2] or signs[4]}"))
    else:
        for pattern, name in _BRACKETS:
            around = re.search(
                rf"(?:inside|in|within|between|put in|wrapped in|enclosed (?:in|by)) (?:the )?{pattern}", said
            )
            if around:
                found.append((around.start(), name))
                break
    sign = _AFTER.search(said)
    if sign:
        found.append((sign.start(), f"after:{sign[1] or sign[2]}"))
    key = _KEY.search(said) if _JSON.search(said) and re.search(r"json", said) else None
    if key and re.search(r"\b(?:key|field|entry|member|object)\b", said):
        found.append((key.start(), f"json:{key[1]}"))
    return list(dict.fromkeys(name for _, name in sorted(found)))


def _pieces(said: str) -> list[str]:
    found = [
        (match.start(), name)
        for name, pattern in _PIECES
        if (match := re.search(pattern, said))
        and not re.search(r"\b(?:ask|tell|prompt)\b", said[: match.start()])
    ]
    return [name for _, name in sorted(found)]
