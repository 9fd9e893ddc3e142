#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Solids of difficult shapes: at rest they stay at rest, and when they are dropped they come to rest in one piece.

Shapes with tips, sheets and needles thinner than two spacings, clouds of points with holes and noise, and, with
--models DIR, scans. Each case is a shape, a number of phyxels, a law and a solver, and is run twice with defaults but
for these: floating without gravity for a second, and dropped from 20 cm. Prints a row for each; exits with 1 if there is
a finding, with 77 if this Python has no numpy.

    shapes_at_rest.py --phyxel build/release/apps/phyxel/phyxel --count 12 --seed 1 --models DIR

Every case that is done gets a line in the table of --results, and those that are in it are not run again, so a long run
may be stopped (--minutes) and goes on where it was, with the cases that were not done in time only if --retry says so:

    shapes_at_rest.py --phyxel ... --count 0 --models DIR --phyxels 5000 --jobs 16 --limit 900 --results done.jsonl

Fine ones are too dear for a second and a drop: --floating 0.05 lets them float for so long, as jelly, and no more. A scan
that is a cloud then comes a second time, as if the scanner had not seen all of it.
"""

import argparse
import concurrent.futures
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
try:
    import numpy as np
    from phyxel_frames import TYPES, read_frame, read_table
except ImportError:
    print("skipped: this Python has no numpy (Debian: python3-numpy)")
    sys.exit(77)

SIZE = 0.3  # of every shape, its longest side [m]
DROP = 0.2  # [m]
PHYXELS = (500, 1500, 5000)
LAWS = ("neo_hookean", "st_venant_kirchhoff")
SOLVERS = ("leapfrog", "implicit")
PROCEDURAL, CLOUDS = 20, 10  # shapes; scans come on top

# Bounds.
STILL = 1e-6  # rms speed over that of sound, floating
REST_SHARE = 0.05  # what of the energy of the drop may be motion at the end
GAIN = 0.02  # of energy, over that of the drop
LEAST_VOLUME = 0.8
STRETCH = 4.0  # of an edge of the skin, beyond a spacing
SPREAD = 2.5  # of the longest side
SPIKE = 1.5  # spacings that a point of the skin may get farther from its nearest phyxel than at rest
LINK = 2.5  # spacings between phyxels that hold together in the end
BELOW = 0.5  # spacings below the floor


# Shapes. Each is what a scene has as "shape", around the origin, about SIZE long; files are written beside it.

def unit(rng):
    z, phi = rng.uniform(-1, 1), rng.uniform(0, 2 * math.pi)
    r = math.sqrt(1 - z * z)
    return np.array([r * math.cos(phi), r * math.sin(phi), z])


def capsule(a, b, radius):
    return {"capsule": {"from": list(map(float, a)), "to": list(map(float, b)), "radius": float(radius)}}


def box(low, high):
    return {"box": {"min": list(map(float, low)), "max": list(map(float, high))}}


def needle_ball(rng, folder, a):
    """A ball with spines of half to one and a half spacings across."""
    parts = [{"sphere": {"center": [0, 0, 0], "radius": 0.08}}]
    for _ in range(rng.randint(6, 14)):
        d = unit(rng)
        parts.append(capsule(0.05 * d, 0.145 * d, rng.uniform(0.25, 0.75) * a))
    return {"union": parts}


def octopus(rng, folder, a):
    """Arms that taper to nothing."""
    parts = [{"sphere": {"center": [0, 0, 0.05], "radius": 0.06}}]
    for k in range(8):
        phi = k * math.pi / 4 + rng.uniform(-0.2, 0.2)
        place, radius, z = np.array([0.03 * math.cos(phi), 0.03 * math.sin(phi), 0.03]), 0.02, -0.4
        for _ in range(10):
            step = 0.014 * np.array([math.cos(phi), math.sin(phi), z])
            parts.append(capsule(place, place + step, radius))
            place, radius, phi, z = place + step, 0.8 * radius, phi + rng.uniform(-0.4, 0.4), z + 0.08
    return {"union": parts}


def sheets(rng, folder, a):
    """Three plates across each other, one to two spacings thick."""
    parts = []
    for k in range(3):
        half = np.full(3, 0.15)
        half[k] = rng.uniform(0.5, 1.0) * a
        parts.append(box(-half, half))
    return {"union": parts, "rotate": [rng.uniform(-3, 3) for _ in range(3)]}


def comb(rng, folder, a):
    """A bar with teeth."""
    parts = [box([-0.15, -0.02, 0.05], [0.15, 0.02, 0.09])]
    for k in range(9):
        x = -0.14 + 0.035 * k
        parts.append(capsule([x, 0, 0.06], [x, 0, -rng.uniform(0.02, 0.1)], rng.uniform(0.3, 0.9) * a))
    return {"union": parts}


def ring(rng, folder, a):
    """Thin rings through each other and a ball."""
    parts = [{"sphere": {"center": [0, 0, 0], "radius": 0.05}}]
    for _ in range(3):
        parts.append({"torus": {"center": [0, 0, 0], "axis": unit(rng).tolist(), "radius": 0.13,
                                "tube": rng.uniform(0.5, 1.0) * a}})
    parts.append(capsule([-0.13, 0, 0], [0.13, 0, 0], 0.6 * a))
    return {"union": parts}


def shell(rng, folder, a):
    """A hollow ball with a hole, one to two spacings thick."""
    thick = rng.uniform(1.0, 2.0) * a
    return {"difference": [{"sphere": {"center": [0, 0, 0], "radius": 0.15}},
                           {"sphere": {"center": [0, 0, 0], "radius": 0.15 - thick}},
                           {"cylinder": {"from": [0, 0, 0], "to": [0.2, 0, 0.1], "radius": 0.05}}]}


def write_mesh(path, vertices, triangles):
    with open(path, "w") as file:
        file.writelines(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in vertices)
        file.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)


def star(rng, folder, a):
    """A star with sharp points, as a mesh: two apexes over a zigzag."""
    points = rng.randint(5, 9)
    rim = []
    for k in range(2 * points):
        r = 0.15 if k % 2 == 0 else rng.uniform(0.03, 0.07)
        phi = math.pi * k / points
        rim.append([r * math.cos(phi), r * math.sin(phi), 0.0])
    thick = rng.uniform(0.02, 0.05)
    vertices = rim + [[0, 0, thick], [0, 0, -thick]]
    n = len(rim)
    triangles = [(k, (k + 1) % n, n) for k in range(n)] + [((k + 1) % n, k, n + 1) for k in range(n)]
    write_mesh(folder / "star.obj", vertices, triangles)
    return {"mesh": "star.obj", "rotate": [rng.uniform(-3, 3) for _ in range(3)]}


def horn(rng, folder, a):
    """A spiral that tapers to a point, as a mesh."""
    rings, sides = 60, 12
    vertices, triangles = [], []
    turns = rng.uniform(0.6, 1.4)
    for i in range(rings):
        t = i / (rings - 1)
        phi = 2 * math.pi * turns * t
        center = np.array([0.1 * math.cos(phi), 0.1 * math.sin(phi), 0.25 * t])
        along = np.array([-0.1 * math.sin(phi), 0.1 * math.cos(phi), 0.25 / (2 * math.pi * turns)])
        along /= np.linalg.norm(along)
        u = np.cross(along, [0, 0, 1])
        u /= np.linalg.norm(u)
        v = np.cross(along, u)
        radius = 0.045 * (1 - t) + 1e-4
        for k in range(sides):
            angle = 2 * math.pi * k / sides
            vertices.append(center + radius * (math.cos(angle) * u + math.sin(angle) * v))
    for i in range(rings - 1):
        for k in range(sides):
            p, q = i * sides + k, i * sides + (k + 1) % sides
            triangles += [(p, p + sides, q), (q, p + sides, q + sides)]
    vertices += [np.mean(vertices[:sides], axis=0), np.mean(vertices[-sides:], axis=0)]
    first, last = len(vertices) - 2, len(vertices) - 1
    for k in range(sides):
        triangles.append((first, k, (k + 1) % sides))
        end = (rings - 1) * sides
        triangles.append((last, end + (k + 1) % sides, end + k))
    write_mesh(folder / "horn.obj", vertices, triangles)
    return {"mesh": "horn.obj"}


def cloud(rng, folder, a):
    """Points with normals on an ellipsoid: with noise, and a part of them missing."""
    half = np.array([0.15, rng.uniform(0.05, 0.15), rng.uniform(0.05, 0.15)])
    hole, size = unit(rng), rng.choice([0.0, 0.3, 0.6, 1.0])
    noise = rng.choice([0.0, 0.002, 0.006])
    lines = []
    for _ in range(4000):
        d = unit(rng)
        if d @ hole > 1 - size:
            continue
        n = d / half
        n /= np.linalg.norm(n)
        x = half * d + noise * np.array([rng.gauss(0, 1) for _ in range(3)])
        lines.append(" ".join(f"{value:.6f}" for value in (*x, *n)))
    (folder / "cloud.ply").write_text(
        f"ply\nformat ascii 1.0\nelement vertex {len(lines)}\n"
        + "".join(f"property float {name}\n" for name in ("x", "y", "z", "nx", "ny", "nz"))
        + "end_header\n" + "\n".join(lines) + "\n")
    return {"mesh": "cloud.ply"}


def dust(rng, folder, a):
    """Balls that hardly touch, some of one phyxel."""
    parts = []
    place = np.zeros(3)
    for _ in range(14):
        radius = rng.uniform(0.6, 4.0) * a
        parts.append({"sphere": {"center": place.tolist(), "radius": radius}})
        place = place + unit(rng) * 1.7 * radius
    return {"union": parts}


def partial_cloud(model, path):
    """A cloud without its underside and what lies in three balls around points of it: a fifth to a half is missing."""
    header, end, data = model.read_bytes().partition(b"end_header\n")
    words = [line.split() for line in header.decode().splitlines()]
    count = next(int(line[2]) for line in words if line[:2] == ["element", "vertex"])
    points = np.frombuffer(data, [(line[2], TYPES[line[1]]) for line in words if line[0] == "property"], count)
    x = np.stack([points[axis] for axis in "xyz"], axis=-1)
    size = (x.max(0) - x.min(0)).max()
    kept = x[:, 1] < x[:, 1].max() - 0.05 * size
    rng = random.Random(1)
    for _ in range(3):
        kept &= np.linalg.norm(x - x[rng.randrange(count)], axis=1) > 0.15 * size
    header = header.decode().replace(f"element vertex {count}", f"element vertex {kept.sum()}").encode()
    path.write_bytes(header + end + points[kept].tobytes())


MAKERS = (needle_ball, octopus, sheets, comb, ring, shell, star, horn, dust)


class Case:
    """`scans` are files, and whether a part of them is missing."""

    def __init__(self, number, seed, scans, phyxels, law, solver):
        self.phyxels, self.law, self.solver, self.seed = phyxels, law, solver, seed
        made = PROCEDURAL + CLOUDS
        self.model, self.is_partial = scans[number - made] if number >= made else (None, False)
        self.maker = MAKERS[number % len(MAKERS)] if number < PROCEDURAL else cloud
        self.number = number
        self.name = self.model.stem if self.model else f"{self.maker.__name__} {number}"
        self.name += " in part" if self.is_partial else ""

    def text(self):
        return f"{self.name}, {self.phyxels}, {self.law}, {self.solver}"

    def shape(self, folder):
        if self.is_partial:
            partial_cloud(self.model, folder / "partial.ply")
            return {"mesh": "partial.ply", "size": SIZE}
        if self.model:
            return {"mesh": str(self.model.resolve()), "size": SIZE}
        spacing = (SIZE**3 / 6 / self.phyxels) ** (1 / 3)  # of a shape that fills a sixth of its cube
        return self.maker(random.Random(f"{self.seed} {self.number}"), folder, spacing)

    def scene(self, folder, floats, seconds):
        body = {"name": "body", "type": "solid", "shape": self.shape(folder), "count": self.phyxels,
                "sampling": "poisson_disk" if self.number % 2 else "lattice",
                "material": {"from": "jelly", "law": self.law} if floats else
                            {"from": "jelly", "law": self.law, "youngs_modulus": 3e4, "damping": 2},
                "solver": {"type": self.solver}}
        scene = {"duration": seconds, "frame_rate": max(10, 5 / seconds), "bodies": [body],
                 "gravity": [0, 0, 0 if floats else -9.81],
                 "probes": [{"name": field, "body": "body", "field": field} for field in ("bounds", "volume")],
                 "output": {"double_precision": True}}
        return scene


def lift(scene, low, side):
    """Puts the body DROP above a floor of its own."""
    floor = low - DROP
    scene["domain"] = {"min": [-5 * side, -5 * side, floor], "max": [5 * side, 5 * side, floor + 10 * side]}
    return floor


class Finding(Exception):
    pass


def run_phyxel(phyxel, folder, name, scene, row):
    """What it said; adds its processor time to the row."""
    (folder / f"{name}.json").write_text(json.dumps(scene))
    limit = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (row["limit"], row["limit"] + 5)))
    process = subprocess.Popen([phyxel, "run", f"{name}.json", "-o", name, "--quiet", "--threads", "1"], cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=limit)
    with process.stderr:
        said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    row["seconds"] += usage.ru_utime + usage.ru_stime
    if process.returncode < 0:
        raise Finding(f"{name}: not done after {row['limit']} s of processor time")
    if process.returncode != 0:
        raise Finding(f"{name}: " + (said.strip().splitlines() or ["no word"])[-1])
    return said


def derived(folder, name):
    return json.loads((folder / name / "manifest.json").read_text())["derived"]


def frames(folder, name, skin):
    pattern = "body_surface_*.ply" if skin else "body_[0-9]*.ply"
    return [read_frame(path) for path in sorted((folder / name / "frames").glob(pattern))]


def edge_stretch(meshes, spacing):
    """The largest length of an edge of the skin over what it was, beyond a spacing."""
    t = meshes[0].get("triangles", []) if meshes else []
    if len(t) == 0:
        return 0.0
    pairs = np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])
    lengths = [np.linalg.norm(m["position"][pairs[:, 0]] - m["position"][pairs[:, 1]], axis=1) for m in meshes]
    return float(max(((now - spacing) / (lengths[0] + 0.25 * spacing)).max() for now in lengths))


def farthest_from_phyxels(skin, phyxels):
    """How far a point of the skin is from its nearest phyxel at most, by blocks: all pairs would not fit."""
    far = 0.0
    for first in range(0, len(skin), 512):
        gaps = skin[first:first + 512, None, :] - phyxels[None, :, :]
        far = max(far, float(np.sqrt(np.einsum("ijk,ijk->ij", gaps, gaps).min(1)).max()))
    return far


def spike(skins, bodies, spacing):
    """How much farther from their phyxels points of the skin get, first to any third and to the last frame [spacings]."""
    if not skins:
        return 0.0
    shown = sorted({*range(0, len(skins), 3), len(skins) - 1})
    far = [farthest_from_phyxels(skins[k]["position"], bodies[k]["position"]) for k in shown]
    return (max(far) - far[0]) / spacing


def piece_count(points, link):
    """Of phyxels that are connected by links of at most this length."""
    cells = {}
    for i, cell in enumerate(map(tuple, np.floor(points / link).astype(int))):
        cells.setdefault(cell, []).append(i)
    steps = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)]
    left, pieces = set(range(len(points))), 0
    while left:
        pieces += 1
        open_ends = [left.pop()]
        while open_ends:
            i = open_ends.pop()
            home = np.floor(points[i] / link).astype(int)
            near = [j for step in steps for j in cells.get(tuple(home + step), ()) if j in left]
            if near:
                close = [j for j, d in zip(near, np.linalg.norm(points[near] - points[i], axis=1)) if d <= link]
                left.difference_update(close)
                open_ends += close
    return pieces


def float_in_space(case, phyxel, folder, row):
    scene = case.scene(folder, True, row["floats"])
    row["words"] = run_phyxel(phyxel, folder, "float", scene, row)
    known = derived(folder, "float")
    stats = read_table(folder / "float" / "stats.csv")
    rms = math.sqrt(2 * stats["kinetic_energy"].max() / known["mass"])
    row["phyxels"], row["spacing"], row["still"] = known["phyxels"], known["spacing"], rms / known["wave_speed"]
    row["steps"] = int(stats["steps"].sum())
    if not rms / known["wave_speed"] <= STILL:
        raise Finding(f"floats at {rms / known['wave_speed']:.1e} of the speed of sound")
    skins = frames(folder, "float", True)
    if skins:
        row["stretch"] = edge_stretch(skins, row["spacing"])
    return frames(folder, "float", False)[0]["position"]


def drop(case, phyxel, folder, row, rest):
    scene = case.scene(folder, False, 3.0)
    side = float((rest.max(0) - rest.min(0)).max())
    skins = frames(folder, "float", True)
    low = min([rest[:, 2].min()] + [mesh["position"][:, 2].min() for mesh in skins[:1]])
    floor = lift(scene, float(low), max(side, SIZE))
    run_phyxel(phyxel, folder, "drop", scene, row)
    known = derived(folder, "drop")
    spacing = known["spacing"]
    stats = read_table(folder / "drop" / "stats.csv")
    probes = read_table(folder / "drop" / "probes.csv")
    energy = stats["kinetic_energy"] + stats["potential_energy"] + stats["internal_energy"]
    fallen = known["mass"] * 9.81 * (DROP + side)
    row["steps"] += int(stats["steps"].sum())
    row["gain"] = float(energy.max() - energy[0]) / fallen
    row["moves"] = float(stats["kinetic_energy"][-1]) / fallen
    row["inverted"] = int(stats["inverted"].max())
    volume = probes["volume"]
    row["volume"] = float(np.nanmin(volume) / volume[0])
    bodies, skins = frames(folder, "drop", False), frames(folder, "drop", True)
    lowest = min(frame["position"][:, 2].min() for frame in bodies + skins)
    row["below"] = float(floor - lowest) / spacing
    spread = float((bodies[-1]["position"].max(0) - bodies[-1]["position"].min(0)).max()) / side
    row["stretch"] = max(row.get("stretch", 0.0), edge_stretch(skins, spacing))
    row["spike"] = spike(skins, bodies, spacing)
    row["pieces"] = piece_count(bodies[-1]["position"], LINK * spacing) - piece_count(bodies[0]["position"], LINK * spacing)
    is_whole = "do not hold together" not in row["words"]
    checks = [("gains {:.2g} of the energy of the drop", row["gain"], GAIN),
              ("lies {:.2g} spacings below the floor", row["below"], BELOW),
              ("moves with {:.2g} of the energy of the drop in the end", row["moves"], REST_SHARE),
              ("an edge of its skin is {:.2g} times as long", row["stretch"], STRETCH if is_whole else math.inf),
              ("a point of its skin is {:.2g} spacings farther from its phyxels", row["spike"], SPIKE if is_whole else math.inf),
              ("has come apart into {} more pieces", row["pieces"], 0),
              ("is spread over {:.2g} times its size", spread, SPREAD if is_whole else math.inf)]
    if case.law == "neo_hookean":
        checks += [("{} phyxels are inverted", row["inverted"], 0),
                   ("has lost {:.2g} of its volume", 1 - row["volume"], 1 - LEAST_VOLUME)]
    for text, value, bound in checks:
        if not value <= bound:
            raise Finding(text.format(value))


def judge(case, phyxel, limit, floating, keep):
    """`floating` is how long it floats, if that is all."""
    row = {"limit": limit, "words": "", "seconds": 0.0, "floats": floating or 1.0}
    with tempfile.TemporaryDirectory(prefix="shapes_at_rest_") as name:
        folder = Path(keep, case.text().replace(", ", "-").replace(" ", "_")) if keep else Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            rest = float_in_space(case, phyxel, folder, row)
            if not floating:
                drop(case, phyxel, folder, row, rest)
            row["finding"] = ""
        except Finding as finding:
            row["finding"] = str(finding)
        except Exception as error:  # of one case; the others go on
            row["finding"] = f"could not be judged: {error!r}"
    return row


COLUMNS = (("phyxels", "{:d}"), ("steps", "{:d}"), ("still", "{:.0e}"), ("gain", "{:.3f}"), ("moves", "{:.3f}"),
           ("volume", "{:.2f}"), ("inverted", "{:d}"), ("below", "{:.2f}"), ("stretch", "{:.2f}"), ("spike", "{:.2f}"),
           ("seconds", "{:.1f}"))


def read_results(path):
    """Rows by the texts of their cases, the last of each."""
    rows = {}
    if path and path.exists():
        for line in path.read_text().splitlines():
            try:
                row = json.loads(line)
                rows[row["case"]] = row
            except (ValueError, KeyError):
                pass  # cut where the run was killed
    return rows


def as_listed(path):
    """Texts of cases, one in each line, as they stand in the tables; what follows two spaces does not count."""
    return {line.split("  ")[0].strip() for line in path.read_text().splitlines() if line.strip()}


def is_late(row):
    return "not done after" in row["finding"]


def show(row):
    cells = [form.format(row[name]) if name in row else "" for name, form in COLUMNS]
    print(f"{row['case']:52s}" + "".join(f"{cell:>9s}" for cell in cells) + "  " + row["finding"], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phyxel", required=True, help="the command")
    parser.add_argument("--count", type=int, default=12, help="of cases, drawn from all; 0 for all of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=Path, help="folder of scans; none if not given")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time")
    parser.add_argument("--limit", type=int, default=300, help="processor time of a run [s]")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no case after so long")
    parser.add_argument("--phyxels", type=int, nargs="*", default=PHYXELS)
    parser.add_argument("--floating", type=float, help="seconds that bodies float, and are not dropped")
    parser.add_argument("--only", default="", help="cases whose text has this")
    parser.add_argument("--cases", type=Path, help="file with the texts of cases, one in a line; no others are run")
    parser.add_argument("--results", type=Path, help="table of what became of each case; what is in it is not run again")
    parser.add_argument("--retry", action="store_true", help="run those of the table again that were not done in time")
    parser.add_argument("--list", action="store_true", help="print the cases that would be run, and run none")
    parser.add_argument("--keep", type=Path, help="folder for the runs")
    options = parser.parse_args()
    phyxel = str(Path(options.phyxel).resolve())
    models = sorted(options.models.glob("*.ply")) if options.models and options.models.is_dir() else []

    scans = [(model, False) for model in models]
    if options.floating:
        scans += [(model, True) for model in models if b"element face" not in model.read_bytes()[:2000]]

    cases = [Case(number, options.seed, scans, phyxels, law, solver)
             for number in range(PROCEDURAL + CLOUDS + len(scans)) for phyxels in options.phyxels
             for law in LAWS for solver in SOLVERS]
    cases = [case for case in cases if options.only in case.text()]
    if options.cases:
        listed = as_listed(options.cases)
        unknown = listed - {case.text() for case in cases}
        if unknown:
            parser.error(f"no such cases: {'; '.join(sorted(unknown))}")
        cases = [case for case in cases if case.text() in listed]
    elif options.count and options.count < len(cases):
        cases = random.Random(options.seed).sample(cases, options.count)
    known = read_results(options.results)
    rows = [known[case.text()] for case in cases if case.text() in known]
    rows = [row for row in rows if not (options.retry and is_late(row))]
    done = {row["case"] for row in rows}
    missing = [case for case in cases if case.text() not in done]
    if options.list:
        print("\n".join(case.text() for case in missing))
        return 0

    print(f"{'case':52s}" + "".join(f"{name:>9s}" for name, _ in COLUMNS))
    for row in rows:
        show(row)
    end = time.monotonic() + 60 * options.minutes

    def one(case):
        if time.monotonic() > end:
            return None
        return {"case": case.text(), **judge(case, phyxel, options.limit, options.floating, options.keep)}

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(one, case) for case in missing]):
            row = future.result()
            if row is None:
                continue
            show(row)
            rows.append(row)
            if options.results:
                with open(options.results, "a") as file:
                    file.write(json.dumps(row, default=float) + "\n")

    findings = [row for row in rows if row["finding"]]
    late = [row["case"] for row in findings if is_late(row)]
    done = {row["case"] for row in rows}
    left = [case.text() for case in cases if case.text() not in done]
    print(f"{len(cases)} cases, {len(rows)} run, {len(findings)} findings, {len(late)} of them not done in time")
    for title, names in (("not done in time", late), ("not run", left)):
        if names:
            print(f"{title}:")
            print("\n".join(names))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
