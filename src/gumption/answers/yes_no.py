"""Reading the yes or the no a reply settles on. Whole words only: "not sure", "nothing", "notice" are neither."""

from __future__ import annotations

import re

from gumption.answers._evidence import abstains, committed, explicit, first_line, plain, sentences, unread
from gumption.answers._reply import Passage, lower
from gumption.records import Reading

__all__ = ["read_yes_no"]

_ALONE = {
    **dict.fromkeys(("yes", "yep", "yeah", "yup", "true", "correct", "affirmative"), "yes"),
    **dict.fromkeys(("no", "nope", "nah", "false", "incorrect", "negative"), "no"),
    **dict.fromkeys(("是", "是的", "对", "对的", "有", "有的", "正确"), "yes"),
    **dict.fromkeys(("否", "不", "不是", "不是的", "没有", "不对", "错", "错误", "不正确"), "no"),
}
_STRIP = " \t\r\n.,;:!?'\"*_`#>()[]{}-~$\\"
_OPPOSITE = {"yes": "no", "no": "yes"}

_GOES_ON = (
    r"(?=['\")\]]{0,2}\s?(?:$|[.,;:!)\n(\[]|-{1,2}\s|\u2014|\u2013)(?!\s?\d)"
    r"|\s(?:it|there|this|that|the|they|he|she|we|i|you|because|since|as|for|based|given|due|but|though|although|with"
    r"|while|sorry|sir|if)\b)"
)
"""What follows an answer; "no cup", "no longer" and "No. 3" are none."""
_LEADING = re.compile(
    rf"""[\s'"*_`#>(\[-]{{0,8}}
    (?:(?:well|oh|ah|hmm+|um|ok|okay|actually|unfortunately|probably|likely|most\ likely|perhaps|maybe|possibly|definitely
       |certainly|clearly|obviously|indeed|indeed|simply|still|that|is|it|it's|a|the|answer|statement|therefore|so|thus|then
       |hence|i|think|believe|guess|say|i'd|would|be|clear|resounding|definite|no\ doubt)\b['",.:]?\s{{0,3}}){{0,5}}
    ['"*(]{{0,3}}
    (?: (?P<yes>yes|yep|yeah|yup)\b(?!\s?/)
      | (?P<no>(?:no|nope|nah)\b{_GOES_ON})
      | (?P<not>(?:is\ |are\ )?not\ (?:quite\ |entirely\ |really\ )?)?(?P<judged>true|false|correct|incorrect|affirmative|negative)
        \b{_GOES_ON} )""",
    re.VERBOSE,
)
_CHINESE = re.compile(r"(是的|对的|有的|是|对|有|正确|不是的|不是|不对|不正确|没有|否|不|错误|错)(?=[,.!;:\s]|$)")
_BOTH = re.compile(
    r"\b(?:yes|true|correct)['\"]?(?:\s?/\s?|-or-|\s?,?\s(?:or|and|nor|but\salso)\s(?:also\s)?)['\"]?(?:no|false|incorrect)\b"
    r"|\b(?:no|false|incorrect)['\"]?(?:\s?/\s?|-or-|\s?,?\s(?:or|and|nor)\s(?:also\s)?)['\"]?(?:yes|true|correct)\b"
)
_QUESTION_TALK = re.compile(r"\s(?:question|answer|response|reply|format|decision)")
_WORD = re.compile(
    rf"(?:yes|yep|yeah|yup)\b(?!-)|(?:no|nope|nah)\b{_GOES_ON}"
    rf"|(?:true|false|correct|incorrect|affirmative|negative)\b(?:{_GOES_ON}|(?=\sthat\b))"
)
