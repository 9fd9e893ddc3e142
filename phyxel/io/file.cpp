// SPDX-License-Identifier: MIT
#include <phyxel/core/state_hash.h>
#include <phyxel/io/file.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

// Short and independent of the target's name, which may be as long as the file system allows. The dot keeps
// it out of listings, the ending out of patterns such as *.ply.
constexpr std::string_view partial_prefix = ".phyxel-";
constexpr std::string_view partial_suffix = ".partial";

fs::path folder_of(const fs::path& path)
{
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::string reason_for(const fs::path& path, int code)
{
    switch (code) {
    case ENOSPC:
        return "the disk is full";
    case EDQUOT:
        return "the disk quota is used up";
    case EFBIG:
        return "the file would be larger than this system allows";
    case EROFS:
        return "the disk is read-only";
    case EACCES:
    case EPERM:
        return "no permission";
    case EISDIR:
        return "it is a folder";
    case ENOENT: {
        std::error_code ignored;
        const fs::path folder = folder_of(path);
        if (!fs::exists(folder, ignored)) return "there is no folder " + folder.string();
        return "it does not exist";
    }
    case ENOTDIR:
        return folder_of(path).string() + " is not a folder";
    case ENAMETOOLONG:
        return "the name is too long";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    default:
        return std::generic_category().message(code);
    }
}

[[noreturn]] void refuse(const fs::path& path, const std::string& what)
{
    throw IoError(path, what, std::error_code());
}

/// Repeats a system call while signals interrupt it.
template <class Call>
auto retried(Call&& call)
{
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

std::optional<struct stat> status_of(const fs::path& path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) return status;
    return std::nullopt;
}

/// A descriptor that is closed when it goes out of scope.
class Descriptor {
public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    ~Descriptor()
    {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return descriptor_; }

private:
    int descriptor_;
};

void check_target(const fs::path& path)
{
    if (!path.has_filename()) refuse(path, "cannot write: a file name is missing");
    const std::optional<struct stat> status = status_of(path);
    if (!status) return;
    if (S_ISDIR(status->st_mode)) detail::throw_io_error(path, "write", EISDIR);
    // Renaming would replace a device such as the null device by a file.
    if (!S_ISREG(status->st_mode)) refuse(path, "cannot write: it is not a regular file");
    // Renaming asks for the folder's permission only, so a protected file has to be noticed here.
    const bool is_protected = (status->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
    if (is_protected || (::access(path.c_str(), W_OK) != 0 && errno == EACCES))
        refuse(path, "cannot write: the file is read-only");
}

/// The names of the temporary files in the folder, in order.
std::vector<std::string> partial_files(const fs::path& folder)
{
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (std::string name = entry->path().filename().string(); is_partial_file_name(name))
            names.push_back(std::move(name));
    if (error) detail::throw_io_error(folder, "read", error.value());
    std::sort(names.begin(), names.end());
    return names;
}

/// The writer of a temporary file keeps it locked until it has its name. The system takes the lock away when
/// that program ends, however it ends. So the lock shows whether the writer lives. The number of a process
/// could not: numbers are used again, and mean nothing in another container or on another machine.
bool try_lock(int descriptor)
{
    return retried([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) == 0;
}

/// Removes a temporary file that nobody writes any more; false if that is not certain.
bool remove_if_abandoned(const fs::path& path)
{
    const Descriptor file(
        retried([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW); }));
    if (file.get() < 0 || !try_lock(file.get())) return false;
    // It may have been finished, and got its name, before it was locked here.
    struct stat locked {};
    struct stat present {};
    if (::fstat(file.get(), &locked) != 0 || !S_ISREG(locked.st_mode)) return false;
    if (::lstat(path.c_str(), &present) != 0) return false;
    if (present.st_dev != locked.st_dev || present.st_ino != locked.st_ino) return false;
    return ::unlink(path.c_str()) == 0;
}

/// Removes what killed writers left in a folder, when this program writes there for the first time.
void tidy_once(const fs::path& folder)
{
    static std::mutex mutex;
    static std::set<fs::path> tidied;
    {
        const std::lock_guard lock(mutex);
        if (!tidied.insert(whole_path(folder)).second) return;
    }
    try {
        remove_abandoned_files(folder);
    } catch (const IoError&) { // it cannot be listed; that is no reason not to write into it
    }
}

} // namespace

IoError::IoError(fs::path path, const std::string& what, std::error_code code)
    : InputError(path.string() + ": " + what),
      path_(std::move(path)),
      code_(code)
{
}

void detail::throw_io_error(const fs::path& path, std::string_view action, int code)
{
    throw IoError(path, "cannot " + std::string(action) + ": " + reason_for(path, code),
                  std::error_code(code, std::generic_category()));
}

FileWriter::FileWriter(fs::path path) : path_(std::move(path))
{
    check_target(path_);
    std::error_code error;
    if (fs::is_symlink(path_, error)) {
        const fs::path real = fs::weakly_canonical(path_, error);
        if (!error) path_ = real;
    }
    tidy_once(folder_of(path_));
    static std::atomic<unsigned> next_number = 0;
    while (descriptor_ < 0) {
        const std::string name = std::string(partial_prefix) + std::to_string(::getpid()) + "-" +
                                 std::to_string(next_number++) + std::string(partial_suffix);
        partial_ = folder_of(path_) / name;
        descriptor_ =
            retried([&] { return ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
        if (descriptor_ < 0 && errno != EEXIST) detail::throw_io_error(path_, "write", errno);
        // Another program that tidies up may have come before the lock and taken the file for abandoned.
        // Where files cannot be locked, nothing is tidied up either.
        struct stat status {};
        if (descriptor_ >= 0 && ((!try_lock(descriptor_) && errno == EWOULDBLOCK) ||
                                 (::fstat(descriptor_, &status) == 0 && status.st_nlink == 0)))
            ::close(std::exchange(descriptor_, -1));
    }
}

FileWriter::~FileWriter() { discard(); }

void FileWriter::discard() noexcept
{
    if (descriptor_ < 0) return;
    ::close(std::exchange(descriptor_, -1));
    ::unlink(partial_.c_str());
}

void FileWriter::write(std::span<const std::byte> bytes)
{
    PHYXEL_ASSERT(descriptor_ >= 0);
    while (!bytes.empty()) {
        // The system call takes a little less than 2 GiB at a time.
        const std::size_t piece = std::min(bytes.size(), std::size_t(1) << 30);
        const ssize_t written = retried([&] { return ::write(descriptor_, bytes.data(), piece); });
        if (written < 0) {
            const int code = errno;
            discard();
            detail::throw_io_error(path_, "write", code);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void FileWriter::commit()
{
    PHYXEL_ASSERT(descriptor_ >= 0);
    int code = retried([&] { return ::fsync(descriptor_); }) == 0 ? 0 : errno;
    const Descriptor lock(::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0)); // keeps it until the file has its name
    // Network file systems report a full disk only when the file is closed.
    if (::close(std::exchange(descriptor_, -1)) != 0 && code == 0 && errno != EINTR) code = errno;
    if (code == 0 && ::rename(partial_.c_str(), path_.c_str()) != 0) code = errno;
    if (code != 0) {
        ::unlink(partial_.c_str());
        detail::throw_io_error(path_, "write", code);
    }
    sync_folder(folder_of(path_));
}

void write_file(const fs::path& path, std::span<const std::byte> content)
{
    FileWriter writer(path);
    writer.write(content);
    writer.commit();
}

void write_file(const fs::path& path, std::string_view content)
{
    write_file(path, std::as_bytes(std::span(content)));
}

Buffer<std::byte> read_file(const fs::path& path, std::uint64_t max_size)
{
    // Without waiting, so that a pipe that nobody writes to does not stop us here.
    const Descriptor file(retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
    if (file.get() < 0) detail::throw_io_error(path, "read", errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) detail::throw_io_error(path, "read", errno);
    if (S_ISDIR(status.st_mode)) detail::throw_io_error(path, "read", EISDIR);
    if (!S_ISREG(status.st_mode)) refuse(path, "cannot read: it is not a regular file");
    auto refuse_size = [&] {
        refuse(path, "cannot read: it is larger than " + std::to_string(max_size) + " bytes");
    };
    if (static_cast<std::uint64_t>(status.st_size) > max_size) refuse_size();

    // One byte more than there should be shows the end; the file may have grown, and some report no size.
    Buffer<std::byte> content(static_cast<std::size_t>(status.st_size) + 1);
    std::size_t size = 0;
    for (;;) {
        const ssize_t count =
            retried([&] { return ::read(file.get(), content.data() + size, content.capacity() - size); });
        if (count < 0) detail::throw_io_error(path, "read", errno);
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
        if (size > max_size) refuse_size();
        if (size == content.capacity()) content.grow(std::max<std::size_t>(4096, 2 * size), size);
    }
    content.grow(size, size);
    return content;
}

FileSum sum_of(std::span<const std::byte> content)
{
    StateHash hash;
    hash.add(content);
    return {content.size(), hash.value()};
}

std::optional<std::string> damage_of(const fs::path& path, const FileSum& sum)
{
    const std::optional<struct stat> status = status_of(path);
    if (!status) return path.string() + ": is missing";
    const auto size = static_cast<std::uint64_t>(status->st_size);
    if (S_ISREG(status->st_mode) && size != sum.size)
        return path.string() + ": is damaged: it should have " + std::to_string(sum.size) +
               " bytes and has " + std::to_string(size);
    try {
        const Buffer<std::byte> content = read_file(path, sum.size);
        if (sum_of(content.span()) == sum) return std::nullopt;
        return path.string() + ": is damaged: its checksum is wrong";
    } catch (const IoError& error) {
        // What may not be read now need not be damaged.
        if (error.code() && error.code() != std::errc::io_error) throw;
        return error.what();
    }
}

fs::path whole_path(const fs::path& path)
{
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path : whole;
}

void create_folder(const fs::path& path)
{
    std::error_code error;
    const bool is_new = fs::create_directories(path, error);
    if (!error && !fs::is_directory(path, error) && !error)
        error = std::make_error_code(std::errc::not_a_directory);
    if (error == std::errc::not_a_directory || error == std::errc::file_exists)
        refuse(path, "cannot create this folder: there is a file in its place");
    if (error) detail::throw_io_error(path, "create this folder", error.value());
    if (is_new) sync_folder(folder_of(path));
}

void remove_file(const fs::path& path)
{
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) detail::throw_io_error(path, "remove", errno);
}

void sync_folder(const fs::path& folder)
{
    const Descriptor descriptor(
        retried([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (descriptor.get() < 0) {
        // A folder may be writable and not readable; its content is complete, only not yet forced out.
        if (errno == EACCES) return;
        detail::throw_io_error(folder, "write", errno);
    }
    // Some file systems have nothing to do here and say so.
    if (retried([&] { return ::fsync(descriptor.get()); }) != 0 && errno != EINVAL && errno != ENOTSUP)
        detail::throw_io_error(folder, "write", errno);
}

bool is_partial_file_name(std::string_view name)
{
    return name.starts_with(partial_prefix) && name.ends_with(partial_suffix);
}

std::vector<std::string> remove_partial_files(const fs::path& folder)
{
    std::vector<std::string> names = partial_files(folder);
    for (const std::string& name : names) remove_file(folder / name);
    return names;
}

std::vector<std::string> remove_abandoned_files(const fs::path& folder)
{
    std::vector<std::string> names = partial_files(folder);
    std::erase_if(names, [&](const std::string& name) { return !remove_if_abandoned(folder / name); });
    return names;
}

} // namespace phyxel
