"""The verbs of plans.

ATOMIC are those that EmbodiedBrain's planner prompt allows (arXiv 2510.20578; ZTERobot/EmbodiedBrain1.0).
"Turn on" and "Turn off" stand in its gold plans but not in its list.
"""

from __future__ import annotations

__all__ = ["ATOMIC", "KNOWN"]

ATOMIC = frozenset(
    verb.strip()
    for verb in """
    handshake, clap, wave, bow, dance, like, give a thumbs-up, stretch, handover, catch, screw, unscrew,
    peel, stack, flip, heart sign, make a heart with hands, tear, pinch, search, find, scoop, cut, chop,
    sweep, stir, throw, slide, drag, shake, hammer, spread, pour, navigate, point, pick, place,
    pick and place, fold, unfold, press, open, close, pull, push, insert, grasp and release, grasp,
    release, lift, turn, twist, wash, rinse, beat, hang, follow, rotate in place
    """.replace("\n", " ").split(",")
)
"""In lower case."""

KNOWN = ATOMIC | frozenset(
    verb.strip()
    for verb in """
    turn on, turn off, switch on, switch off, toggle, toggle on, toggle off, pick up, put, put down, set,
    set down, take, grab, get, fetch, bring, hold, carry, move, go, go to, walk, walk to, navigate to,
    approach, head, return, look for, locate, identify, slice, clean, wipe, dry, heat, warm, cook, boil, cool,
    chill, fill, empty, drop, remove, transfer, shut, activate, deactivate, start, stop, store, leave,
    deliver, wait, done,
    break, crack, dip, mix, plug, unplug, examine, inspect, check, use, hand over, rotate
    """.replace("\n", " ").split(",")
)
"""Verbs by which a line of prose is known for a step, in lower case."""
