// SPDX-License-Identifier: MIT
#include "program.h"

#include <phyxel/core/error.h>

#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

/// The words that this program was started with.
std::vector<std::string> own_words()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
    return words;
}

} // namespace

void become_program(const std::string& name)
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / name;
    std::vector<std::string> words = own_words();
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    throw InputError("the program " + name + " does this, but " + program.string() +
                     " cannot be started; build or install all of Phyxel");
}

} // namespace phyxel::command
