// SPDX-License-Identifier: MIT
#include "clip.h"

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

extern char** environ;

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

/// The name of the pictures with the number as ffmpeg wants it.
std::string pattern_of(const RunPictures& pictures)
{
    const std::uint64_t first = pictures.frames().front();
    const fs::path path = pictures.path(first);
    std::string name = path.filename().string();
    const std::string digits = frame_file_name("x", first, "").substr(2);
    name.replace(name.rfind(digits), digits.size(), "%0" + std::to_string(digits.size()) + "d");
    // A percent sign of the folder stands for itself.
    std::string folder;
    for (const char c : path.parent_path().string())
        folder += c == '%' ? std::string("%%") : std::string(1, c);
    return folder.empty() ? name : folder + "/" + name;
}

/// Runs a program that is found as the shell finds it, and returns its exit status.
int run_program(std::vector<std::string> words)
{
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
    if (error != 0) throw IoError(words[0], "cannot be run", std::error_code(error, std::generic_category()));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

} // namespace

void check_clip(const fs::path& clip)
{
    if (clip.extension() != ".mp4" && clip.extension() != ".gif")
        throw InputError("--clip " + clip.string() + ": expected a file that ends in .mp4 or .gif");
    std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((fs::path(folder) / "ffmpeg").c_str(), X_OK) == 0) return;
    throw InputError("--clip needs the program ffmpeg, which is not installed; on Debian and Ubuntu: "
                     "sudo apt-get install ffmpeg");
}

void make_clip(const RunPictures& pictures, const fs::path& clip, double frame_rate)
{
    // ffmpeg writes beside the place of the clip; whole, it takes the name.
    const fs::path partial = clip.parent_path() / (".phyxel-" + std::to_string(::getpid()) + "-clip.partial");
    std::vector<std::string> words = {"ffmpeg",
                                      "-y",
                                      "-nostdin",
                                      "-loglevel",
                                      "error",
                                      "-framerate",
                                      number_text(frame_rate),
                                      "-start_number",
                                      std::to_string(pictures.frames().front()),
                                      "-i",
                                      pattern_of(pictures),
                                      "-frames:v",
                                      std::to_string(pictures.frames().size())};
    if (clip.extension() == ".mp4")
        words.insert(words.end(), {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-crf",
                                   "18", "-f", "mp4"});
    else
        words.insert(words.end(), {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-f", "gif"});
    words.push_back(partial.string());
    const int status = run_program(std::move(words));
    std::error_code error;
    if (status == 0) fs::rename(partial, clip, error);
    if (status == 0 && !error) return;
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw InputError(clip.string() + ": ffmpeg could not make the clip");
}

} // namespace phyxel::command
