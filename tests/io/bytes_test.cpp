// SPDX-License-Identifier: MIT
#include <phyxel/io/bytes.h>
#include <phyxel/io/detail/text.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace phyxel::bytes_test {
namespace {

TEST(Bytes, numbers_are_written_lowest_byte_first)
{
    ByteWriter writer;
    writer.put(std::uint32_t(0x04030201));
    writer.put(std::uint16_t(0x0605));
    writer.put("\a");
    EXPECT_EQ(text_of(writer.bytes()), "\1\2\3\4\5\6\7");
}

TEST(Bytes, numbers_are_read_in_either_order)
{
    const std::string bytes = "\1\2\3\4\5\6\7";
    ByteReader little(bytes_of(bytes), "data");
    EXPECT_EQ(little.take<std::uint32_t>(), 0x04030201u);
    EXPECT_EQ(little.take<std::uint16_t>(), 0x0605u);
    EXPECT_EQ(little.remaining(), 1u);
    ByteReader big(bytes_of(bytes), "data", std::endian::big);
    EXPECT_EQ(big.take<std::uint32_t>(), 0x01020304u);
    EXPECT_EQ(big.position(), 4u);
}

TEST(Bytes, nothing_is_read_beyond_the_end)
{
    ByteReader reader(bytes_of("12345"), "data");
    reader.take(2);
    EXPECT_EQ(error_of([&] { reader.take<std::uint64_t>(); }),
              "data: byte 2: ends too early: 8 more bytes expected");
    EXPECT_EQ(reader.take<std::uint8_t>(), '3') << "a failure takes nothing";
}

TEST(Bytes, counts_that_would_overflow_do_not_fit)
{
    const ByteReader reader(bytes_of("12345678"), "data");
    EXPECT_TRUE(reader.has(2, 4));
    EXPECT_FALSE(reader.has(3, 4));
    EXPECT_FALSE(reader.has(std::uint64_t(1) << 63, 4));
    EXPECT_TRUE(reader.has(std::uint64_t(1) << 63, 0));
}

TEST(Text, numbers_are_read_whole_or_not_at_all)
{
    using detail::parse_number;
    EXPECT_EQ(parse_number("1.5"), 1.5);
    EXPECT_EQ(parse_number("+1.5e3"), 1500.0);
    EXPECT_EQ(parse_number("-.5"), -0.5);
    EXPECT_EQ(parse_number("5."), 5.0);
    EXPECT_TRUE(std::isnan(parse_number("nan").value()));
    EXPECT_TRUE(std::isnan(parse_number("-NaN").value()));
    EXPECT_EQ(parse_number("-inf"), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(parse_number("+Infinity"), std::numeric_limits<double>::infinity());
    for (const char* text :
         {"", "+", "-", "+-1", "--1", "1,5", "1.5x", "x", "0x10", "1e", " 1", "nano", "infinityx", "1 "})
        EXPECT_FALSE(parse_number(text).has_value()) << text;
}

TEST(Text, numbers_out_of_range_are_infinite_or_zero)
{
    using detail::parse_number;
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(parse_number("1e400"), infinity);
    EXPECT_EQ(parse_number("-1e400"), -infinity);
    EXPECT_EQ(parse_number("1e-400"), 0.0);
    const std::string zeros(400, '0');
    EXPECT_EQ(parse_number(std::string("0.").append(zeros).append("1")), 0.0);
    EXPECT_EQ(parse_number(std::string(".").append(zeros).append("1")), 0.0);
    EXPECT_EQ(parse_number(std::string(400, '1')), infinity);
    EXPECT_EQ(parse_number("1e2147483649"), infinity);
    EXPECT_EQ(parse_number("0.001e400"), infinity);
    EXPECT_EQ(parse_number("1000e-400"), 0.0);
}

TEST(Text, integers_are_read_whole_or_not_at_all)
{
    using detail::parse_integer;
    EXPECT_EQ(parse_integer("-12"), -12);
    EXPECT_EQ(parse_integer("+12"), 12);
    for (const char* text : {"", "+", "+-1", "1.0", "12a", "99999999999999999999"})
        EXPECT_FALSE(parse_integer(text).has_value()) << text;
}

TEST(Text, written_numbers_are_read_as_the_same_bits)
{
    for (const double value : {0.1, -0.0, 1.0 / 3.0, 5e-324, 1.7976931348623157e308}) {
        std::string shortest;
        detail::append_number(shortest, value);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(detail::parse_number(shortest).value()),
                  std::bit_cast<std::uint64_t>(value))
            << shortest;
        std::string digits;
        detail::append_number_17(digits, value);
        EXPECT_EQ(detail::parse_number(digits), value) << digits;
    }
    std::string text;
    detail::append_number_17(text, 0.1);
    EXPECT_EQ(text, "0.10000000000000001");
}

TEST(Text, hostile_words_are_quoted_short_and_printable)
{
    EXPECT_EQ(detail::in_quotes("word"), "\"word\"");
    EXPECT_EQ(detail::in_quotes(std::string("\x1b[31m\0\xff", 7)), "\"?[31m??\"");
    EXPECT_EQ(detail::in_quotes(std::string(1000, 'a')), "\"" + std::string(40, 'a') + "…\"");
}

TEST(Text, words_know_their_line)
{
    detail::WordReader words("one two\n\nthree four\r\nfive", "file");
    EXPECT_EQ(words.next(), "one");
    EXPECT_EQ(words.next(), "two");
    EXPECT_EQ(words.next(), "three");
    EXPECT_EQ(error_of([&] { words.fail("no"); }), "file:3: no");
    words.skip_line();
    EXPECT_EQ(words.next(), "five");
    EXPECT_EQ(error_of([&] { words.fail("no"); }), "file:4: no");
    EXPECT_EQ(words.next(), "");
}

} // namespace
} // namespace phyxel::bytes_test
