# SPDX-License-Identifier: MIT
"""A small project of its own for each test of a tool, with the files that the test plants in it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"


class PlantedTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        subprocess.run(["git", "init", "-q", str(self.root)], check=True, capture_output=True)

    def plant(self, name: str, text: str):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def run_tool(self, tool: str) -> tuple[int, str]:
        """Exit code and what the tool said."""
        done = subprocess.run(
            [sys.executable, str(TOOLS / tool), "--root", str(self.root)], capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    def assert_passes(self, tool: str):
        code, said = self.run_tool(tool)
        self.assertEqual((code, said), (0, ""))

    def assert_fails(self, tool: str, *words: str):
        code, said = self.run_tool(tool)
        self.assertEqual(code, 1, said)
        for word in words:
            self.assertIn(word, said)
