# SPDX-License-Identifier: MIT
"""Pictures of a Phyxel run by ParaView, one for each frame, coloured by a field.

    phyxel convert runs/dam_break-001 paraview --to vtp
    pvpython phyxel_paraview.py paraview/frames.pvd -o pictures --color velocity

The page docs/paraview.md has the same by hand, and says what to do without a screen.
"""

import argparse
import sys
from pathlib import Path

from paraview import servermanager, simple


def open_body(file, name):
    """One body of a collection, the first if no name is given."""
    if not file.is_file():
        sys.exit(f"phyxel: {file}: there is no such file")
    frames = simple.PVDReader(FileName=str(file))
    frames.UpdatePipelineInformation()
    if not list(frames.TimestepValues):
        sys.exit(f"phyxel: {file}: is not a collection of frames")
    simple.UpdatePipeline(time=frames.TimestepValues[0], proxy=frames)
    data = servermanager.Fetch(frames)
    if not data.IsA("vtkMultiBlockDataSet"):  # a run with one body
        return frames, frames.TimestepValues
    names = [data.GetMetaData(i).Get(data.NAME()) for i in range(data.GetNumberOfBlocks())]
    if (name or names[0]) not in names:
        sys.exit(f"phyxel: {file}: has no body {name}; there are: {', '.join(names)}")
    # ParaView selects by names of its own, in which blanks and the like are replaced.
    tree = frames.GetDataInformation().GetHierarchy()
    own_name = tree.GetNodeName(tree.GetChild(tree.GetRootNode(), names.index(name or names[0])))
    part = simple.ExtractBlock(Input=frames, Selectors=["/Root/" + own_name])
    return simple.MergeBlocks(Input=part, OutputDataSetType="Polygonal Mesh"), frames.TimestepValues


def draw(body, color, spacing):
    """Particles as balls, surfaces as what they are; the colours mean the same in all frames."""
    simple.UpdatePipeline(proxy=body)
    fields = list(body.PointData.keys())
    if color not in fields:
        sys.exit(f"phyxel: there is no field {color}; there are: {', '.join(sorted(fields))}")
    view = simple.GetActiveViewOrCreate("RenderView")
    drawn = simple.Show(body, view)
    data = body.GetDataInformation()
    if data.GetNumberOfCells() == data.GetNumberOfPoints():  # a cell for each point
        drawn.SetRepresentationType("Point Gaussian")
        drawn.GaussianRadius = 0.5 * (spacing or mean_distance(data))
    simple.ColorBy(drawn, ("POINTS", color))
    drawn.RescaleTransferFunctionToDataRangeOverTime()
    drawn.SetScalarBarVisibility(view, True)
    return view


def mean_distance(data):
    """Of points that fill their bounding box [m], as most fluids do at the start."""
    low_x, high_x, low_y, high_y, low_z, high_z = data.GetBounds()
    sides = [side for side in (high_x - low_x, high_y - low_y, high_z - low_z) if side > 0.0]
    volume = 1.0
    for side in sides:
        volume *= side
    return (volume / max(data.GetNumberOfPoints(), 1)) ** (1.0 / max(len(sides), 1))


def main():
    parser = argparse.ArgumentParser(description="Pictures of a Phyxel run by ParaView.")
    parser.add_argument("collection", type=Path, help="frames.pvd")
    parser.add_argument("-o", "--output", type=Path, default=Path("pictures"), help="folder of the pictures")
    parser.add_argument("--body", help="which body, or its surface; the first if not given")
    parser.add_argument("--color", default="velocity", help="field that gives the colour (default: velocity)")
    parser.add_argument("--spacing", type=float, help="distance of particles [m]; estimated if not given")
    parser.add_argument("--size", type=int, nargs=2, default=[1280, 720], metavar=("WIDTH", "HEIGHT"))
    arguments = parser.parse_args()

    body, times = open_body(arguments.collection, arguments.body)
    view = draw(body, arguments.color, arguments.spacing)
    view.ViewSize = arguments.size  # which also decides how large the letters of the legend are
    animation = simple.GetAnimationScene()
    animation.UpdateAnimationUsingDataTimeSteps()
    # The camera sees where the last frame is, which has gone farthest.
    animation.AnimationTime = times[-1]
    low_z, high_z = body.GetDataInformation().GetBounds()[4:]
    flat = low_z == high_z  # a run in the plane, where y is up
    view.CameraPosition, view.CameraFocalPoint = [0.0, 0.0, 1.0] if flat else [0.45, -1.0, 0.4], [0.0, 0.0, 0.0]
    view.CameraViewUp = [0.0, 1.0, 0.0] if flat else [0.0, 0.0, 1.0]
    simple.ResetCamera(view)
    arguments.output.mkdir(parents=True, exist_ok=True)
    simple.SaveAnimation(str(arguments.output / "frame.png"), view, ImageResolution=arguments.size,
                         FrameWindow=[0, len(times) - 1], SuffixFormat="_%06d")


if __name__ == "__main__":
    main()
