# SPDX-License-Identifier: MIT
"""What the tests of the phyxel command share. They are run as: SOME_test.py PATH_OF_THE_COMMAND"""

import csv
import filecmp
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

COMMAND = str(Path(sys.argv.pop(1)).resolve())
ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "scenes").glob("*.json"))


def temporary_folder() -> tempfile.TemporaryDirectory:
    """In memory where that is possible: runs wait for the disk after every file."""
    memory = "/dev/shm"
    return tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)


def phyxel(*arguments: str, cwd: Path | None = None, **options) -> subprocess.CompletedProcess:
    return subprocess.run([COMMAND, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=100,
                          **options)


# A small pool in 2D: about 300 particles, two bodies, a probe of every kind that is cheap.
SMALL_SCENE = """// A puddle and a drop.
{
    "dimension": 2, "duration": "0.5 s", "frame_rate": 40, "spacing": "2.5 cm",
    "domain": { "min": [0, 0], "max": [0.8, 0.6] },
    "bodies": [
        { "name": "puddle", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [0.4, 0.35] } },
          "material": "water" },
        { "name": "drop", "type": "fluid", "shape": { "sphere": { "center": [0.6, 0.3], "radius": 0.1 } },
          "material": "water", "velocity": [0, -1] }
    ],
    "probes": [ { "name": "gauge", "point": [0.7, 0.03], "field": "pressure", "every": "step" },
                { "name": "front", "body": "puddle", "field": "bounds" } ],
    "output": { "fields": ["density", "pressure"] }
}
"""

# All that may go wrong with the order of things: 3D, particles that leave, a periodic axis, an obstacle that moves, a
# velocity that is a formula, an event, probes that follow a particle and that are read between frames.
BUSY_SCENE = """{
    "duration": "0.2 s", "frame_rate": 50, "spacing": "2.5 cm",
    "domain": { "min": [0, 0, 0], "max": [0.5, 0.2, 0.4], "sides": { "x": ["wall", "open"], "y": "periodic" } },
    "bodies": [
        { "name": "water", "type": "fluid", "shape": { "box": { "min": [0.25, 0, 0], "max": [0.5, 0.2, 0.2] } },
          "material": { "from": "water", "viscosity": "0.1 Pa s" }, "velocity": ["= 1 + z", 0, 0] }
    ],
    "obstacles": [
        { "name": "stick", "shape": { "capsule": { "from": [0.1, -0.5, 0.1], "to": [0.1, 0.7, 0.1], "radius": 0.05 } },
          "motion": { "move": ["= 2*t", 0, "= 0.02*sin(20*t)"] } }
    ],
    "events": [ { "time": "0.07 s", "set": { "gravity": [0, 0, -20], "bodies.water.material.viscosity": "1 Pa s" } } ],
    "probes": [ { "name": "cork", "point": [0.35, 0.1, 0.1], "body": "water", "field": "displacement", "every": "7 ms" },
                { "name": "push", "obstacle": "stick", "field": "force", "every": "step" },
                { "name": "gate", "plane": { "point": [0.4, 0, 0], "normal": [1, 0, 0] }, "field": "flow" } ],
    "output": { "format": "vtk", "fields": ["pressure"] }
}
"""


class CommandTest(unittest.TestCase):
    """Each test has a folder of its own as its present folder."""

    maxDiff = None

    def setUp(self):
        folder = temporary_folder()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def phyxel(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        return phyxel(*arguments, cwd=self.folder, **options)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def assert_done(self, done: subprocess.CompletedProcess, stderr: str | None = ""):
        self.assertEqual(done.returncode, 0, done.stderr)
        if stderr is not None:
            self.assertEqual(done.stderr, stderr)

    def assert_refused(self, done: subprocess.CompletedProcess, *lines: str):
        """Exit 2, nothing on stdout, exactly these lines on stderr."""
        self.assertEqual(done.stderr.splitlines(), list(lines))
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def assert_same_run(self, run: Path, reference: Path):
        """Equal as a run and its repetition are: all but the log and the timings in stats.csv with their checksums."""
        def files(folder: Path) -> list[str]:
            return sorted(str(path.relative_to(folder)) for path in folder.rglob("*")
                          if path.is_file() and path.name != "log.txt")

        self.assertEqual(files(run), files(reference))
        for name in files(reference):
            if name == "stats.csv":
                self.assertEqual(untimed_table(run / name), untimed_table(reference / name))
            else:
                self.assertTrue(filecmp.cmp(run / name, reference / name, shallow=False), name)


def untimed_table(path: Path) -> list[list[str]]:
    """The rows of a table without the columns that hold wall-clock times, and the checksums of whole rows."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    kept = [k for k, name in enumerate(rows[0]) if not name.startswith("seconds") and name != "checksum"]
    return [[row[k] for k in kept] for row in rows]


def write_triangles(path: Path, triangles: list[list[tuple[float, float, float]]]):
    """A binary STL file."""
    data = b"\0" * 80 + struct.pack("<I", len(triangles))
    for corners in triangles:
        data += struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *corner) for corner in corners) + b"\0\0"
    path.write_bytes(data)


def tetrahedron() -> list[list[tuple[float, float, float]]]:
    a, b, c, d = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
    return [[a, c, b], [a, b, d], [a, d, c], [b, c, d]]


def png_size(path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND"
    return struct.unpack(">II", data[16:24])


def rows_of(path) -> list[bytes]:
    """The pixels of a PNG as we write it: eight bits of red, green and blue, without gaps."""
    data = path.read_bytes()
    width, height = png_size(path)
    packed, place = b"", 8
    while place < len(data):
        length = struct.unpack(">I", data[place:place + 4])[0]
        if data[place + 4:place + 8] == b"IDAT":
            packed += data[place + 8:place + 8 + length]
        place += 12 + length
    lines, stride = zlib.decompress(packed), 3 * width
    rows, above = [], bytes(stride)
    for y in range(height):
        kind, line = lines[y * (stride + 1)], bytearray(lines[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = line[i - 3] if i >= 3 else 0, above[i], above[i - 3] if i >= 3 else 0
            nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, nearest)[kind]) & 255
        above = bytes(line)
        rows.append(above)
    return rows


def blue_pixels(path) -> list[bool]:
    """Whether each pixel is one of the first body of a legend; ground, sky and lines are grey."""
    return [row[i + 2] > row[i] + 40 for row in rows_of(path) for i in range(0, len(row), 3)]
