# SPDX-License-Identifier: MIT
"""Reads the frames and tables of a Phyxel run into numpy arrays; copy it wherever you need it.

    for frame in read_frames("runs/dam_break-001", "water"):
        print(frame["time"], frame["position"].mean(axis=0), frame["velocity"].max())
    stats = read_table("runs/dam_break-001/stats.csv")
    plot(stats["time"], stats["kinetic_energy"])
"""

import csv
from glob import escape
from pathlib import Path

import numpy as np

TYPES = {"char": "i1", "uchar": "u1", "short": "<i2", "ushort": "<u2",
         "int": "<i4", "uint": "<u4", "float": "<f4", "double": "<f8"}


def read_frame(path):
    """A dictionary: time, position (n, 3), id (n), velocity (n, 3), other fields, triangles (m, 3) if any."""
    header, _, data = Path(path).read_bytes().partition(b"end_header\n")
    frame, types, counts = {"time": 0.0}, {}, {}
    for words in (line.split() for line in header.decode().splitlines()):
        if words[:2] == ["comment", "time"]:
            frame["time"] = float(words[2])
        elif words[0] == "element":
            types[words[1]], counts[words[1]] = [], int(words[2])
            element = types[words[1]]
        elif words[:2] == ["property", "list"]:
            element += [("count", TYPES[words[2]]), ("corners", TYPES[words[3]], 3)]
        elif words[0] == "property":
            element.append((words[2], TYPES[words[1]]))
    points = np.frombuffer(data, types["vertex"], counts["vertex"])
    if "face" in types:
        frame["triangles"] = np.frombuffer(data, types["face"], counts["face"], points.nbytes)["corners"]
    names = points.dtype.names
    frame["position"] = np.stack([points[axis] for axis in "xyz"], axis=-1)
    for name in set(names) - {"x", "y", "z"}:
        base, _, part = name.rpartition("_")
        if name + "_high" in names:  # PLY has no 64-bit integers
            frame[name] = points[name] + (points[name + "_high"].astype("u8") << np.uint64(32))
        elif part == "x" and {base + "_y", base + "_z"} <= set(names):
            frame[base] = np.stack([points[f"{base}_{axis}"] for axis in "xyz"], axis=-1)
        elif not (part == "high" and base in names or part in ("y", "z") and base + "_x" in names):
            frame[name] = points[name]
    return frame


def read_frames(run, body):
    """The frames of a body, one after the other."""
    paths = Path(run, "frames").glob(escape(body) + "_" + 6 * "[0-9]" + "*.ply")
    return map(read_frame, sorted(paths, key=lambda path: (len(path.name), path.name)))


def read_table(path):
    """The columns of stats.csv, probes.csv or poses.csv; nan where nothing was sampled. Those of names are texts."""
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    columns = zip(*(row for row in rows if len(row) == len(names)))
    return {name: column_of(name, cells) for name, cells in zip(names, list(columns) or [()] * len(names))}


def column_of(name, cells):
    return np.array(cells, dtype=str) if name == "body" else np.array([float(cell or "nan") for cell in cells])


def read_poses(run):
    """For each rigid body its poses: a dictionary of frame (n), time (n), position (n, 3) of the centre of mass, and
    rotation (n, 4) from rest, quaternions w x y z. No bodies if the run has none."""
    path = Path(run, "poses.csv")
    if not path.is_file():
        return {}
    table = read_table(path)
    columns = {"frame": table["frame"].astype(int), "time": table["time"],
               "position": np.stack([table[f"position_{axis}"] for axis in "xyz"], axis=-1),
               "rotation": np.stack([table[f"rotation_{axis}"] for axis in "wxyz"], axis=-1)}
    return {str(body): {name: values[table["body"] == body] for name, values in columns.items()}
            for body in np.unique(table["body"])}
