"""A YAML file as mappings, lists and strings: parsed, and nothing built of what its tags name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gumption.benchmarks._prompt_tree import DEPTH, Unquotable
from gumption.records import GumptionError

__all__ = ["yaml_tree"]

_ALIASES = 100
_MERGED = 100_000
"""Keys that merges give: each could give all those of the one before."""
_STR = "tag:yaml.org,2002:str"
_MERGE = "<<"


def yaml_tree(text: str) -> Any:
    """The first document: dict, list, str, and Unquotable for every other scalar.

    Tags are not followed: a mapping or list under one is read as if it had none, a scalar is no string. A
    scalar is a string where YAML 1.1 has it as one. An alias is the thing itself, never a copy, and a merge
    (<<) gives the keys that a mapping has not. Raises GumptionError for what is no YAML, is nested over 64
    deep or has over 100 aliases or merges of over 100,000 keys, and where PyYAML is not installed.
    """
    try:
        yaml = import_module("yaml")
    except ImportError as error:
        raise GumptionError("a .yaml file needs PyYAML", remedy="pip install pyyaml") from error
    # libyaml's where PyYAML has it: the same events, ten times as fast.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        events = loader(text)
        try:
            return _Tree(yaml, events).document()
        finally:
            events.dispose()
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # The last two: escapes of no character.
        raise GumptionError(f"no YAML: {' '.join(str(error).split())}", remedy="name another file") from error


class _Tree:
    """Built of events without recursion, so that no nesting reaches the interpreter's own stack."""

    def __init__(self, yaml: Any, events: Any) -> None:
        self._yaml, self._events = yaml, events
        self._anchors: dict[str, Any] = {}
        self._aliases = self._merged = 0

    def document(self) -> Any:
        root: list[Any] = []
        open_nodes: list[tuple[str | None, list[Any], bool]] = [(None, root, False)]
        while self._events.check_event():
            event = self._events.get_event()
            if isinstance(event, self._yaml.DocumentEndEvent):
                break
            if isinstance(event, self._yaml.CollectionStartEvent):
                if len(open_nodes) > DEPTH:
                    raise GumptionError(f"nested over {DEPTH} deep", remedy="name another file")
                is_mapping = isinstance(event, self._yaml.MappingStartEvent)
                open_nodes.append((event.anchor, [], is_mapping))
            elif isinstance(event, self._yaml.CollectionEndEvent):
                anchor, inside, is_mapping = open_nodes.pop()
                self._add(open_nodes[-1][1], self._mapping(inside) if is_mapping else inside, anchor)
            elif isinstance(event, self._yaml.ScalarEvent):
                self._add(open_nodes[-1][1], self._scalar(event), event.anchor)
            elif isinstance(event, self._yaml.AliasEvent):
                open_nodes[-1][1].append(self._aliased(event.anchor))
        return root[0] if root else Unquotable("nothing")

    def _add(self, to: list[Any], node: Any, anchor: str | None) -> None:
        # Known from its end on: nothing can hold itself.
        if anchor is not None:
            self._anchors[anchor] = node
        to.append(node)

    def _aliased(self, anchor: str) -> Any:
        self._aliases += 1
        if self._aliases > _ALIASES:
            raise GumptionError(f"over {_ALIASES} aliases", remedy="name another file")
        if anchor not in self._anchors:
            raise GumptionError(f"no anchor {anchor!r} before its alias", remedy="name another file")
        return self._anchors[anchor]

    def _scalar(self, event: Any) -> Any:
        tag = event.tag
        if tag is None or tag == "!":
            plain = event.implicit[0] and tag is None
            tag = self._events.resolve(self._yaml.ScalarNode, event.value, (plain, not plain))
        return event.value if tag == _STR else _Scalar(event.value, tag)

    def _mapping(self, inside: list[Any]) -> dict[str, Any]:
        """Of keys and values in turn. The keys that are a number are known by their text."""
        own: dict[str, Any] = {}
        merged: list[Any] = []
        for key, value in zip(inside[::2], inside[1::2], strict=True):
            if isinstance(key, _Scalar) and key.text == _MERGE:
                merged += value if isinstance(value, list) else [value]
            elif isinstance(key, str | _Scalar):
                own[key if isinstance(key, str) else key.text] = value
        for one in merged:
            if isinstance(one, dict):
                self._merged += len(one)
                if self._merged > _MERGED:
                    raise GumptionError(f"merges of over {_MERGED:,} keys", remedy="name another file")
                for name, value in one.items():
                    own.setdefault(name, value)
        return own


class _Scalar(Unquotable):
    """A number, a truth value, null, or what a tag would make of its text."""

    def __init__(self, text: str, tag: str) -> None:
        super().__init__(f"{text[:60]!r} of the type {tag.removeprefix('tag:yaml.org,2002:')}")
        self.text = text
