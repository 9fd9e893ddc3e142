# SPDX-License-Identifier: MIT
"""Run inside Blender by blender_test.py: writes what is in the scene at some frames to a file, as JSON.

The environment says which: PHYXEL_PROBE_FRAMES is "3 10.25", PHYXEL_PROBE_FILE is where it goes.
"""

import json
import os

import bpy
import numpy as np


def vectors(data, name):
    values = np.empty(3 * len(data), dtype="f4")
    data.foreach_get(name, values)
    return values.reshape(-1, 3).tolist()


def content(item):
    mesh = item.data
    found = {"points": vectors(mesh.vertices, "co"), "hidden": item.hide_render, "rotation": item.rotation_euler.x,
             "materials": [material.name for material in mesh.materials],
             "attributes": {each.name: each.data_type for each in mesh.attributes}}
    if mesh.polygons:
        found["triangles"] = [list(polygon.vertices) for polygon in mesh.polygons]
    if "velocity" in mesh.attributes:
        found["velocity"] = vectors(mesh.attributes["velocity"].data, "vector")
    if "id" in mesh.attributes:
        found["id"] = [each.value for each in mesh.attributes["id"].data]
    return found


def spheres():
    """What the renderer gets: the points of each point cloud, and their radius."""
    found = {}
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        cloud = instance.object  # only until the next one
        if cloud.type == "POINTCLOUD":
            points = cloud.data.points
            found[cloud.name] = [len(points), points[0].radius if points else 0.0]
    return found


def rigid():
    """What moves by keys: where its corners are, and whether it is drawn."""
    return {item.name: {"points": [list(item.matrix_world @ corner.co) for corner in item.data.vertices],
                        "hidden": item.hide_render}
            for item in scene.objects if item.animation_data}


scene = bpy.context.scene
frames = []
for number in map(float, os.environ["PHYXEL_PROBE_FRAMES"].split()):
    scene.frame_set(int(number), subframe=number % 1.0)
    items = {item.name: content(item) for item in scene.objects if "phyxel_run" in (item.data or {})}
    frames.append({"objects": items, "spheres": spheres(), "rigid": rigid()})
glass = {material.name: node.inputs["IOR"].default_value
         for material in bpy.data.materials if material.use_nodes
         for node in material.node_tree.nodes if node.bl_idname == "ShaderNodeBsdfGlass"}
with open(os.environ["PHYXEL_PROBE_FILE"], "w", encoding="utf-8") as file:
    json.dump({"rate": scene.render.fps / scene.render.fps_base, "range": [scene.frame_start, scene.frame_end],
               "frames": frames, "glass": glass}, file)
