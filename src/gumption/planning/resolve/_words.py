"""The small words of phrases: what is stripped, what says which one, what says where. Data only."""

from __future__ import annotations

__all__ = [
    "ADJECTIVES",
    "ARTICLES",
    "HEIGHTS",
    "HELD",
    "NEAR",
    "ORDINALS",
    "ORIGIN",
    "OTHER",
    "PARTS",
    "PIECES",
    "PLACES",
    "PREPOSITIONS",
    "PRONOUNS",
    "VERBS",
]


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _set("the a an my your our their its his her some any this that these those one which to and s")
PREPOSITIONS = _set(
    "in into on onto inside within under underneath below beneath above over near beside by at from for "
    "behind between against next with using around across toward towards outside upon off atop along "
    "through"
)
NEAR = _set("next beside near by behind between around")
"""Of PREPOSITIONS those that say that a thing is not in or on the other."""
PARTS = _set(
    "front interior inside center centre middle edge side surface top bottom corner end left right upper "
    "lower back rear area region space door doors handle base rim body part portion wall exterior outside "
    "seat head foot slot tray lid cover panel button compartment"
)
"""Words for a part of a thing or a region of it, which stand for the thing."""
PLACES = _set("position place location spot")
ORIGIN = _set("original initial previous former old starting start earlier originally usual home")
PRONOUNS = _set("it them that this one these those there here same object item thing something contents both")
HELD = _set("held holding hand hands inhand gripper carried grasped")
OTHER = _set("another other different remaining")
ORDINALS = {
    word: place
    for place, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
        start=1,
    )
} | {"last": -1} | {f"{place}{end}": place for place, end in ((1, "st"), (2, "nd"), (3, "rd"))}  # fmt: skip
HEIGHTS = dict.fromkeys(("top", "upper", "highest", "topmost", "uppermost", "overhead"), 1) | dict.fromkeys(
    ("bottom", "lower", "lowest", "bottommost"), -1
)
PIECES = _set(
    "slice slices sliced piece pieces chunk chunks wedge wedges half halves chopped diced cracked leaf leaves"
)

ADJECTIVES = _set(
    "white red blue green pink yellow black brown gray grey orange purple violet silver golden gold beige "
    "tan cream navy turquoise teal cyan magenta maroon olive ivory bronze copper colored coloured "
    "colorful colourful transparent clear translucent bright dark light pale striped patterned spotted "
    "plain shiny glossy matte ceramic cardboard metal metallic wooden wood plastic glass steel stainless "
    "iron aluminum aluminium cotton leather fabric marble granite stone porcelain paper rubber woolen "
    "wool velvet wicker rattan cloth foam big small large little tiny huge tall short long medium mini "
    "sized wide narrow thick thin heavy round square rectangular circular oval flat curved cylindrical "
    "deep shallow sharp soft fluffy cozy dirty clean cleaned washed unwashed rinsed wet dry hot cold warm "
    "cool chilled heated cooked uncooked raw fresh ripe rotten old new used unused empty full filled open "
    "opened closed shut lit unlit broken whole decorative modern antique vintage simple fancy nice sturdy "
    "comfortable single double main nearest closest nearby available visible left right middle central "
    "upper lower top bottom front back rear far near kitchen bathroom bedroom office household home house "
    "indoor outdoor bath living room dining guest adjacent wall mounted hanging standing framed built "
    "corner target designated specific appropriate correct regular standard ordinary common electric gas "
    "portable digital manual"
)
"""Words that say what a thing is like or where it is: colours, materials, sizes, shapes, states, rooms."""

_VERBS = {
    "Pick": "pick up, pick, take, grab, get, fetch, retrieve, collect, lift up, pick it up",
    "Place": "place, put down, put, set down, set, drop, lay, leave, deposit, store, position, move, "
    "put back, place back, return, transfer",
    "Open": "open, open up, unlock",
    "Close": "close, shut",
    "Turn on": "turn on, switch on, power on, toggle on, activate, start, light, ignite",
    "Turn off": "turn off, switch off, power off, toggle off, deactivate, stop, extinguish, put out",
    "Turn": "turn, toggle, rotate, twist",
    "Navigate": "navigate to, navigate, go to, walk to, move to, go, walk, approach, head to, go over to, "
    "go back to, return to, walk over to",
    "Find": "find, locate, look for, search for, search, identify, spot",
    "Cut": "cut up, cut, slice, chop, chop up, slice up, dice, crack",
    "Wash": "wash, rinse, clean, wash off, rinse off, scrub, wipe",
    "Pour": "pour, fill",
    "Grasp": "grasp, hold, grip",
    "Lift": "lift, raise",
    "Insert": "insert, stick",
    "Throw": "throw away, throw, toss, discard, dispose of",
    "Press": "press, push the button of",
    "Push": "push",
    "Pull": "pull",
    "Hang": "hang, hang up",
    "Release": "release, let go of",
    "Pick and Place": "pick and place",
}
VERBS = {way: verb for verb, ways in _VERBS.items() for way in ways.split(", ")}
"""Ways to begin a step, in lower case, with the verb of a plan that they mean."""
