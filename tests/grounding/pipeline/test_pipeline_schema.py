"""The schema says what can be said: one form a predicate, arguments of the right types and no others."""

from __future__ import annotations

from typing import Any

from small_task import DOMAIN

from gumption.grounding import read_domain
from gumption.grounding.pipeline import atoms_schema, objects_schema
from gumption.grounding.pipeline.schema import argument_key, expressible

KITCHEN = read_domain(DOMAIN)


def forms(objects: dict[str, str], *, signed: bool = False) -> dict[str, dict[str, Any]]:
    """The fields of each form by the predicate's name, `$ref`s put in."""
    schema = atoms_schema(KITCHEN, objects, signed=signed)
    assert schema is not None
    body = schema["schema"]
    found = {}
    for form in body["properties"]["grounded_predicates"]["items"]["anyOf"]:
        assert form["additionalProperties"] is False and form["required"] == list(form["properties"])
        fields = dict(form["properties"])
        (name,) = fields.pop("predicate_type")["enum"]
        for key, value in fields.items():
            if "$ref" in value:
                place = body["$defs"][value["$ref"].removeprefix("#/$defs/")]
                fields[key] = place["properties"]["name"]["enum"]
        found[name] = fields
    return found


def test_arguments_are_objects_of_the_type_its_subtypes_and_constants() -> None:
    assert forms({"red": "cup", "flat": "plate", "oak": "tray"}) == {
        "On": {"x": ["flat", "red"], "y": ["oak", "shelf"]},
        "Wet": {"x": ["flat", "red"]},
        "Lit": {},
        "Move": {"x": ["flat", "red"], "y": ["oak", "shelf"]},  # shares its name with an action: kept
        "In": {"x": ["flat"]},
    }


def test_a_predicate_that_no_object_fits_has_no_form() -> None:
    assert set(forms({"red": "cup"})) == {"On", "Wet", "Lit", "Move"}
    assert set(forms({})) == {"Lit"}


def test_a_goal_carries_a_sign() -> None:
    signed = forms({"red": "cup"}, signed=True)
    assert all(fields["is_negated"] == {"type": "boolean"} for fields in signed.values())


def test_nothing_can_be_said_without_objects_where_all_predicates_need_them() -> None:
    domain = read_domain("(define (domain d) (:predicates (p ?x)))")
    assert atoms_schema(domain, {}, signed=False) is None


def test_objects_are_of_the_domains_types() -> None:
    entry = objects_schema(KITCHEN)["schema"]["properties"]["objects"]["items"]
    assert set(entry["properties"]["type"]["enum"]) == {"cup", "plate", "dish", "tray"}
    untyped = read_domain("(define (domain d) (:predicates (p ?x)))")
    entry = objects_schema(untyped)["schema"]["properties"]["objects"]["items"]
    assert entry["properties"]["type"]["enum"] == ["object"]


def test_arguments_have_a_name_each_however_many_there_are() -> None:
    keys = [argument_key(number) for number in range(40)]
    assert keys[:3] == ["x", "y", "z"] and len(set(keys)) == 40


def test_what_a_missed_object_makes_unsayable() -> None:
    atoms = [
        ("on", "red", "shelf"),
        ("on", "red", "oak"),
        ("lit",),
        ("wet", "oak"),
        ("on", "red"),
        ("new", "red"),
    ]
    assert expressible(KITCHEN, {"red": "cup"}, atoms) == [("lit",), ("on", "red", "shelf")]


def test_every_level_of_a_schema_says_its_type() -> None:
    """As JSON Schema has it: an object, of an array, of objects, of strings."""
    schema = objects_schema(read_domain(DOMAIN))["schema"]
    [listed] = schema["properties"].values()
    entry = listed["items"]
    assert [one["type"] for one in (schema, listed, entry)] == ["object", "array", "object"]
    assert {name: one["type"] for name, one in entry["properties"].items()} == {
        "name": "string",
        "type": "string",
    }
    assert set(entry["required"]) == {"name", "type"}
