#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads a run that was recorded as VTK with VTK itself, and compares it with the same run as PLY.

Run as: vtk_test.py PATH_OF_THE_COMMAND
"""

import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))
from command_support import BUSY_SCENE, ROOT, CommandTest

sys.path.insert(0, str(ROOT / "python"))
from phyxel_frames import read_frame


def read_vtp(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


class Vtk(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("busy.json", BUSY_SCENE)
        for form in ("vtk", "ply"):
            self.assert_done(self.phyxel("run", "busy.json", "-o", form, "--set", f"output.format={form}", "--quiet"))

    def test_points_and_fields_are_those_of_the_ply_frames(self):
        for number in (0, 10):
            data = read_vtp(self.folder / "vtk" / "frames" / f"water_{number:06d}.vtp")
            frame = read_frame(self.folder / "ply" / "frames" / f"water_{number:06d}.ply")
            fields = data.GetPointData()
            names = {fields.GetArrayName(k) for k in range(fields.GetNumberOfArrays())}
            self.assertEqual(names, set(frame) - {"time", "position"})
            np.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()), frame["position"])
            for name in names:
                np.testing.assert_array_equal(vtk_to_numpy(fields.GetArray(name)), frame[name], name)
            self.assertEqual(vtk_to_numpy(fields.GetArray("id")).dtype, np.uint64)
            self.assertEqual(fields.GetVectors().GetName(), "velocity")
            self.assertEqual(data.GetFieldData().GetArray("TimeValue").GetValue(0), frame["time"])
            self.assertEqual(data.GetNumberOfVerts(), len(frame["position"]))

    def test_the_collection_names_every_frame_with_its_time(self):
        entries = xml.parse(self.folder / "vtk" / "frames.pvd").getroot().iter("DataSet")
        found = [(entry.get("file"), float(entry.get("timestep"))) for entry in entries]
        expected = [(f"frames/{path.with_suffix('.vtp').name}", read_frame(path)["time"])
                    for path in sorted((self.folder / "ply" / "frames").iterdir())]
        self.assertEqual(found, expected)
        self.assertEqual(len(found), 11)


if __name__ == "__main__":
    unittest.main()
