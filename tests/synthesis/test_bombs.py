"""Small files that unpack to a lot: refused before they do."""

from __future__ import annotations

import base64
import io
import random
import struct
import subprocess
import sys
import zipfile
import zlib
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from gumption.records import GumptionError
from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.recipes import read
from gumption.synthesis.spec import Source

LEAST = 600 * 2**20
"""Bytes of address space beyond what the imports take, in which each refusal must do."""


def refused_in_little_memory(folder: Path, source: str) -> str:
    """What is raised by reading in a process that cannot have much memory."""
    code = (
        "import resource, pyarrow.parquet, openpyxl, pyarrow.compute\n"
        "from gumption.synthesis.recipes import read\n"
        "from gumption.synthesis.spec import Source\n"
        "from gumption.records import GumptionError\n"
        "now = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        f"resource.setrlimit(resource.RLIMIT_AS, (now + {LEAST},) * 2)\n"
        f"try:\n    read({str(folder)!r}, {source})\nexcept GumptionError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout


def peak_of_inspecting(folder: Path) -> tuple[int, str]:
    """The most memory in MB that a process takes to look into a folder, and what it notes."""
    code = (
        "import re, sys\n"
        "from gumption.synthesis.folder import inspect_folder\n"
        "found = inspect_folder(sys.argv[1])\n"
        "peak = re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())\n"
        "print(int(peak[1]) // 1024, found.notes)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    peak, _, notes = done.stdout.partition(" ")
    return int(peak), notes


def varint(number: int, length: int = 1) -> bytes:
    """A number as Thrift writes it, zigzag, seven bits a byte, in at least so many bytes."""
    left, out = number << 1, bytearray()
    while left > 0x7F or len(out) < length - 1:
        out.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*out, left])


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(2**20))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class TestParquet:
    def named_by_all(self, path: Path, as_lists: bool) -> None:
        """One text of 4 MB that 2,000 cells name, or as many entries of one cell."""
        once = pa.array(["x" * 2**22])
        column = pa.DictionaryArray.from_arrays(pa.array([0] * 2000, pa.int32()), once)
        if as_lists:
            column = pa.ListArray.from_arrays(pa.array([0, 2000], pa.int32()), column)
        pq.write_table(pa.table({"text": column}), path)

    @pytest.mark.parametrize("as_lists", [False, True])
    def test_one_text_that_all_rows_name(self, tmp_path: Path, as_lists: bool) -> None:
        self.named_by_all(tmp_path / "d.parquet", as_lists)
        assert (tmp_path / "d.parquet").stat().st_size < 5_000_000
        assert "unpacks to too much" in refused_in_little_memory(tmp_path, "Source('d.parquet', 'parquet')")

    def test_a_directory_that_lies_about_its_pages(self, tmp_path: Path) -> None:
        """A text of 500 MB in 20 KB of file, which the file's directory says is of 1,000 bytes. Reading it
        takes 1.5 GB."""
        path = tmp_path / "d.parquet"
        table = pa.table({"text": pa.array([bytes(500_000_000)])})
        pq.write_table(table, path, compression="zstd", use_dictionary=False, write_statistics=False)
        del table
        whole = pq.read_metadata(path).row_group(0)
        data = path.read_bytes()
        at = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
        end = data[at:]
        for size in {whole.total_byte_size, whole.column(0).total_uncompressed_size}:
            honest = varint(size)
            assert honest in end
            end = end.replace(honest, varint(1_000, len(honest)))
        path.write_bytes(data[:at] + end)
        (tmp_path / "README.md").write_text("Questions are in d.parquet.")
        assert path.stat().st_size < 100_000
        assert pq.read_metadata(path).row_group(0).total_byte_size == 1_000
        peak, notes = peak_of_inspecting(tmp_path)
        assert "d.parquet: it unpacks to too much" in notes
        assert peak < 1_000

    def test_a_file_of_pictures_is_read(self, tmp_path: Path) -> None:
        """Beyond what is allowed to any file, there is as much again for what the file has of its own."""
        pictures = [random.Random(n).randbytes(2**20) for n in range(80)]
        pq.write_table(pa.table({"image": pa.array(pictures)}), tmp_path / "d.parquet")
        rows = read(tmp_path, Source("d.parquet", "parquet"))
        assert [base64.b64decode(row["image"]) for row in rows[:2]] == pictures[:2]
        assert len(rows) == 80

    def test_many_zeros(self, tmp_path: Path) -> None:
        table = pa.table({"n": pa.array([bytes(1000)] * 100)})
        many = pa.concat_tables([table] * 2500)
        pq.write_table(many, tmp_path / "d.parquet", compression="zstd")
        with pytest.raises(GumptionError, match="too many rows"):
            read(tmp_path, Source("d.parquet", "parquet"))

    def test_nested_rows_are_read_as_before(self, tmp_path: Path) -> None:
        rows = [
            {
                "q": "a",
                "options": ["x", "y"],
                "image": {"bytes": b"\x89PNG", "path": None},
                "n": 1.5,
                "m": {"k": "v"},
            },
            {"q": None, "options": [], "image": None, "n": None, "m": {"k": "v"}},
        ]
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "d.parquet")
        first, second = read(tmp_path, Source("d.parquet", "parquet"))
        assert first == {"q": "a", "options": ["x", "y"], "image": "iVBORw==", "n": 1.5, "m.k": "v"}
        assert (second["q"], second["options"], second["n"]) == (None, [], None)


class TestSpreadsheets:
    def repacked(self, path: Path, **parts: bytes) -> None:
        """A spreadsheet with parts replaced; `sheet` is the first page."""
        book, plain = Workbook(), io.BytesIO()
        book.active.append(["id", "question"])  # type: ignore[union-attr]
        book.save(plain)
        with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                new.writestr(name, parts["sheet"] if name.endswith("sheet1.xml") else old.read(name))

    SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s<sheetData>%s</sheetData></worksheet>'

    def sheet(self, data: str, head: str = "") -> bytes:
        return (self.SHEET % (head, data)).encode()

    def test_a_page_of_a_hundred_megabytes(self, tmp_path: Path) -> None:
        self.repacked(tmp_path / "d.xlsx", sheet=self.sheet(" " * 100_000_000))
        assert (tmp_path / "d.xlsx").stat().st_size < 1_000_000
        assert "unpacks to too much" in refused_in_little_memory(tmp_path, "Source('d.xlsx', 'xlsx')")

    def test_a_page_that_claims_all_cells_there_are(self, tmp_path: Path) -> None:
        cells = "".join(
            f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><v>{n}</v></c></row>'
            for n in (1, 2, 900_000)
        )
        self.repacked(tmp_path / "d.xlsx", sheet=self.sheet(cells, '<dimension ref="A1:XFD1048576"/>'))
        assert [row["1"] for row in read(tmp_path, Source("d.xlsx", "xlsx"))] == [2, 900_000]

    def test_a_cell_in_the_last_column(self, tmp_path: Path) -> None:
        self.repacked(tmp_path / "d.xlsx", sheet=self.sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'))
        with pytest.raises(GumptionError, match="columns"):
            read(tmp_path, Source("d.xlsx", "xlsx"))

    @pytest.mark.parametrize(
        "data",
        [
            "<row",
            '<row r="x"><c r="A1"><v>1</v></c></row>',
            '<row r="1"><c r="A1" t="s"><v>99</v></c><c r="B1"><v>1</v></c></row>',
        ],
    )
    def test_damaged(self, tmp_path: Path, data: str) -> None:
        self.repacked(tmp_path / "d.xlsx", sheet=self.sheet(data))
        with pytest.raises(GumptionError, match="no spreadsheet"):
            read(tmp_path, Source("d.xlsx", "xlsx"))

    def test_entities_that_grow(self, tmp_path: Path) -> None:
        names = "abcdefghij"
        entities = '<!ENTITY a "lol">' + "".join(
            f'<!ENTITY {two} "{f"&{one};" * 10}">' for one, two in pairwise(names)
        )
        sheet = (
            b"<!DOCTYPE w ["
            + entities.encode()
            + b"]>"
            + self.sheet('<row r="1"><c r="A1" t="str"><v>&j;</v></c><c r="B1"><v>1</v></c></row>')
        )
        self.repacked(tmp_path / "d.xlsx", sheet=sheet)
        with pytest.raises(GumptionError, match="no spreadsheet"):
            read(tmp_path, Source("d.xlsx", "xlsx"))


class TestPictures:
    @pytest.mark.parametrize("side", [5_000, 12_000, 100_000])
    def test_a_png_of_many_pixels_is_passed_over(self, tmp_path: Path, side: int) -> None:
        (tmp_path / "README.md").write_text("Pictures.")
        (tmp_path / "a.png").write_bytes(png(side, side))
        (tmp_path / "q.csv").write_text("id,question,image\n1,What is it?,a.png\n")
        assert [one.masks for one in inspect_folder(tmp_path).media] == [False]

    def test_a_damaged_png(self, tmp_path: Path) -> None:
        (tmp_path / "README.md").write_text("Pictures.")
        (tmp_path / "a.png").write_bytes(png(100, 100)[:60])
        (tmp_path / "b.png").write_bytes(png(2000, 2000))
        assert [one.masks for one in inspect_folder(tmp_path).media] == [False]
