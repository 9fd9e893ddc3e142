# SPDX-License-Identifier: MIT
"""Shows a Phyxel run in Blender: frame N of the run is frame N of Blender, read when the time gets there.

    blender --python phyxel_blender.py -- runs/dam_break-001

It needs phyxel_frames.py beside it. Run like this it lasts for one session; the page docs/blender.md says how to
install both as an add-on, how to render a clip, and what the options do.
"""

import argparse
import json
import math
import re
import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.insert(0, str(Path(__file__).resolve().parent))
from phyxel_frames import read_frame, read_poses

bl_info = {"name": "Phyxel runs", "author": "The Phyxel maintainers", "version": (0, 1, 0), "blender": (3, 4, 0),
           "location": "File > Import > Phyxel run", "category": "Import-Export",
           "description": "Particles, surfaces and rigid bodies of a recorded run"}

SURFACE = "_surface"  # what `phyxel surface` adds to the name of a body
FRAGMENTS = "_fragments"  # and with --fragments

# Index of refraction and colour of what light goes through; colour and metal of what it does not.
CLEAR = {"ice": (1.310, (0.92, 0.97, 1.0)), "glass": (1.520, (0.97, 0.99, 0.98)), "water": (1.333, (0.80, 0.94, 1.0)), "seawater": (1.340, (0.70, 0.92, 0.98)),
         "ethanol": (1.361, (0.97, 0.97, 1.0)), "olive_oil": (1.467, (0.93, 0.82, 0.25)),
         "glycerol": (1.473, (0.97, 0.97, 0.95)), "honey": (1.490, (0.95, 0.52, 0.07))}
OPAQUE = {"milk": ((0.90, 0.87, 0.80), 0.0), "mercury": ((0.78, 0.78, 0.80), 1.0),
          "wood": ((0.42, 0.24, 0.11), 0.0), "cork": ((0.55, 0.36, 0.20), 0.0), "rubber": ((0.06, 0.06, 0.06), 0.0),
          "polyethylene": ((0.75, 0.77, 0.80), 0.0), "brick": ((0.45, 0.14, 0.08), 0.0),
          "concrete": ((0.45, 0.44, 0.42), 0.0), "stone": ((0.30, 0.29, 0.28), 0.0),
          "aluminium": ((0.80, 0.81, 0.82), 1.0), "steel": ((0.55, 0.56, 0.58), 1.0)}
PLAIN = ((0.60, 0.55, 0.45), 0.0)  # of what is rigid and none of these


class RunError(Exception):
    """What is wrong with a run, in one line."""


def read_manifest(run):
    """Frame rate [1/s], dimension, box of the domain or None, and for each body its name, material and spacing."""
    path = Path(run, "manifest.json")
    try:
        scene = json.loads(path.read_text(encoding="utf-8"))["scene"]
        bodies = [{"name": str(body["name"]), "material": str((body.get("material") or {}).get("from", "")),
                   "max_speed": float(body.get("solver", {}).get("max_speed", 1.0)),
                   "spacing": float(body.get("spacing", scene.get("spacing", 0.01)))} for body in scene["bodies"]]
        rate, dimension = float(scene["frame_rate"]), int(scene["dimension"])
        domain = scene.get("domain")
        box = domain and [[float(number) for number in domain[corner]] for corner in ("min", "max")]
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunError(f"{path}: is not the manifest of a run ({type(error).__name__}: {error})") from error
    if not (rate > 0 and math.isfinite(rate)):
        raise RunError(f"{path}: a frame rate of {rate} is not possible")
    return rate, dimension, box, bodies


def folder_of(name):
    """The folder of a run that has the frames of this name."""
    return "fragments" if name.endswith(FRAGMENTS) else "frames"


def frame_numbers(run, name):
    """The numbers of the frames that a body, its surface or its fragments have."""
    pattern = re.compile(re.escape(name) + r"_(\d{6,})\.ply")
    names = (path.name for path in Path(run, folder_of(name)).glob("*.ply"))
    return sorted(int(match[1]) for match in map(pattern.fullmatch, names) if match)


def fill_mesh(mesh, frame):
    """Gives a mesh the points, triangles and fields of a frame."""
    mesh.clear_geometry()
    count = len(frame["position"])
    mesh.vertices.add(count)
    mesh.vertices.foreach_set("co", frame["position"].astype("f4").ravel())
    triangles = frame.get("triangles")
    if triangles is not None and len(triangles) > 0:
        # Blender believes what it is given, and a corner that does not exist would end it.
        if triangles.min() < 0 or triangles.max() >= count:
            mesh.clear_geometry()
            raise ValueError("a triangle has a corner that does not exist")
        mesh.loops.add(triangles.size)
        mesh.loops.foreach_set("vertex_index", triangles.astype("i4").ravel())
        mesh.polygons.add(len(triangles))
        mesh.polygons.foreach_set("loop_start", np.arange(0, triangles.size, 3, dtype="i4"))
        if bpy.app.version < (4, 1):
            mesh.polygons.foreach_set("loop_total", np.full(len(triangles), 3, dtype="i4"))
        mesh.polygons.foreach_set("use_smooth", np.ones(len(triangles), dtype=bool))
    for name in sorted(set(frame) - {"time", "position", "triangles"}):
        add_attribute(mesh, name, frame[name])
    if "velocity" in frame:
        # To Cycles, `velocity` and `density` are fields of volumes: shaders of points find nothing by these names.
        add_attribute(mesh, "speed", np.linalg.norm(frame["velocity"], axis=1))
    mesh.update(calc_edges=True)


def add_attribute(mesh, name, values):
    if name == "id":
        # Blender's whole numbers have 32 bits: the lower half of ours, as they are.
        values = values.astype("u4").view("i4")
        mesh.attributes.new(name, "INT", "POINT").data.foreach_set("value", values)
    elif values.ndim == 2:
        mesh.attributes.new(name, "FLOAT_VECTOR", "POINT").data.foreach_set("vector", values.astype("f4").ravel())
    else:
        mesh.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", values.astype("f4"))


def load_frame(mesh, number):
    """Shows frame `number` in a mesh that belongs to a run; nothing where the run has no such frame."""
    name = mesh["phyxel_name"]
    path = Path(bpy.path.abspath(mesh["phyxel_run"]), folder_of(name), f"{name}_{number:06d}.ply")
    # Kept in the mesh, and not in this module, because undoing and saving have to keep it with the points.
    state = f"{number} {path.stat().st_mtime_ns}" if path.is_file() else "nothing"
    if mesh.get("phyxel_shown") == state:
        return
    mesh["phyxel_shown"] = state
    if state == "nothing":
        mesh.clear_geometry()
        return
    try:
        fill_mesh(mesh, read_frame(path))
    except (OSError, ValueError, KeyError, IndexError, NameError, TypeError) as error:
        mesh.clear_geometry()
        print(f"phyxel: {path}: {error}", file=sys.stderr)


@bpy.app.handlers.persistent
def load_phyxel_frames(scene, _=None):
    """Called by Blender before it evaluates another time."""
    # Renderers also ask for times between frames, the ends of the shutter. Most of these are nearest to the frame that
    # is drawn, which then need not be read again; how points move there is said by their velocity.
    number = math.floor(scene.frame_current_final + 0.5)
    for item in scene.objects:
        if item.type == "MESH" and "phyxel_run" in item.data and not (item.hide_viewport and item.hide_render):
            load_frame(item.data, number)


def clear_material(name, refraction, color):
    """Glass, but with a light shadow: Cycles alone would not find the light that bends through it."""
    material, nodes, links, output = empty_material(name)
    glass = nodes.new("ShaderNodeBsdfGlass")
    glass.inputs["Color"].default_value = (*color, 1.0)
    glass.inputs["Roughness"].default_value = 0.0
    glass.inputs["IOR"].default_value = refraction
    shadow = nodes.new("ShaderNodeBsdfTransparent")
    shadow.inputs["Color"].default_value = (*color, 1.0)
    path, mix = nodes.new("ShaderNodeLightPath"), nodes.new("ShaderNodeMixShader")
    links.new(path.outputs["Is Shadow Ray"], mix.inputs[0])
    links.new(glass.outputs[0], mix.inputs[1])
    links.new(shadow.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], output.inputs["Surface"])
    return material


def opaque_material(name, color, metal):
    material, nodes, links, output = empty_material(name)
    shader = nodes.new("ShaderNodeBsdfPrincipled")
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Metallic"].default_value = metal
    shader.inputs["Roughness"].default_value = 0.15
    links.new(shader.outputs[0], output.inputs["Surface"])
    return material


def speed_material(name, max_speed):
    """For particles: blue at rest, white at the speed that the run expects."""
    material, nodes, links, output = empty_material(name)
    speed = nodes.new("ShaderNodeAttribute")
    speed.attribute_name = "speed"
    scale, ramp = nodes.new("ShaderNodeMapRange"), nodes.new("ShaderNodeValToRGB")
    scale.inputs["From Max"].default_value = max_speed
    ramp.color_ramp.elements[0].color = (0.01, 0.09, 0.35, 1.0)
    ramp.color_ramp.elements[1].color = (0.85, 0.95, 1.0, 1.0)
    shader = nodes.new("ShaderNodeBsdfPrincipled")
    shader.inputs["Roughness"].default_value = 0.4
    links.new(speed.outputs["Fac"], scale.inputs["Value"])
    links.new(scale.outputs["Result"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    links.new(shader.outputs[0], output.inputs["Surface"])
    return material


def empty_material(name):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    return material, tree.nodes, tree.links, tree.nodes.new("ShaderNodeOutputMaterial")


def rigid_material(body):
    if body["material"] in CLEAR:
        return clear_material(body["name"], *CLEAR[body["material"]])
    return opaque_material(body["name"], *OPAQUE.get(body["material"], PLAIN))


def surface_material(body):
    if body["material"] in OPAQUE:
        return opaque_material(body["name"], *OPAQUE[body["material"]])
    return clear_material(body["name"], *CLEAR.get(body["material"], CLEAR["water"]))


def rotation_matrix(quaternion):
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def add_curve(action, path, index, frames, values, interpolation):
    curve = action.fcurves.new(path, index=index)
    curve.keyframe_points.add(len(frames))
    curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=-1).astype("f4").ravel())
    for point in curve.keyframe_points:
        point.interpolation = interpolation
    curve.update()


def add_rigid(scene, run, body, poses, frames):
    """A body with its mesh at rest around its centre of mass, and a key for every frame; None without a mesh."""
    name = body["name"]
    poses = one_a_frame(poses)
    known = sorted(set(frames) & set(poses["frame"].tolist()))
    if not known:
        return None
    # Any frame will do, as the shape stays.
    first = int(np.searchsorted(poses["frame"], known[0]))

    def at_rest(position):
        return (position - poses["position"][first]) @ rotation_matrix(poses["rotation"][first])

    path = Path(run, "frames", f"{name}{SURFACE}_{known[0]:06d}.ply")
    return add_moving(scene, name, path, at_rest, rigid_material(body), poses)


def one_a_frame(poses):
    return {key: values[np.unique(poses["frame"], return_index=True)[1]] for key, values in poses.items()}


def add_pieces(scene, run, body):
    """The pieces of a broken body, from `phyxel surface RUN --fragments --rigid`; none if that was not asked for."""
    folder = Path(run, "fragments")
    name = re.compile(re.escape(body["name"]) + r"_fragment_\d+")
    poses = {piece: found for piece, found in read_table_of_poses(folder).items() if name.fullmatch(piece)}
    material = rigid_material(body) if poses else None
    return [add_moving(scene, piece, folder / f"{piece}.ply", lambda position: position, material, one_a_frame(found))
            for piece, found in sorted(poses.items())]


def add_moving(scene, name, path, at_rest, material, poses):
    """A mesh around its centre of mass, with a key for every pose; `at_rest` takes the points of the file there."""
    mesh = bpy.data.meshes.new(name)
    try:
        frame = read_frame(path)
        fill_mesh(mesh, {"position": at_rest(frame["position"]), "triangles": frame["triangles"]})
    except (OSError, ValueError, KeyError, IndexError, NameError, TypeError) as error:
        raise RunError(f"{path}: {error}") from error
    # Corners would look like smooth dents, and what is round has many triangles.
    if hasattr(mesh, "use_auto_smooth"):
        mesh.use_auto_smooth, mesh.auto_smooth_angle = True, math.radians(30.0)
    item = bpy.data.objects.new(name, mesh)
    mesh.materials.append(material)
    scene.collection.objects.link(item)
    item.rotation_mode = "QUATERNION"
    # q and -q are the same rotation; between two keys only the nearer one will do.
    turns = poses["rotation"].copy()
    for k in range(1, len(turns)):
        if turns[k] @ turns[k - 1] < 0:
            turns[k] = -turns[k]
    item.animation_data_create().action = action = bpy.data.actions.new(name)
    numbers = poses["frame"]
    for axis in range(3):
        add_curve(action, "location", axis, numbers, poses["position"][:, axis], "LINEAR")
    for part in range(4):
        add_curve(action, "rotation_quaternion", part, numbers, turns[:, part], "LINEAR")
    # It is there from its first pose to its last one.
    hidden = {scene.frame_start: 1.0, int(numbers[0]): 0.0}
    if numbers[-1] < scene.frame_end:
        hidden[int(numbers[-1]) + 1] = 1.0
    for path in ("hide_render", "hide_viewport"):
        add_curve(action, path, 0, np.array(list(hidden)), np.array(list(hidden.values())), "CONSTANT")
    return item


def add_spheres(item, radius, material):
    """Vertices of a mesh are not rendered; this modifier makes spheres of them, which keep all attributes."""
    tree = bpy.data.node_groups.new(item.name + " spheres", "GeometryNodeTree")
    if hasattr(tree, "interface"):  # Blender 4
        for direction in ("INPUT", "OUTPUT"):
            tree.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")
    source, sink = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    points, paint = tree.nodes.new("GeometryNodeMeshToPoints"), tree.nodes.new("GeometryNodeSetMaterial")
    points.inputs["Radius"].default_value = radius
    paint.inputs["Material"].default_value = material
    tree.links.new(source.outputs[0], points.inputs["Mesh"])
    tree.links.new(points.outputs[0], paint.inputs["Geometry"])
    tree.links.new(paint.outputs[0], sink.inputs[0])
    item.modifiers.new("Spheres", "NODES").node_group = tree


def import_run(run, scene=None):
    """Makes an object for each body of a run, and one for its surface; returns them. What is rigid gets its mesh once and
    moves by key frames."""
    scene = scene or bpy.context.scene
    run = Path(bpy.path.abspath(str(run))).resolve()
    rate, dimension, _, bodies = read_manifest(run)
    numbers = {name: frame_numbers(run, name)
               for body in bodies for name in (body["name"], body["name"] + SURFACE, body["name"] + FRAGMENTS)}
    if not any(numbers.values()):
        raise RunError(f"{run}: there are no PLY frames; docs/blender.md says how to convert a run recorded as VTK")

    set_rate(scene, rate)
    scene.frame_start = min(found[0] for found in numbers.values() if found)
    scene.frame_end = max(found[-1] for found in numbers.values() if found)
    # The handler changes meshes while an animation is rendered; nothing else may then look at them.
    scene.render.use_lock_interface = True

    poses = read_table_of_poses(run)
    items = []
    for body in bodies:
        particles, surface, fragments = (body["name"] + ending for ending in ("", SURFACE, FRAGMENTS))
        rigid = body["name"] in poses and add_rigid(scene, run, body, poses[body["name"]], numbers[surface])
        if rigid:
            items.append(rigid)
            continue
        pieces = add_pieces(scene, run, body)
        items += pieces
        if numbers[particles]:
            item = add_object(scene, run, particles, dimension)
            add_spheres(item, 0.5 * body["spacing"], speed_material(particles + " particles", body["max_speed"]))
            # Where there is a surface, pictures show that alone.
            item.hide_render = bool(numbers[surface] or numbers[fragments] or pieces)
            items.append(item)
        if numbers[surface]:
            item = add_object(scene, run, surface, dimension)
            item.data.materials.append(surface_material(body))
            item.hide_render = bool(numbers[fragments] or pieces)
            items.append(item)
        if numbers[fragments]:
            item = add_object(scene, run, fragments, dimension)
            item.data.materials.append(rigid_material(body))
            if hasattr(item.data, "use_auto_smooth"):  # or the edges of cracks would look like dents
                item.data.use_auto_smooth, item.data.auto_smooth_angle = True, math.radians(30.0)
            item.hide_render = bool(pieces)
            items.append(item)
    register_handler()
    scene.frame_set(scene.frame_start)
    return items


def read_table_of_poses(run):
    try:
        return read_poses(run)
    except (OSError, UnicodeDecodeError, ValueError, KeyError, StopIteration) as error:
        raise RunError(f"{Path(run, 'poses.csv')}: is no table of poses ({type(error).__name__}: {error})") from error


def set_rate(scene, rate):
    """Frames in a second, which Blender keeps as a whole number and a divisor."""
    scene.render.fps = min(max(round(rate), 1), 32767)
    scene.render.fps_base = scene.render.fps / rate


def add_object(scene, run, name, dimension):
    mesh = bpy.data.meshes.new(name)
    mesh["phyxel_run"], mesh["phyxel_name"] = str(run), name
    item = bpy.data.objects.new(name, mesh)
    if dimension == 2:  # y is up in the plane
        item.rotation_euler.x = 0.5 * math.pi
    scene.collection.objects.link(item)
    return item


def add_stage(run, items, scene=None, size=(1920, 1080), samples=64):
    """A floor, the sky and a camera that sees the whole domain, for a first picture; renders with Cycles."""
    scene = scene or bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = size
    _, dimension, box, _ = read_manifest(Path(bpy.path.abspath(str(run))))
    if box is None:
        points = [vertex.co for item in items for vertex in item.data.vertices]
        box = [[min(point[axis] for point in points) for axis in range(3)],
               [max(point[axis] for point in points) for axis in range(3)]] if points else [[0] * 3, [1] * 3]
    low, high = (Vector((*corner, 0.0)[:3]) for corner in box)
    if dimension == 2:
        low, high = Vector((low.x, 0.0, low.y)), Vector((high.x, 0.0, high.y))
    center, extent = 0.5 * (low + high), (high - low).length

    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    direction = Vector((0.0, -1.0, 0.0)) if dimension == 2 else Vector((0.45, -1.0, 0.4)).normalized()
    camera.rotation_euler = (-direction).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera
    corners = [number for i in range(8) for number in
               ((low, high)[i & 1].x, (low, high)[i >> 1 & 1].y, (low, high)[i >> 2].z)]
    place, _ = camera.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), corners)
    camera.location = place + 0.1 * extent * direction
    distance = (camera.location - center).length
    camera.data.clip_start, camera.data.clip_end = 0.01 * distance, 100.0 * distance

    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle = 3.0, 0.05
    sun.rotation_euler = (math.radians(40.0), math.radians(15.0), math.radians(30.0))
    scene.collection.objects.link(sun)
    world = bpy.data.worlds.new("Sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.55, 0.70, 0.90, 1.0)
    scene.world = world

    floor = bpy.data.meshes.new("Floor")
    half, height = 20.0 * extent, low.z - 0.001 * extent
    floor.from_pydata([(center.x + x * half, center.y + y * half, height) for x, y in
                       ((-1, -1), (1, -1), (1, 1), (-1, 1))], [], [(0, 1, 2, 3)])
    floor.materials.append(opaque_material("Floor", (0.22, 0.20, 0.18), 0.0))
    scene.collection.objects.link(bpy.data.objects.new("Floor", floor))

    scene.render.engine = "CYCLES"
    scene.render.use_motion_blur = True
    scene.cycles.samples = samples
    # Sunlight that glass gathers on the floor is found by chance, as white dots; shadows of glass are light without.
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.cycles.use_denoising = False  # Debian builds Blender without the denoiser, and then refuses to render


class IMPORT_OT_phyxel_run(bpy.types.Operator):
    """Shows the bodies of a run that Phyxel recorded"""

    bl_idname, bl_label, bl_options = "import_scene.phyxel_run", "Import Phyxel run", {"REGISTER", "UNDO"}
    directory: bpy.props.StringProperty(subtype="DIR_PATH", description="Folder with manifest.json and frames")
    stage: bpy.props.BoolProperty(name="Stage", description="Add a floor, the sky and a camera")

    def invoke(self, context, _):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        try:
            items = import_run(self.directory, context.scene)
            if self.stage:
                add_stage(self.directory, items, context.scene)
        except RunError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def draw_menu(menu, _):
    menu.layout.operator(IMPORT_OT_phyxel_run.bl_idname, text="Phyxel run (folder)")


def register_handler():
    remove_handler()
    bpy.app.handlers.frame_change_pre.append(load_phyxel_frames)


def remove_handler():
    """By its name, as a script that is run again has left another function behind."""
    handlers = bpy.app.handlers.frame_change_pre
    handlers[:] = [handler for handler in handlers if handler.__name__ != load_phyxel_frames.__name__]


def register():
    bpy.utils.register_class(IMPORT_OT_phyxel_run)
    bpy.types.TOPBAR_MT_file_import.append(draw_menu)
    register_handler()


def unregister():
    remove_handler()
    bpy.types.TOPBAR_MT_file_import.remove(draw_menu)
    bpy.utils.unregister_class(IMPORT_OT_phyxel_run)


def main():
    parser = argparse.ArgumentParser(prog="blender --python phyxel_blender.py --",
                                     description="Shows a Phyxel run in Blender.")
    parser.add_argument("run", nargs="?", help="folder of a run; without it, frames of a saved scene are loaded")
    parser.add_argument("--stage", action="store_true", help="add a floor, the sky and a camera, and set up Cycles")
    parser.add_argument("--size", type=int, nargs=2, default=[1920, 1080], metavar=("WIDTH", "HEIGHT"),
                        help="of the pictures of the stage (default: 1920 1080)")
    parser.add_argument("--samples", type=int, default=64, help="rays for each pixel of the stage (default: 64)")
    parser.add_argument("--save", metavar="FILE.blend", help="save the scene")
    arguments = parser.parse_args(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])
    register()
    if arguments.run:
        if not bpy.data.filepath:  # the cube, the lamp and the camera that Blender begins with
            for item in list(bpy.context.scene.objects):
                bpy.data.objects.remove(item)
        items = import_run(arguments.run)
        if arguments.stage:
            add_stage(arguments.run, items, size=arguments.size, samples=arguments.samples)
    else:
        load_phyxel_frames(bpy.context.scene)
    if arguments.save:
        bpy.ops.wm.save_as_mainfile(filepath=str(Path(arguments.save).resolve()))


if __name__ == "__main__":
    try:
        main()
    except RunError as problem:
        print(f"phyxel: {problem}", file=sys.stderr)
        sys.exit(2)
