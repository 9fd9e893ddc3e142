// SPDX-License-Identifier: MIT
#include <phyxel/io/file.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace phyxel::file_test {
namespace {

namespace fs = std::filesystem;

/// Runs something in a process of its own and returns its exit status.
int status_in_child(const std::function<int()>& work)
{
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(File, what_is_written_is_read_back)
{
    const TemporaryFolder folder;
    const std::string content("a\0b\xff\n", 5);
    write_file(folder / "data", content);
    EXPECT_EQ(text_of(folder / "data"), content);
    write_file(folder / "empty", std::string_view());
    EXPECT_EQ(text_of(folder / "empty"), "");
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"data", "empty"}));
}

TEST(File, pieces_follow_each_other)
{
    const TemporaryFolder folder;
    FileWriter writer(folder / "data");
    writer.write("one ");
    writer.write("two");
    EXPECT_FALSE(fs::exists(folder / "data")) << "before commit";
    writer.commit();
    EXPECT_EQ(text_of(folder / "data"), "one two");
}

TEST(File, without_commit_the_old_content_stays)
{
    const TemporaryFolder folder;
    write_file(folder / "data", "old");
    {
        FileWriter writer(folder / "data");
        writer.write("new");
    }
    EXPECT_EQ(text_of(folder / "data"), "old");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"data"});
}

TEST(File, a_killed_writer_leaves_the_old_content_and_a_file_that_can_be_recognised)
{
    const TemporaryFolder folder;
    write_file(folder / "data", "old");
    write_file(folder / ".phyxel-notes", "not ours");
    write_file(folder / "x.partial", "not ours");
    status_in_child([&] {
        auto* writer = new FileWriter(folder / "data");
        writer->write("half of the new");
        return 0;
    });
    EXPECT_EQ(text_of(folder / "data"), "old");
    EXPECT_EQ(names_in(folder.path()).size(), 4u);
    EXPECT_EQ(remove_partial_files(folder.path()).size(), 1u);
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{".phyxel-notes", "data", "x.partial"}));
    EXPECT_TRUE(remove_partial_files(folder.path()).empty());
}

TEST(File, only_what_programs_that_have_ended_left_behind_is_abandoned)
{
    const TemporaryFolder folder;
    const FileWriter alive(folder / "data");
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    const std::string left = ".phyxel-" + std::to_string(child) + "-0.partial";
    write_file(folder / left, "half a picture");
    write_file(folder / "x.partial", "");
    EXPECT_EQ(remove_abandoned_files(folder.path()), std::vector<std::string>{left});
    EXPECT_EQ(names_in(folder.path()).size(), 2u);
}

TEST(File, what_is_being_written_is_locked_and_what_nobody_writes_is_abandoned)
{
    const TemporaryFolder folder;
    // Numbers of processes tell nothing: 1 always runs, and the other may be one in another container.
    const std::string left = ".phyxel-1-7.partial", other = ".phyxel-999999999-7.partial";
    std::ofstream(folder / left) << "half";
    std::ofstream(folder / other) << "half";
    const int descriptor = ::open((folder / other).c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_EQ(::flock(descriptor, LOCK_EX | LOCK_NB), 0);
    fs::create_directory(folder / ".phyxel-2-7.partial");
    fs::create_symlink(folder / other, folder / ".phyxel-3-7.partial");
    {
        FileWriter alive(folder / "data"); // tidies up, too
        EXPECT_EQ(names_in(folder.path()).size(), 4u);
        EXPECT_FALSE(fs::exists(folder / left));
        EXPECT_TRUE(remove_abandoned_files(folder.path()).empty());
        alive.write("x");
        alive.commit();
    }
    ::close(descriptor);
    EXPECT_EQ(text_of(folder / "data"), "x");
    EXPECT_EQ(remove_abandoned_files(folder.path()), std::vector<std::string>{other});
}

TEST(File, what_a_killed_program_left_is_removed_by_the_next_that_writes_there)
{
    const TemporaryFolder folder;
    for (int n = 0; n < 3; ++n) {
        status_in_child([&] {
            auto* writer = new FileWriter(folder / "data");
            writer->write("half");
            return 0;
        });
        EXPECT_EQ(names_in(folder.path()).size(), 1u);
    }
    write_file(folder / "data", "whole");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"data"});
}

TEST(File, those_who_write_and_those_who_tidy_up_do_not_disturb_each_other)
{
    const TemporaryFolder folder;
    std::atomic<bool> is_done = false;
    std::thread tidy([&] {
        while (!is_done) static_cast<void>(remove_abandoned_files(folder.path()));
    });
    for (int n = 0; n < 70; ++n) {
        FileWriter writer(folder / ("data-" + std::to_string(n % 7)));
        writer.write("whole");
        EXPECT_NO_THROW(writer.commit());
    }
    is_done = true;
    tidy.join();
    EXPECT_EQ(names_in(folder.path()).size(), 7u);
}

TEST(File, a_missing_folder_is_named)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "absent/data";
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }),
              path.string() + ": cannot write: there is no folder " + path.parent_path().string());
    EXPECT_EQ(error_of([&] { read_file(path); }),
              path.string() + ": cannot read: there is no folder " + path.parent_path().string());
    EXPECT_EQ(error_of([&] { read_file(folder / "data"); }),
              (folder / "data").string() + ": cannot read: it does not exist");
    EXPECT_EQ(error_of([&] { remove_partial_files(folder / "absent"); }),
              (folder / "absent").string() + ": cannot read: it does not exist");
}

TEST(File, a_folder_is_no_file)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "folder";
    fs::create_directory(path);
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }), path.string() + ": cannot write: it is a folder");
    EXPECT_EQ(error_of([&] { read_file(path); }), path.string() + ": cannot read: it is a folder");
    EXPECT_EQ(error_of([&] { write_file(path / "", "x"); }),
              path.string() + "/: cannot write: a file name is missing");
}

TEST(File, a_file_is_no_folder)
{
    const TemporaryFolder folder;
    write_file(folder / "file", "x");
    const fs::path path = folder / "file/data";
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }),
              path.string() + ": cannot write: " + (folder / "file").string() + " is not a folder");
    EXPECT_EQ(error_of([&] { create_folder(path); }),
              path.string() + ": cannot create this folder: there is a file in its place");
    EXPECT_EQ(error_of([&] { create_folder(folder / "file"); }),
              (folder / "file").string() + ": cannot create this folder: there is a file in its place");
}

TEST(File, a_read_only_file_is_not_replaced)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "data";
    write_file(path, "precious");
    fs::permissions(path, fs::perms::owner_read);
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }),
              path.string() + ": cannot write: the file is read-only");
    EXPECT_EQ(text_of(path), "precious");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"data"});
}

TEST(File, a_folder_without_permission_is_refused)
{
    const TemporaryFolder folder;
    fs::permissions(folder.path(), fs::perms::all);
    const fs::path closed = folder / "closed";
    fs::create_directory(closed);
    fs::permissions(closed, fs::perms(0555));
    const int status = status_in_child([&] {
        // Permissions do not stop the superuser.
        if (::geteuid() == 0 && ::seteuid(65534) != 0) return 2;
        const std::string line = error_of([&] { write_file(closed / "data", "x"); });
        return line == (closed / "data").string() + ": cannot write: no permission" ? 0 : 1;
    });
    if (status == 2) GTEST_SKIP() << "cannot become an ordinary user";
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(names_in(closed).empty());
}

TEST(File, a_device_is_not_replaced)
{
    EXPECT_EQ(error_of([] { write_file("/dev/null", "x"); }),
              "/dev/null: cannot write: it is not a regular file");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_EQ(error_of([] { read_file("/dev/zero"); }), "/dev/zero: cannot read: it is not a regular file");
}

TEST(File, a_pipe_that_nobody_writes_to_does_not_stop_the_reader)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "pipe";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(error_of([&] { read_file(path); }), path.string() + ": cannot read: it is not a regular file");
}

TEST(File, a_link_is_followed)
{
    const TemporaryFolder folder;
    write_file(folder / "target", "old");
    fs::create_symlink("target", folder / "link");
    write_file(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(text_of(folder / "target"), "new");
}

TEST(File, names_may_be_as_long_as_the_system_allows)
{
    const TemporaryFolder folder;
    const std::string name(255, 'n');
    write_file(folder / name, "x");
    EXPECT_EQ(text_of(folder / name), "x");
    const fs::path path = folder / (name + "n");
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }),
              path.string() + ": cannot write: the name is too long");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{name});
}

TEST(File, what_the_system_does_not_take_leaves_nothing_behind)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "data";
    write_file(path, "old");
    const int status = status_in_child([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const std::string line = error_of([&] { write_file(path, std::string(5000, 'x')); });
        return line == path.string() + ": cannot write: the file would be larger than this system allows" ? 0
                                                                                                          : 1;
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(text_of(path), "old");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"data"});
}

TEST(File, a_full_disk_is_one_clear_line_and_loses_nothing)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "data";
    enum { Good, Bad, Unable };
    const int status = status_in_child([&] {
        // A file system of 64 KiB that only this process sees.
        if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return Unable;
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
        if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) return Unable;
        write_file(path, "old");
        const std::string line = error_of([&] { write_file(path, std::string(1 << 20, 'x')); });
        const bool is_clear = line == path.string() + ": cannot write: the disk is full";
        const bool is_kept = text_of(path) == "old" && names_in(folder.path()).size() == 1;
        return is_clear && is_kept ? Good : Bad;
    });
    if (status == Unable) GTEST_SKIP() << "this process may not mount a small file system";
    EXPECT_EQ(status, Good);
}

TEST(File, more_than_the_limit_is_refused)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "data";
    write_file(path, "12345");
    EXPECT_EQ(read_file(path, 5).size(), 5u);
    EXPECT_EQ(error_of([&] { read_file(path, 4); }),
              path.string() + ": cannot read: it is larger than 4 bytes");
    // A file with a hole takes no space, but would take memory.
    ASSERT_EQ(::truncate(path.c_str(), off_t(1) << 40), 0);
    EXPECT_EQ(error_of([&] { read_file(path); }),
              path.string() + ": cannot read: it is larger than 1073741824 bytes");
}

TEST(File, damage_is_told_by_size_and_checksum)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "data";
    write_file(path, "12345");
    const FileSum sum = sum_of(read_file(path).span());
    EXPECT_EQ(damage_of(path, sum), std::nullopt);
    write_file(path, "12346");
    EXPECT_EQ(damage_of(path, sum), path.string() + ": is damaged: its checksum is wrong");
    write_file(path, "123");
    EXPECT_EQ(damage_of(path, sum), path.string() + ": is damaged: it should have 5 bytes and has 3");
    remove_file(path);
    EXPECT_EQ(damage_of(path, sum), path.string() + ": is missing");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(damage_of(path, sum), path.string() + ": cannot read: it is not a regular file");
}

TEST(File, files_that_report_no_size_are_read_to_their_end)
{
    if (!fs::exists("/proc/self/status")) GTEST_SKIP() << "no such files here";
    EXPECT_GT(read_file("/proc/self/status").size(), 100u);
}

TEST(File, folders_are_created_with_those_above_them)
{
    const TemporaryFolder folder;
    create_folder(folder / "a/b/c");
    create_folder(folder / "a/b/c");
    EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
}

TEST(File, removing_what_is_not_there_is_fine)
{
    const TemporaryFolder folder;
    write_file(folder / "data", "x");
    remove_file(folder / "data");
    remove_file(folder / "data");
    EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(File, an_error_knows_its_path_and_code)
{
    try {
        read_file("absent_file");
        FAIL();
    } catch (const IoError& error) {
        EXPECT_EQ(error.path(), "absent_file");
        EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    }
}

} // namespace
} // namespace phyxel::file_test
