"""What a README says of the whole: how items become one score, and rules that no recipe follows."""

from __future__ import annotations

import re

from gumption.synthesis.offline._statements import Statement, Statements
from gumption.synthesis.offline._verdicts import refused

__all__ = ["is_macro", "left_over", "unread", "unread_mean", "unsupported"]

_GROUP = (
    r"(?:categor(?:y|ies)|types?|topics?|genres?|tasks?|kinds?|class(?:es)?|skills?|subjects?|levels?"
    r"|themes?|areas?|groups?"
    r"|sections?|subsets?|splits?|domains?|parts?|scenes?|rooms?|sets?)"
)
"""What items may be grouped by."""
_MACRO = re.compile(
    rf"\b(?:all|every|each|both|the)(?: of the)? (?:\w+ )?{_GROUP}\b[^.;]{{0,30}}\b(?:weighs?|weighted"
    rf"|counts?|has|have|gets?"
    r"|with)\b[^.;]{0,12}\b(?:the same|equal(?:ly)?|alike)(?: weights?)?"
    rf"|\b(?:mean|average) (?:of|over|across) (?:the )?(?:per-\w+|\w+-wise"
    rf"|{_GROUP}[- ](?:level )?(?:means?|averages?|accurac\w+"
    r"|scores|results))\b"
    r"|\b(?:averaged?|mean|accuracy)\b[^.;]{0,15}\b(?:within|inside|in|on|for"
    r"|of) [\w`\"' -]{1,30}[,;][^.;]{0,80}\b(?:mean|average)"
    r" of (?:the |these |those )?(?:two|three|four|five|six|seven|eight|both)\b"
    r"|\b(?:mean|average) of (?:the |these |those |its )?(?:[\w-]+ ){0,3}(?:means|averages|accuracies)\b"
    r"|\bunweighted (?:mean|average) (?:over|of|across) (?:the )?(?!questions"
    r"|items|entries|rows|samples)\w+"
    r"|\b(?:averaged?|mean|accuracy)\b[^.;]{0,40}\b(?:within|inside|in|for|per|of"
    r"|by) (?:each|every|a) \w+[^.;]{0,40}\b(?:then|first|after that|afterwards"
    r"|and the (?:mean|average))"
    r"|\beach (?:category|type|topic|genre|task|kind|class|skill|subject|level|theme"
    r"|area)\b[^.;]{0,30}\b(?:weighs?|counts?) (?:the same|equally)"
    r"|\bfirst (?:per|by|within|inside|for each) \w+[^.;]{0,30}\bthen\b"
    r"|\baverag\w+ (?:first )?(?:over|across) (?:the )?(?:categories|genres|types"
    r"|topics|tasks|kinds|classes|skills|subjects|levels|themes|areas)\b"
)
_UNSUPPORTED = (
    (
        r"\b(?:gpt|llm|claude|gemini|language model|judge model|human|annotators?|raters?"
        r"|people|experts?|volunteers?)\b[\w -]{0,40}\b(?:judges?|grades?|graded|rates?"
        r"|rated|decides?|scores?|scored|compares?|checks?)\b|\b(?:judged|graded|rated"
        r"|scored|decided) by (?:an? |the |two |three |our )?(?:gpt|llm|claude|gemini"
        r"|language model|model|judge|human|annotator|rater|person|people|expert)"
        r"|\bllm[- ]as[- ]a[- ]judge",
        "a judge decides",
    ),
    (
        r"\b(?:bleu|rouge|cider|meteor|bert-?score|spice|word error rate|wer|levenshtein"
        r"|edit distance|anls|cosine|embeddings?|semantic(?:ally)? similar\w*)\b",
        "the metric is none of the recipes",
    ),
    (r"\b(?:iou|intersection[- ]over[- ]union|giou|dice)\b", "the overlap of regions is none of the recipes"),
    (
        r"\b(?:brier|auc|spearman|pearson|kendall|log[- ]?loss|calibration)\b",
        "the metric is none of the recipes",
    ),
    (
        r"(?:^|\b(?:costs?|gets?|gives?|scores?|is|are|earns?|brings?|means?),?:? )minus\b(?! signs?\b)"
        r"|\bminus (?:an? |one |half |\d*\.?\d+ )[^.;,]{0,15}\b(?:points?|credits?|marks?)\b"
        r"|\b(?:subtract\w*|deduct\w*|penal\w+|negative (?:points?|marks?|marking"
        r"|score)|loses?) [^.;]{0,40}(?:points?|credit|marks?|score|wrong|half|quarter|\d)"
        r"|(?<![\w.] )[-\u2212]\s?(?:1|0?\.\d+) (?:for|if|when|points?)|\b(?:scores?|is|gets?"
        r"|counts?) [-\u2212]\s?(?:1|0?\.\d+)\b",
        "scores below 0 cannot be",
    ),
)
_NO = re.compile(r"\b(?:no|not|never|nothing|without|don't|nor|isn't|neither)\b")
_ODD = re.compile(
    r"\bhalf (?:a |the )?(?:point|credit|mark|score)|\b(?:counts?|scores?|worth|gets?"
    r"|gives?|is|for) (?:a )?(?:half|quarter|third|0?\.\d+)\b"
    r"|\bpartial(?:ly)? (?:credit|right|correct)|\bquarter (?:of )?(?:a )?(?:point"
    r"|credit|mark)"
    r"|\bbonus\b|\bweight(?:ed|s)? (?:by|with|of|double|twice)|\bcounts? (?:double"
    r"|twice|more|less)\b|\bchance[- ](?:level|adjusted|corrected)"
    r"|\bguessing\b[^.;]{0,20}\bcorrect"
    r"|\b(?:skipped|left out of|excluded|dropped from|not counted at all"
    r"|removed from) [^.;]{0,20}\b(?:mean|average|score|statistics|evaluation)\b"
    r"|\bsynonyms?\b|\bfuzzy\b|\btypos?\b|\bmisspell"
)
_EXAMPLE = re.compile(r"\bgives? (?:0?\.\d+|1/2)|\bhits? (?:gives?|scores?)|\bfor example\b|\be\.g\.|^so\b")


def is_macro(readme: Statements) -> bool:
    """Whether categories are averaged first."""
    return readme.says(_MACRO, r"\bplain mean\b|\bover (?:all )?(?:questions|items)\b$|\brange\b|\bends\b")


def unread_mean(readme: Statements, category: str) -> list[str]:
    """Sentences on a mean beside what items are grouped by, on which nothing rests."""
    group = rf"{_GROUP}|{re.escape(category.lower())}s?" if category else _GROUP
    mean = r"\b(?:mean|averag\w+)\b"
    pattern = rf"{mean}[^.;]{{0,60}}\b(?:{group})\b|\b(?:{group})\b[^.;]{{0,60}}{mean}"
    return [
        f"how items become one score was not understood: {one.text}"
        for one in readme.find(pattern, _OVER_ITEMS)
        if one not in readme.used
    ]


_OVER_ITEMS = (
    r"\b(?:over|of|across) (?:all |the |all the |its )?(?:\d+ )?(?:items|questions|rows|answers|entries"
    r"|samples|replies|tasks|points"
    r"|scores?)\b|\bplain (?:mean|average)\b"
)


def unsupported(readme: Statements) -> list[str]:
    """Why no recipe can score as the README says, one reason each."""
    found = []
    for pattern, reason in _UNSUPPORTED:
        for one in readme.find(pattern):
            match = re.search(pattern, one.low)
            if match and not _NO.search(one.low[max(0, match.start() - 40) : match.end() + 20]):
                found.append(f"{reason}: {one.text}")
                break
    return found


def left_over(readme: Statements) -> list[str]:
    """Rules of uncommon credit on which nothing rests so far."""
    found = []
    for one in readme.find(_ODD):
        match = _ODD.search(one.low)
        if one in readme.used or not match or _EXAMPLE.search(one.low):
            continue
        if not _NO.search(one.low[max(0, match.start() - 12) : match.start()]):
            found.append(f"a rule was not understood: {one.text}")
    return found


_OF_REPLIES = re.compile(
    r"\brepl(?:y|ies)\b|\bresponses?\b|\banswers?\b|\bpredictions?\b|\boutputs?\b"
    r"|\bletters?\b|\bguess(?:es)?\b|\bestimates?\b"
)
_RULES = re.compile(
    r"\bif\b|\bwhen\b|\bwhere\b|\bonly\b|\botherwise\b|\belse\b|\bmust\b|\bhas to\b"
    r"|\bhave to\b|\bwe (?:take|read|use|drop|remove|accept|count|ignore)"
    r"|^(?:take|read|use|drop|remove|accept|count|ignore|strip|compare|round|convert"
    r"|replace|cut|split)\b|\bexcept\b|\bunless\b|\binstead\b|\bcounts?\b|\bignored?\b"
    r"|\baccepted\b|\bnot allowed\b"
)
_PLAIN = re.compile(
    r"^otherwise\b|^`\w+`|\bis the (?:right|correct|good) (?:one|option|answer|choice|candidate)\W*$"
    r"|\bseparated by\b|\ball points in\b|\bwhite ?space\b|^(?:score = |one"
    r"|1)\b.{0,60}\b(?:right|good|correct)\b|"
    r"\b(?:refus\w+|no (?:answer|option|number|point|text|reply|readable|credit|yes)"
    r"|unreadable|unpars\w+|nothing|none|empty|missing|otherwise,? (?:it is )?(?:0"
    r"|zero|wrong))\b"
    r"|\b(?:right|correct|1|one point)\b.{0,60}\b(?:0|zero|wrong|else|otherwise|none|not)\b"
    r"|^(?:please )?(?:show|ask|tell|prompt|put|list|give the|use the messages|let)\b"
    r"|\bthe models? (?:is|was|are|were|has to|have to|must|should|may|gets?"
    r"|chooses?)\b|\bplease\b"
    r"|\bprobably\b|\babout\b|\broughly\b|\bin our runs\b|\bmodels? (?:must|should"
    r"|answer|may|reply|has|write)|\bdo(?:es)? not matter\b|\bmean over\b|\bcolumns?\b"
    r"|\bfiles?\b|\bfields?\b|\bkeys?:|\bquestions?\b.{0,40}\b(?:short|open|about"
    r"|with)\b"
)


_MEASURED = re.compile(
    r"\d ?%|\bper ?cent\b|\b(?:half|halves|thirds?|quarters?|tenths?|first|last|any of|every|each"
    r"|at least one|twice"
    r"|double|all but)\b"
)
_OF_SCORES = re.compile(
    r"\b(?:scor\w+|credit\w*|marks?|marked|graded?|grading|points?|counts?|worth|correct|right|wrong"
    r"|accept\w*|solved|earns?)\b"
)


def unread(readme: Statements) -> list[str]:
    """Sentences that seem to be rules on replies and on which nothing rests, and those amid such rules."""
    worthless = [one for one, _ in refused(readme)]
    amid = [one for one in _amid(readme, worthless) if one not in worthless]
    return [
        f"this may be a rule that was not read: {one.text}"
        for one in readme
        if one not in readme.used
        and (
            (
                _OF_REPLIES.search(one.low)
                and (
                    (_RULES.search(one.low) and not _PLAIN.search(one.low))
                    or (
                        _MEASURED.search(one.low)
                        and _OF_SCORES.search(one.low)
                        and not _ASKED.search(one.low)
                    )
                )
            )
            or (
                one in amid
                and not _LEADS.search(one.low)
                and not _PLAIN.search(one.low)
                and not _ASKED.search(one.low)
            )
        )
    ]


_LEADS = re.compile(
    r"^(?:\W*\w+){1,5}\W*$(?<!\d)|^so ask\b|[:?]\W*$|\brecorded\b|`[\w./-]+\.\w+`|^(?:for example|e\.g\.)"
    r"|\bprompt\b"
    r"|\bfinal figure\b|\bplain accuracy\b"
)
"""What only leads to rules or tells of files."""


def _amid(readme: Statements, worthless: list[Statement]) -> list[Statement]:
    """The statements between those of one heading on which rules rest: they speak of the same."""
    found: list[Statement] = []
    for heading in dict.fromkeys(one.heading for one in readme.used):
        section = [one for one in readme if one.heading == heading]
        at = [n for n, one in enumerate(section) if one in readme.used or one in worthless]
        if at:
            found += section[at[0] : at[-1] + 1]
    return found


_ASKED = re.compile(
    r"^(?:please )?(?:show|ask|tell|prompt|put|list|give|send|use the messages|let|present|end)\b|\bplease\b"
    r"|\bmodels? (?:must|should|has to|have to|gets?|is|are)\b|\bmean over\b|\bcolumns?\b|\bfiles?\b"
    r"|\bfields?\b"
)
