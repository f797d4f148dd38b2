"""What models say: replies, plans, PDDL."""

from __future__ import annotations

from importlib.resources import files

from fuzz.mutating import Folder

__all__ = ["actions", "domains", "plans", "problems", "replies"]


def replies() -> list[Folder]:
    return _texts(
        "<think>Two cups, so A or B.</think>\nThe answer is **B**.",
        "Answer: (C) the plate\n\n\\boxed{C}",
        '```json\n{"answer": "yes", "point": [[120, 40], [0.5, 0.25]]}\n```',
        "There are twenty-three, i.e. 2.3e1 or 1,234.5 cm; 3/4 of it; 答案是三。",
        "I'm sorry, but I cannot help with that. No.",
        '<point x="63.5" y="44.2" alt="cup">cup</point> (12, 30), [0.1, 0.9]',
        '{"objects": [{"name": "a", "type": "block"}, {"name": "b", "type": "block"}]}',
        '{"atoms": ["(on a b)", {"predicate_type": "clear", "x": "a"}, "not on(a, b)"]}',
    )


def plans() -> list[Folder]:
    return _texts(
        "<response>Sure.</response><plans>1. go 2. take</plans>"
        "<actions>[['Navigate', 'Fridge'], ['Open', 'Fridge'], ['Pick up', 'Apple']]</actions>",
        '```json\n{"actions": [{"action": "Open", "args": ["Fridge", null]}, {"verb": "Close"}]}\n```',
        "1. Walk to the fridge.\n2. Open the fridge\n3. Pick up the apple and put it on the table.",
        "<actions>[(\"Open\", 'Fridge'), [\"It's\", 'Close']</actions><actions></actions>",
    )


def actions() -> list[Folder]:
    return _texts("0: (pick-up a r) ; cost 1\n1: (stack a b r)\n", "pick-up(a, r), stack(a, b, r)\n(noop)")


def domains() -> list[Folder]:
    own = [*files("gumption.grounding").joinpath("domains").iterdir()]
    return [{"text": one.read_bytes()} for one in own if one.name.endswith(".pddl")]


def problems() -> list[Folder]:
    return _texts(
        "(define (problem p) (:domain blocksworld) (:objects a b - block r - robot)\n"
        "(:init (on a b) (ontable b) (clear a) (handempty r) (= (total-cost) 0)) (:goal (and (on b a))))",
        "Here it is:\n```pddl\n(define (problem p) (:domain blocksworld) (:objects a, b - block)\n"
        "// all\n(:init (ontable a) (not (clear b)) "
        "(:goal (forall (?x - block) (or (clear ?x) (not (= ?x a)))))\n```",
    )


def _texts(*texts: str) -> list[Folder]:
    return [{"text": text.encode()} for text in texts]
