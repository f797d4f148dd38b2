"""Pools and suites on disk: read, write, check; other tools' question files in."""

from gumption.suites._images import image_of
from gumption.suites.folder import read_folder, write_folder
from gumption.suites.jsonl import read_jsonl
from gumption.suites.media import Media
from gumption.suites.pool import PoolChange, PoolSummary, add_to_pool, list_pools
from gumption.suites.source import read_file_or_folder
from gumption.suites.suite import Rejected, Suite
from gumption.suites.table import items_from_table, items_to_table, read_items, write_items
from gumption.suites.tsv import read_tsv

__all__ = [
    "Media",
    "PoolChange",
    "PoolSummary",
    "Rejected",
    "Suite",
    "add_to_pool",
    "image_of",
    "items_from_table",
    "items_to_table",
    "list_pools",
    "read_file_or_folder",
    "read_folder",
    "read_items",
    "read_jsonl",
    "read_tsv",
    "write_folder",
    "write_items",
]
