// SPDX-License-Identifier: MIT
#include <phyxel/io/xml_text.h>

#include <gtest/gtest.h>

#include <string>

namespace phyxel::xml_text_test {
namespace {

TEST(XmlText, escapes_what_means_something_in_xml)
{
    EXPECT_EQ(xml_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;");
    EXPECT_EQ(xml_text("]]>"), "]]&gt;");
    EXPECT_EQ(xml_text("ρ₀ = 1, 水, 𝛀"), "ρ₀ = 1, 水, 𝛀");
}

TEST(XmlText, has_only_characters_that_xml_allows)
{
    EXPECT_EQ(xml_text(std::string("a\0\t\n\x1b\x7f", 6)), "a_____");
    const std::string mark = "\xef\xbf\xbd";
    EXPECT_EQ(xml_text("\xff"), mark);
    EXPECT_EQ(xml_text("a\xe2\x82"), "a" + mark + mark) << "cut short";
    EXPECT_EQ(xml_text("\xc0\xaf"), mark + mark) << "a slash in two bytes";
    EXPECT_EQ(xml_text("\xed\xa0\x80"), mark + mark + mark) << "half of a pair";
    EXPECT_EQ(xml_text("\xef\xbf\xbf"), mark + mark + mark) << "U+FFFF";
    EXPECT_EQ(xml_text("\xf4\x90\x80\x80"), mark + mark + mark + mark) << "beyond Unicode";
}

} // namespace
} // namespace phyxel::xml_text_test
