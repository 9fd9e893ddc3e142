// SPDX-License-Identifier: MIT
// Reads nodes into values and collects every problem on the way, so that a user sees all of them at once.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/scene/node.h>
#include <phyxel/scene/parameters.h>
#include <phyxel/scene/path.h>
#include <phyxel/scene/scene_error.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

class Kinds;

/// Knows where in the scene it is and what was wrong so far. The functions that read return whether they
/// could; a value that cannot be read keeps what it had.
class Reader {
public:
    /// What scenes may have as bodies, for those who read bodies.
    explicit Reader(const Kinds* kinds = nullptr) : kinds_(kinds) {}
    const Kinds* kinds() const { return kinds_; }

    /// Keeps a step of the path for as long as it lives.
    class Scope {
    public:
        Scope(Reader& reader, Path::Step step) : reader_(reader) { reader_.path_.push(std::move(step)); }
        ~Scope() { reader_.path_.pop(); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Reader& reader_;
    };
    [[nodiscard]] Scope enter(std::string_view key) { return {*this, std::string(key)}; }
    [[nodiscard]] Scope enter(std::size_t item) { return {*this, item}; }

    /// Number of steps of the present path.
    std::size_t depth() const { return path_.steps().size(); }

    /// Notes what is wrong at the present path. Throws as `finish` does when there are `max_problems`.
    void add_problem(const Place& place, std::string what, std::string allowed = {});
    void add_problem(const Node& node, std::string what, std::string allowed = {});

    /// Notes `expected …, found …`, of something that is more than a value.
    void add_mismatch(const Node& node, const std::string& expected);

    /// Whether nothing but values and unknown keys is wrong so far, so that all parts of the scene are known.
    bool has_all_parts() const { return has_all_parts_; }
    void lose_part() { has_all_parts_ = false; }

    const std::vector<Problem>& problems() const { return problems_; }

    /// Throws a SceneError if there are problems.
    void finish();

    bool read_bool(const Node& node, bool& value);
    bool read_text(const Node& node, std::string& value);
    bool read_quantity(const Node& node, const Parameter& parameter, double& value);
    bool read_formula(const Node& node, const Parameter& parameter, Formula& value);

    /// A whole number from `lowest` to `highest`, and as the parameter says.
    bool read_whole(const Node& node, const Parameter& parameter, double lowest, double highest,
                    double& value);

    /// The number of the word in the list.
    bool read_word(const Node& node, std::span<const std::string_view> words, std::size_t& value);

private:
    bool check_range(const Node& node, const Parameter& parameter, double value);
    bool refuse_value(const Node& node, const std::string& expected);

    const Kinds* kinds_;
    Path path_;
    std::vector<Problem> problems_;
    bool has_all_parts_ = true;
};

/// Visitor that reads the members of an object. Keys that were never visited are problems.
class MemberReader {
public:
    MemberReader(Reader& reader, const Node& object) : reader_(reader), object_(object) {}

    template <class T>
    void operator()(std::string_view name, T& member, const Parameter& parameter)
    {
        if (const Node* node = take(name)) {
            const Reader::Scope scope = reader_.enter(name);
            ValueFormat<T>::read(reader_, *node, parameter, member);
        } else if (parameter.required) {
            add_missing(name, ValueFormat<T>::expected(parameter));
        }
    }

    /// The member with a key that is now known; null if it is not there.
    const Node* take(std::string_view name);

    void add_missing(std::string_view name, const std::string& expected);

    void finish();

private:
    Reader& reader_;
    const Node& object_;
    std::vector<std::string_view> known_;
};

/// What a number of words offers: `"a", "b" or "c"`.
std::string expected_words(std::span<const std::string_view> words);

} // namespace phyxel
