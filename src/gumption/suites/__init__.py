"""Pools and suites on disk: read, write, check, diff; other tools' question files in."""

from gumption.suites._images import image_of
from gumption.suites.attachments import attach, check_attachments, read_attachment
from gumption.suites.diff import SuiteDiff, diff
from gumption.suites.folder import read_folder, write_folder
from gumption.suites.jsonl import read_jsonl
from gumption.suites.media import Media
from gumption.suites.pool import PoolChange, PoolSummary, add_to_pool, list_pools
from gumption.suites.references import by_licence, licence_rule
from gumption.suites.selection import SELECTION, Chosen, read_selection, selection_bytes, sources_of
from gumption.suites.source import read_file_or_folder
from gumption.suites.suite import Origin, Place, Rejected, Suite
from gumption.suites.table import items_from_table, items_to_table, read_items, write_items
from gumption.suites.tsv import read_tsv

__all__ = [
    "SELECTION",
    "Chosen",
    "Media",
    "Origin",
    "Place",
    "PoolChange",
    "PoolSummary",
    "Rejected",
    "Suite",
    "SuiteDiff",
    "add_to_pool",
    "attach",
    "by_licence",
    "check_attachments",
    "diff",
    "image_of",
    "items_from_table",
    "items_to_table",
    "licence_rule",
    "list_pools",
    "read_attachment",
    "read_file_or_folder",
    "read_folder",
    "read_items",
    "read_jsonl",
    "read_selection",
    "read_tsv",
    "selection_bytes",
    "sources_of",
    "write_folder",
    "write_items",
]
