#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Feeds `phyxel validate` with scenes and meshes that are broken in every way we could think of.

Whatever the file, the command has to judge it: exit with 0 (fine) or 2 (refused), say why, and take no more than two
seconds of processor time, unless it says that it gave up. Everything follows from the seed: `--only N` makes case N
again and keeps its files.

    mutated_files.py --phyxel build/release/apps/phyxel/phyxel --count 10010 --jobs 16 --results done.csv --again

Every case that is done gets a line in the table of results, so a run that was stopped goes on where it was.
"""

import argparse
import csv
import json
import math
import multiprocessing
import os
import pathlib
import queue
import random
import resource
import shutil
import struct
import sys
import tempfile
import threading
import time

LIMIT = 2.0          # seconds of processor time to judge a file
GIVEN_UP_LIMIT = 8.0 # the same if the command gives up, and says so
KILL = 60            # nothing may take as long as this
MEMORY = 12 << 30    # bytes of address space


# Scenes ---------------------------------------------------------------------------------------------------------------


def without_comments(text):
    """JSON as scenes have it, with // comments and commas behind the last member, as plain JSON."""
    out, i, quoted = [], 0, False
    while i < len(text):
        if quoted:
            if text[i] == "\\":
                out.append(text[i : i + 2])
                i += 2
                continue
            quoted = text[i] != '"'
        elif text[i] == '"':
            quoted = True
        elif text.startswith("//", i):
            i = text.find("\n", i)
            if i < 0:
                break
            continue
        elif text[i] in "}]":
            while out and out[-1].isspace():
                out.pop()
            if out and out[-1] == ",":
                out.pop()
        out.append(text[i])
        i += 1
    return "".join(out)


def places(node, path=()):
    """All paths of a tree, the root's too."""
    yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from places(value, path + (key,))


def at(node, path):
    for key in path:
        node = node[key]
    return node


def put(node, path, value):
    if not path:
        return value
    at(node, path[:-1])[path[-1]] = value
    return node


def numbers_of(scene):
    return [p for p in places(scene) if isinstance(at(scene, p), (int, float)) and not isinstance(at(scene, p), bool)]


ODD_NUMBERS = [0, -1, 1e-300, 1e-12, 1e-6, 0.001, 1, 3, 1e3, 1e6, 4e9, 1e12, 1e30, 1e50, 1e150, 1e300, -1e6, -4e9, 2**31,
               2**32, 2**53, 2**63, 2**64, 0.1 + 0.2]
ODD_VALUES = [None, True, False, "", "x", [], {}, [[]], "nan", "inf", "-inf", "1e400", "3 m", "30 deg", "5 parsec", "1/0",
              "sin(", "t", "x*1e300", "((((((((((1))))))))))", "\u0000", "\ud83d\ude00", "a" * 10000, [0] * 100, [1e9] * 3]


def far_number(scene, rng):
    path = rng.choice(numbers_of(scene))
    return put(scene, path, rng.choice(ODD_NUMBERS))


def scaled_number(scene, rng):
    for path in rng.sample(numbers_of(scene), min(len(numbers_of(scene)), rng.randint(1, 3))):
        put(scene, path, at(scene, path) * 10 ** rng.uniform(-4, 6))
    return scene


def odd_value(scene, rng):
    return put(scene, rng.choice([p for p in places(scene) if p]), rng.choice(ODD_VALUES))


def lost_key(scene, rng):
    path = rng.choice([p for p in places(scene) if p])
    del at(scene, path[:-1])[path[-1]]
    return scene


def renamed_key(scene, rng):
    path = rng.choice([p for p in places(scene) if p and isinstance(p[-1], str)])
    holder = at(scene, path[:-1])
    name = rng.choice(["", "x", path[-1] + "s", path[-1].upper(), "shape", "min", "mesh", path[-1][::-1]])
    holder[name] = holder.pop(path[-1])
    return scene


def swapped_values(scene, rng):
    all_places = [p for p in places(scene) if p]
    a, b = rng.choice(all_places), rng.choice(all_places)
    if a[: len(b)] == b or b[: len(a)] == a:
        return scene
    first, second = at(scene, a), at(scene, b)
    put(scene, a, second)
    return put(scene, b, first)


def copied_value(scene, rng):
    all_places = [p for p in places(scene) if p]
    source = json.loads(json.dumps(at(scene, rng.choice(all_places))))
    return put(scene, rng.choice(all_places), source)


def many_bodies(scene, rng):
    for key in ("bodies", "obstacles", "probes", "events"):
        items = scene.get(key)
        if not isinstance(items, list) or not items or rng.random() < 0.5:
            continue
        times = rng.choice([10, 100, 1000])
        scene[key] = [dict(json.loads(json.dumps(item)), name=f"{item.get('name', 'thing')}_{i}" if "name" in item else i)
                      if "name" in item else item for i in range(times) for item in items]
    return scene


def shapes_of(scene):
    return [p for p in places(scene) if p and p[-1] == "shape" and isinstance(at(scene, p), dict)]


def nested_shape(scene, rng):
    paths = shapes_of(scene)
    if not paths:
        return scene
    path = rng.choice(paths)
    shape = at(scene, path)
    for _ in range(rng.choice([3, 30, 300, 3000])):
        shape = {rng.choice(["union", "difference", "intersection"]): [shape]}
    return put(scene, path, shape)


def many_parts(scene, rng):
    paths = shapes_of(scene)
    if not paths:
        return scene
    path = rng.choice(paths)
    parts = [at(scene, path)]
    for _ in range(rng.choice([5, 50, 500])):
        center = [rng.uniform(-1, 1) for _ in range(3 if scene.get("dimension", 3) == 3 else 2)]
        parts.append({"sphere": {"center": center, "radius": 10 ** rng.uniform(-3, 0)}})
    return put(scene, path, {rng.choice(["union", "difference", "intersection"]): parts})


def odd_shape(scene, rng):
    paths = shapes_of(scene)
    if not paths:
        return scene
    dim = 2 if scene.get("dimension", 3) == 2 else 3
    point = lambda: [rng.choice([0, 0.1, 0.5, 1, -1, 1e6, rng.uniform(-1, 1)]) for _ in range(dim)]
    size = lambda: rng.choice([1e-9, 1e-3, 0.05, 0.1, 0.3, 1, 100, 1e5])
    shape = rng.choice([
        {"box": {"min": point(), "max": point()}},
        {"sphere": {"center": point(), "radius": size()}},
        {"capsule": {"from": point(), "to": point(), "radius": size()}},
        {"cylinder": {"from": point(), "to": point(), "radius": size()}},
        {"torus": {"center": point(), "radius": size(), "tube": size()}},
    ])
    if rng.random() < 0.3:
        shape["rotate"] = rng.choice([30, [1, 2, 3], "30 deg"])
    if rng.random() < 0.3:
        shape["scale"] = size()
    return put(scene, rng.choice(paths), shape)


def finer(scene, rng):
    key = "spacing" if "spacing" in scene else "count"
    if key == "spacing" and isinstance(scene[key], (int, float)):
        scene[key] *= rng.choice([0.5, 0.25, 0.1, 0.01])
    else:
        scene.pop("spacing", None)
        scene["count"] = rng.choice([1, 7, 100000, 1000000, 10000000, 4000000000])
    return scene


SCENE_MUTATIONS = [far_number, far_number, scaled_number, scaled_number, odd_value, lost_key, renamed_key, swapped_values,
                   copied_value, many_bodies, nested_shape, many_parts, odd_shape, odd_shape, finer]


def torn_text(data, rng):
    """Bytes that were damaged on their way."""
    data = bytearray(data)
    what = rng.choice(["cut", "flip", "repeat", "insert", "drop", "brackets"])
    if not data:
        return bytes(data)
    place = rng.randrange(len(data))
    if what == "cut":
        del data[place:]
    elif what == "flip":
        for _ in range(rng.randint(1, 20)):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif what == "repeat":
        end = min(len(data), place + rng.randint(1, 2000))
        data[place:place] = data[place:end] * rng.choice([1, 10, 100])
    elif what == "insert":
        data[place:place] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 50)))
    elif what == "drop":
        del data[place : place + rng.randint(1, 200)]
    else:
        data[place:place] = rng.choice([b"[", b"{", b'{"a":', b"(", b"-", b'"']) * rng.choice([10, 1000, 100000])
    return bytes(data)


# Meshes ---------------------------------------------------------------------------------------------------------------


def grid_mesh(rows, columns, place):
    """A closed tube of rows with its two ends put together in a point each."""
    vertices = [place(0.0, 0.0)]
    for i in range(1, rows):
        vertices += [place(i / rows, j / columns) for j in range(columns)]
    vertices.append(place(1.0, 0.0))
    last = len(vertices) - 1
    faces = [(0, 1 + (j + 1) % columns, 1 + j) for j in range(columns)]
    for i in range(rows - 2):
        a, b = 1 + i * columns, 1 + (i + 1) * columns
        for j in range(columns):
            k = (j + 1) % columns
            faces += [(a + j, a + k, b + j), (a + k, b + k, b + j)]
    top = 1 + (rows - 2) * columns
    faces += [(last, top + j, top + (j + 1) % columns) for j in range(columns)]
    return vertices, faces


def ball(rng):
    n = rng.choice([6, 12, 40])

    def place(u, v):
        a, b = math.pi * u, 2 * math.pi * v
        return [0.3 * math.sin(a) * math.cos(b), 0.3 * math.sin(a) * math.sin(b), 0.3 * math.cos(a)]

    return grid_mesh(n, 2 * n, place)


def cube(rng):
    vertices = [[x * 0.4, y * 0.4, z * 0.4] for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return vertices, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def fan(rng):
    """Two cones with their tips apart: long thin triangles."""
    n = rng.choice([50, 1000, 15000])
    vertices = [[0, 0, 0.3], [0, 0, -0.3]] + [
        [0.3 * math.cos(2 * math.pi * i / n), 0.3 * math.sin(2 * math.pi * i / n), 0] for i in range(n)]
    return vertices, [t for i in range(n) for t in ((0, 2 + i, 2 + (i + 1) % n), (1, 2 + (i + 1) % n, 2 + i))]


def soup(rng):
    n = rng.choice([10, 300, 5000, 20000])
    size = rng.choice([1.0, 0.1, 0.01])
    vertices, faces = [], []
    for i in range(n):
        middle = [rng.uniform(-0.3, 0.3) for _ in range(3)]
        vertices += [[m + rng.uniform(-size, size) for m in middle] for _ in range(3)]
        faces.append((3 * i, 3 * i + 1, 3 * i + 2))
    return vertices, faces


def far_vertex(mesh, rng):
    vertices, faces = mesh
    for _ in range(rng.choice([1, 1, 3])):
        vertices[rng.randrange(len(vertices))][rng.randrange(3)] = (
            rng.choice([-1, 1]) * rng.choice([10, 1e3, 1e6, 4e9, 1e15, 1e49, 1e160, 1e300]))
    return vertices, faces


def no_number(mesh, rng):
    vertices, faces = mesh
    vertices[rng.randrange(len(vertices))][rng.randrange(3)] = rng.choice([math.nan, math.inf, -math.inf])
    return vertices, faces


def noise(mesh, rng):
    vertices, faces = mesh
    size = 10 ** rng.uniform(-4, 0)
    return [[x + rng.gauss(0, size) for x in v] for v in vertices], faces


def flattened(mesh, rng):
    vertices, faces = mesh
    axis, factor = rng.randrange(3), rng.choice([0, 1e-12, 1e-6, 1e-3])
    for v in vertices:
        v[axis] *= factor
    return vertices, faces


def turned_faces(mesh, rng):
    vertices, faces = mesh
    share = rng.random()
    return vertices, [(a, c, b) if rng.random() < share else (a, b, c) for a, b, c in faces]


def doubled_faces(mesh, rng):
    vertices, faces = mesh
    times = rng.choice([2, 3, 20]) if len(faces) < 2000 else 2
    return vertices, [f for f in faces for _ in range(times if rng.random() < 0.5 else 1)]


def lost_faces(mesh, rng):
    vertices, faces = mesh
    share = rng.choice([0.01, 0.1, 0.5, 0.95])
    return vertices, [f for f in faces if rng.random() > share]


def wild_faces(mesh, rng):
    vertices, faces = mesh
    for _ in range(rng.choice([1, 10, len(faces)])):
        faces[rng.randrange(len(faces))] = tuple(rng.randrange(len(vertices)) for _ in range(3))
    return vertices, faces


def missing_vertices(mesh, rng):
    vertices, faces = mesh
    faces[rng.randrange(len(faces))] = (0, 1, rng.choice([len(vertices), 2**31 - 1, 10**6]))
    return vertices, faces


def copies(mesh, rng):
    """Many of the same, in each other or side by side."""
    vertices, faces = mesh
    times = rng.choice([2, 10, 100]) if len(faces) < 500 else 2
    step = rng.choice([0, 0.001, 0.3])
    all_vertices, all_faces = [], []
    for i in range(times):
        all_vertices += [[v[0] + i * step, v[1], v[2]] for v in vertices]
        all_faces += [tuple(k + i * len(vertices) for k in f) for f in faces]
    return all_vertices, all_faces


MESH_MUTATIONS = [far_vertex, far_vertex, no_number, noise, flattened, turned_faces, doubled_faces, lost_faces, wild_faces,
                  missing_vertices, copies]


def as_single(x):
    try:
        return struct.pack("<f", x)
    except OverflowError:
        return struct.pack("<f", math.copysign(math.inf, x))


def mesh_bytes(mesh, kind, rng):
    vertices, faces = mesh
    if kind == "obj":
        return "".join([f"v {x!r} {y!r} {z!r}\n" for x, y, z in vertices] +
                       [f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces]).encode()
    if kind == "stl":
        triangles = [[vertices[i] for i in f] for f in faces if max(f) < len(vertices)]
        body = b"".join(bytes(12) + b"".join(as_single(x) for v in t for x in v) + bytes(2) for t in triangles)
        return bytes(80) + struct.pack("<I", len(triangles)) + body
    text = rng.random() < 0.5
    head = (f"ply\nformat {'ascii' if text else 'binary_little_endian'} 1.0\nelement vertex {len(vertices)}\n"
            "property double x\nproperty double y\nproperty double z\n"
            f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n").encode()
    if text:
        return head + "".join([f"{x!r} {y!r} {z!r}\n" for x, y, z in vertices] +
                              [f"3 {a} {b} {c}\n" for a, b, c in faces]).encode()
    return head + b"".join(struct.pack("<3d", *v) for v in vertices) + b"".join(
        struct.pack("<B3i", 3, *f) for f in faces)


def cloud_bytes(mesh):
    """The vertices as points with normals away from the middle."""
    lines = []
    for v in mesh[0]:
        lines.append(" ".join(repr(x) for x in v + v) + "\n")
    head = (f"ply\nformat ascii 1.0\nelement vertex {len(lines)}\n" +
            "".join(f"property double {name}\n" for name in ("x", "y", "z", "nx", "ny", "nz")) + "end_header\n")
    return (head + "".join(lines)).encode()


def mesh_scene(name, rng):
    shape = {"mesh": name}
    if rng.random() < 0.6:
        shape["size"] = rng.choice(["0.3 m", 0.5, 1])
    body = {"name": "thing", "type": rng.choice(["fluid", "solid"]), "shape": shape}
    scene = {"count": rng.choice([500, 5000, 20000]), "bodies": [body],
             "domain": {"min": [-1, -1, -1], "max": [1, 1, 2]}}
    what = rng.random()
    if what < 0.25:
        scene["obstacles"] = [{"name": "wall", "shape": shape}]
        body["shape"] = {"box": {"min": [-0.9, -0.9, 0], "max": [-0.4, 0.9, 0.5]}}
        body["type"] = "fluid"
    elif what < 0.4:
        body["shape"] = {rng.choice(["union", "difference"]): [shape, {"sphere": {"center": [0, 0, 0], "radius": 0.1}}]}
    elif what < 0.5:
        scene["spacing"] = rng.choice([0.1, 0.02, 0.005])
        del scene["count"]
    if body["type"] == "solid" and rng.random() < 0.3:
        body["sampling"] = rng.choice(["jittered", "poisson_disk"])
    return scene


# Cases ----------------------------------------------------------------------------------------------------------------


def make_case(number, seed, examples, folder):
    """Writes the files of a case; returns the kind of fault and the scene's file."""
    rng = random.Random(f"{seed}/{number}")
    file = folder / "scene.json"
    what = rng.random()
    if what < 0.5:
        scene = json.loads(examples[rng.choice(sorted(examples))])
        names = []
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            mutate = rng.choice(SCENE_MUTATIONS)
            names.append(mutate.__name__)
            try:
                scene = mutate(scene, rng)
            except (IndexError, KeyError, TypeError, ValueError, OverflowError, AttributeError):
                pass # what an earlier one has left does not have what this one changes
        file.write_text(json.dumps(scene), encoding="utf-8", errors="surrogatepass")
        return "scene: " + names[0], file
    if what < 0.65:
        text = rng.choice([examples[name] for name in sorted(examples)]).encode()
        file.write_bytes(torn_text(text, rng))
        return "scene: torn_text", file
    mesh = rng.choice([ball, ball, cube, fan, soup])
    content = mesh(rng)
    name = mesh.__name__
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        mutate = rng.choice(MESH_MUTATIONS)
        name = mutate.__name__
        content = mutate(content, rng)
    kind = rng.choice(["ply", "ply", "obj", "stl"])
    data = cloud_bytes(content) if rng.random() < 0.1 else None
    if data is not None:
        kind, name = "ply", "cloud"
    else:
        data = mesh_bytes(content, kind, rng)
    if rng.random() < 0.15:
        data, name = torn_text(data, rng), "torn_bytes"
    (folder / f"mesh.{kind}").write_bytes(data)
    file.write_text(json.dumps(mesh_scene(f"mesh.{kind}", rng)))
    return "mesh: " + name, file


def run_case(phyxel, file):
    """Exit status (negative for a signal), processor time and what was said."""
    said = file.parent / "said"
    with open(said, "wb") as out:
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (KILL, KILL + 5))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        pid = os.fork()
        if pid == 0:
            try:
                limit()
                os.chdir(file.parent)
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
                os.execv(phyxel, [phyxel, "validate", file.name])
            finally:
                os._exit(127)
        _, status, usage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return code, usage.ru_utime + usage.ru_stime, said.read_text(errors="replace")


def judge(code, seconds, text):
    """What is wrong with an answer, or nothing."""
    if code < 0:
        return f"ended by signal {-code}"
    if code not in (0, 2):
        return f"exit code {code}"
    if not text.strip():
        return "said nothing"
    if "given up" in text:
        return f"{seconds:.1f} s until it gave up" if seconds > GIVEN_UP_LIMIT else None
    return f"{seconds:.1f} s" if seconds > LIMIT else None


class Case:
    """What became of one."""

    FIELDS = ("case", "kind", "code", "seconds", "given_up", "finding")

    def __init__(self, number, kind, code, seconds, given_up, finding):
        self.number, self.kind, self.finding = int(number), kind, finding
        self.code, self.seconds, self.given_up = int(code), float(seconds), given_up in (True, "True")

    def row(self):
        return (self.number, self.kind, self.code, f"{self.seconds:.3f}", self.given_up, self.finding)

    def line(self):
        what = "gave up" if self.given_up else {0: "fine", 2: "refused"}.get(self.code, f"ended with {self.code}")
        return f"case {self.number} ({self.kind}): {what} after {self.seconds:.2f} s" + (
            f"; FINDING: {self.finding}" if self.finding else "")


class Trial:
    """Makes and runs cases, in folders of its own."""

    def __init__(self, args):
        root = pathlib.Path(__file__).resolve().parents[2]
        self.source = pathlib.Path(args.examples) if args.examples else root / "examples" / "scenes"
        self.examples = {p.stem: without_comments(p.read_text()) for p in sorted(self.source.glob("*.json"))}
        self.phyxel, self.seed, self.keep, self.speaks = os.path.abspath(args.phyxel), args.seed, args.keep, args.only is not None

    def __call__(self, number):
        with tempfile.TemporaryDirectory(prefix="mutated_files_") as name:
            folder = pathlib.Path(name)
            for other in self.source.iterdir():
                if other.suffix in (".obj", ".ply", ".stl"):
                    os.symlink(other.resolve(), folder / other.name)
            kind, file = make_case(number, self.seed, self.examples, folder)
            code, seconds, text = run_case(self.phyxel, file)
            finding = judge(code, seconds, text)
            if self.speaks:
                print(f"case {number}: {kind}: exit code {code}, {seconds:.2f} s\n{text}", flush=True)
            if finding or self.speaks:
                kept = pathlib.Path(self.keep) / str(number)
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept)
        return Case(number, kind, code, seconds, code == 0 and "given up" in text, finding or "")


def with_deep_stack(work):
    """Scenes that are nested thousands deep are walked over by recursion."""
    sys.setrecursionlimit(100000)
    threading.stack_size(512 << 20)
    result = []
    thread = threading.Thread(target=lambda: result.append(work()))
    thread.start()
    thread.join()
    return result[0] if result else None


def worker(args, numbers, results):
    """One of several processes, each of which takes the next number as soon as it is done with one."""

    def all_of_them():
        trial = Trial(args)
        for number in iter(numbers.get, None):
            results.put(trial(number))
        return True

    if not with_deep_stack(all_of_them):
        results.put(None)


def run_cases(numbers, args):
    """Yields cases as they are done, in the order of numbers only if there is one job."""
    end = time.monotonic() + 60 * args.minutes
    if not numbers:
        return
    context = multiprocessing.get_context("fork")
    ahead, results = context.Queue(), context.Queue()
    workers = [context.Process(target=worker, args=(args, ahead, results)) for _ in range(min(args.jobs, len(numbers)))]
    for process in workers:
        process.start()
    waiting, under_way = list(reversed(numbers)), 0
    for _ in workers:
        ahead.put(waiting.pop())
        under_way += 1
    while under_way:
        try:
            case = results.get(timeout=KILL)
        except queue.Empty:
            if all(process.is_alive() for process in workers):
                continue
            case = None
        if case is None:
            for process in workers:
                process.kill()
            raise SystemExit("a worker has failed; what it said stands above")
        under_way -= 1
        if waiting and time.monotonic() < end:
            ahead.put(waiting.pop())
            under_way += 1
        yield case
    for process in workers:
        ahead.put(None)
    for process in workers:
        process.join()


def numbers_in(text):
    """As in "23,1606,7648-7650"."""
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def read_results(path):
    """Of cases that were run before, the last of each: one may have been run once more, alone."""
    if not path or not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        rows = [row for row in list(csv.reader(file))[1:] if len(row) == len(Case.FIELDS)]
    return list({row[0]: Case(*row) for row in rows}.values())


def print_table(cases):
    table = {}
    for case in cases:
        row = table.setdefault(case.kind, [0, 0, 0, 0, 0.0, 0])
        row[0] += 1
        row[1] += case.code == 0 and not case.given_up
        row[2] += case.code == 2
        row[3] += case.given_up
        row[4] = max(row[4], case.seconds)
        row[5] += bool(case.finding)
    print(f"{'fault':24} {'cases':>6} {'fine':>6} {'refused':>8} {'given up':>9} {'slowest':>9} {'findings':>9}")
    for kind in sorted(table):
        row = table[kind]
        print(f"{kind:24} {row[0]:6} {row[1]:6} {row[2]:8} {row[3]:9} {row[4]:7.2f} s {row[5]:9}")
    total = [sum(row[k] for row in table.values()) for k in (0, 1, 2, 3, 5)]
    slowest = max((row[4] for row in table.values()), default=0.0)
    print(f"{'all':24} {total[0]:6} {total[1]:6} {total[2]:8} {total[3]:9} {slowest:7.2f} s {total[4]:9}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phyxel", required=True, help="the command")
    parser.add_argument("--examples", help="folder of scenes; examples/scenes of the project if not given")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--cases", help="numbers of cases instead, as in 23,1606,7648-7650")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no case after so long, whatever the count")
    parser.add_argument("--results", help="table of what became of each case; those that are in it already are not run")
    parser.add_argument("--slow", type=float, default=LIMIT, help="names are printed of what takes longer [s]")
    parser.add_argument("--again", action="store_true", help="at the end, run once more and alone what was too slow")
    parser.add_argument("--only", type=int, help="make and run this case alone, and keep its files")
    parser.add_argument("--keep", default="mutated_files", help="folder for the files of what was found")
    args = parser.parse_args()

    numbers = list(range(args.first, args.first + args.count))
    if args.cases:
        numbers = numbers_in(args.cases)
    if args.only is not None:
        numbers = [args.only]
    wanted = set(numbers)
    done = [case for case in read_results(args.results) if case.number in wanted]
    known = {case.number for case in done}

    def keep(case):
        if args.results:
            is_new = not os.path.exists(args.results)
            with open(args.results, "a", newline="") as file:
                csv.writer(file).writerows([Case.FIELDS] * is_new + [case.row()])

    for case in run_cases([n for n in numbers if n not in known], args):
        done.append(case)
        if case.finding or case.seconds > args.slow:
            print(case.line(), flush=True)
        keep(case)

    # Beside others a case takes more of a processor than it would alone.
    slow = [case for case in done if case.seconds > args.slow]
    if args.again and slow:
        args.jobs = 1
        print(f"\nOnce more, one at a time, the {len(slow)} that took more than {args.slow:g} s:")
        alone = {}
        for case in run_cases([case.number for case in slow], args):
            alone[case.number] = case
            print(case.line(), flush=True)
            keep(case)
        done = [alone.get(case.number, case) for case in done]

    done.sort(key=lambda case: case.number)
    print_table(done)
    slow = sorted((case for case in done if case.finding or case.seconds > args.slow), key=lambda case: -case.seconds)
    print(f"{len(numbers) - len(done)} of {len(numbers)} cases were not run; {len(slow)} are findings or took more than {args.slow:g} s:")
    for case in slow:
        print(case.line())
    return 1 if any(case.finding for case in done) else 0


if __name__ == "__main__":
    sys.exit(main())
