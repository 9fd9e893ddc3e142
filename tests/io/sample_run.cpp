// SPDX-License-Identifier: MIT
// Writes what a run leaves behind into the folder that is given: frames and a table with values that
// python_reader_test.py knows.

#include <phyxel/io/csv.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace {

phyxel::Snapshot frame(int number)
{
    phyxel::Snapshot snapshot;
    snapshot.body = "water";
    snapshot.time = 0.5 * number;
    std::vector<double> velocity;
    std::vector<std::uint64_t> id;
    std::vector<float> density;
    for (int i = 0; i < 5; ++i) {
        snapshot.points.emplace_back(i, 0.5 * i, -0.25 * number);
        velocity.insert(velocity.end(), {1.0 * i, 2.0 * i, 3.0 * i});
        id.push_back((std::uint64_t(i) << 40) + static_cast<std::uint64_t>(i));
        density.push_back(1000.0f + static_cast<float>(i));
    }
    snapshot.fields = {{"id", 1, id}, {"velocity", 3, velocity}, {"density", 1, density}};
    return snapshot;
}

void write_run(const std::filesystem::path& run)
{
    phyxel::create_folder(run / "frames");
    for (int number = 0; number < 3; ++number) {
        phyxel::Snapshot snapshot = frame(number);
        phyxel::write_snapshot(phyxel::frame_path(run, "water", static_cast<std::uint64_t>(number)), snapshot,
                               {.double_precision = number == 2});
        snapshot.triangles = {{0, 1, 2}, {2, 3, 4}};
        phyxel::write_snapshot(phyxel::frame_path(run, "water_surface", static_cast<std::uint64_t>(number)),
                               snapshot);
    }
    phyxel::CsvTable probes(run / "probes.csv", {"time", "gauge", "tip.x"});
    probes.add_row(std::vector<std::optional<double>>{0.0, 0.1, std::nullopt});
    probes.add_row(std::vector<std::optional<double>>{0.5, std::nullopt, -2.5});
    phyxel::CsvTable poses(run / "poses.csv",
                           {"time", "frame", "body", "position_x", "position_y", "position_z", "rotation_w",
                            "rotation_x", "rotation_y", "rotation_z"});
    for (int number = 0; number < 3; ++number)
        for (const char* body : {"ball, \"red\"", "1"})
            poses.add_row(std::vector<phyxel::TableCell>{0.5 * number, 1.0 * number, std::string(body), 1.0, 2.0,
                                                         3.0 + number, 0.5, 0.5, -0.5, 0.5});
    phyxel::CsvTable empty(run / "stats.csv", {"time", "steps"});
}

} // namespace

int main(int count, char** arguments)
{
    if (count != 2) return 2;
    try {
        write_run(arguments[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
