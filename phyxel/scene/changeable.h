// SPDX-License-Identifier: MIT
// What events may change, from the descriptions of the parameters: visitors that list it, and that find it.
#pragma once

#include <phyxel/scene/kind.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/scene/parameters.h>
#include <phyxel/scene/path.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

/// How a visitor gets at the options within a parameter: also into what is optional, or one of several.
template <class Visitor>
class OptionsEntry {
protected:
    template <class T>
    void enter(T& value)
    {
        if constexpr (Described<T>) describe(visitor(), value);
    }
    template <class T>
    void enter(std::optional<T>& value)
    {
        if (value) visitor().enter(*value);
    }
    template <class... Types>
    void enter(std::variant<Types...>& value)
    {
        std::visit([this](auto& chosen) { visitor().enter(chosen); }, value);
    }

private:
    Visitor& visitor() { return static_cast<Visitor&>(*this); }
};

namespace detail {

/// Whether a parameter of this type is a number, a switch or a word.
template <class T>
inline constexpr bool is_single = std::is_arithmetic_v<T> || HasWords<T>;
template <class T>
inline constexpr bool is_single<std::optional<T>> = is_single<T>;

} // namespace detail

/// Visitor that lists the numbers, switches and words that events may change, and those of options within
/// options.
class ChangeableList : OptionsEntry<ChangeableList> {
public:
    ChangeableList(std::vector<ChangeableParameter>& all, std::string path)
        : all_(all),
          path_(std::move(path))
    {
    }

    template <class T>
    void operator()(std::string_view name, T& member, const Parameter& parameter)
    {
        if constexpr (detail::is_single<T>) {
            if (parameter.changeable) add(name, single(member), parameter);
        } else {
            ChangeableList inner(all_, path_ + std::string(name) + '.');
            inner.enter(member);
        }
    }

private:
    friend OptionsEntry;
    using OptionsEntry::enter;

    /// Of the kind and with the value that a member has.
    template <class T>
    static ChangeableParameter single(const T& value)
    {
        ChangeableParameter found;
        if constexpr (std::is_same_v<T, bool>) {
            found.kind = ChangeableParameter::Kind::Switch;
            found.value = value;
        } else if constexpr (HasWords<T>) {
            found.kind = ChangeableParameter::Kind::Word;
            for (const auto& [each, word] : words(value)) {
                found.words.emplace_back(word);
                if (each == value) found.value = word;
            }
        } else {
            found.value = static_cast<double>(value);
            found.is_whole = std::integral<T>;
        }
        return found;
    }
    template <class T>
    static ChangeableParameter single(const std::optional<T>& value)
    {
        ChangeableParameter found = single(value.value_or(T()));
        if (!value) found.value = Node();
        found.can_be_unset = true;
        return found;
    }

    void add(std::string_view name, ChangeableParameter found, const Parameter& parameter);

    std::vector<ChangeableParameter>& all_;
    std::string path_;
};

/// What events may do to a parameter.
struct Changeability {
    bool is_changeable = false;
    bool by_preset = false;               ///< by the name of a preset only
    std::vector<std::string> others = {}; ///< that it is given instead of
};

/// Visitor that follows a path and tells what events may do to what is there. Items of lists are given by
/// their numbers.
class ChangeFinder : OptionsEntry<ChangeFinder> {
public:
    explicit ChangeFinder(std::span<const Path::Step> steps) : steps_(steps) {}

    const Changeability& found() const { return found_; }

    template <class T>
    void operator()(std::string_view name, T& member, const Parameter& parameter)
    {
        const std::string* key = steps_.empty() ? nullptr : std::get_if<std::string>(&steps_.front());
        if (key == nullptr) return;
        if (steps_.size() == 1 && !parameter.group.empty()) grouped_.emplace_back(name, parameter.group);
        if (*key != name) return;
        ChangeFinder inner(steps_.subspan(1));
        if (!parameter.changeable) inner.enter(member);
        found_ = inner.finish();
        found_.by_preset = found_.by_preset || (parameter.by_preset && steps_.size() == 1);
        found_.is_changeable = found_.is_changeable || parameter.changeable || found_.by_preset;
    }

private:
    friend OptionsEntry;
    using OptionsEntry::enter;

    /// With the rest of the group, whose parameters may stand before and after.
    Changeability finish() const
    {
        Changeability found = found_;
        const std::string* key = steps_.size() == 1 ? std::get_if<std::string>(&steps_.front()) : nullptr;
        const auto own = std::find_if(grouped_.begin(), grouped_.end(), [&](const auto& member) {
            return key != nullptr && member.first == *key;
        });
        for (const auto& [name, group] : grouped_)
            if (own != grouped_.end() && group == own->second && name != own->first)
                found.others.emplace_back(name);
        return found;
    }

    template <class T>
    void enter(std::vector<T>& list)
    {
        const std::size_t* number = steps_.empty() ? nullptr : std::get_if<std::size_t>(&steps_.front());
        if (number == nullptr || *number >= list.size()) return;
        steps_ = steps_.subspan(1);
        enter(list[*number]);
    }
    template <int Dim>
    void enter(BodyOptions<Dim>& body)
    {
        if (body.kind != nullptr) body.kind->options.find_changeable(*this, body.options);
    }

    std::span<const Path::Step> steps_;
    Changeability found_;
    std::vector<std::pair<std::string_view, std::string_view>> grouped_; ///< names and groups
};

} // namespace phyxel
