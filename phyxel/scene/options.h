// SPDX-License-Identifier: MIT
// What can be done with described options: read them from a scene, write them with every default resolved,
// and say what they are as a JSON Schema or as a table.
#pragma once

#include <phyxel/scene/value_formats.h>

#include <string>
#include <string_view>

namespace phyxel {

/// Reads an object into options, which keep what it does not mention. Throws a SceneError with every problem.
template <class T>
void read_options(const Node& node, T& options)
{
    Reader reader;
    ValueFormat<T>::read(reader, node, {}, options);
    reader.finish();
}

/// The options as an object that reads back as the same options.
template <class T>
Node write_options(const T& options)
{
    return ValueFormat<T>::write(options);
}

/// JSON Schema of the scenes, or parts of scenes, that `read_options` accepts.
template <class T>
Node options_schema(std::string_view title, const Kinds* kinds = nullptr)
{
    SchemaWriter writer(kinds);
    const Node schema = ValueFormat<T>::schema(writer, {});
    return writer.document(title, schema);
}

/// Markdown table with key, kind of value, default and meaning of each parameter.
template <class T>
std::string options_table(const Kinds* kinds = nullptr)
{
    TableWriter table(kinds);
    T defaults;
    MemberTable visit(table, "");
    describe(visit, defaults);
    return table.finish();
}

} // namespace phyxel
