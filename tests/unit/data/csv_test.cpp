// CSV files as people write them, and the sentences about those that cannot be read.
#include <fmt/core.h>

#include <array>
#include <bit>
#include <cmath>

#include "support/random.hpp"
#include "unit/data/files.hpp"

namespace lacuna::testing {
namespace {

using Columns = std::vector<std::vector<double>>;
using Names = std::vector<std::string>;
using Csv = InFolder;

Table table_of(const std::string& bytes, MissingValues missing = MissingValues::error) {
  write_file("t.csv", bytes);
  return read_all("t.csv", missing);
}

TEST_F(Csv, AwkwardFilesHoldTheSameTable) {
  const Columns expected = {{1, -3}, {2.5, 4}};
  const std::pair<const char*, std::string> files[] = {
      {"plain", "a,b\n1,2.5\n-3,4\n"},
      {"no final line end", "a,b\n1,2.5\n-3,4"},
      {"CRLF", "a,b\r\n1,2.5\r\n-3,4\r\n"},
      {"CR", "a,b\r1,2.5\r-3,4\r"},
      {"byte order mark",
       "\xEF\xBB\xBF"
       "a,b\n1,2.5\n-3,4\n"},
      {"blank lines", "\n  \na,b\n\n1,2.5\n\r\n \t \n-3,4\n\n\n"},
      {"quotes", "\"a\",\"b\"\n\"1\",\"2.5\"\n\"-3\",4\n"},
      {"spaces", " a , b\n 1 ,\t2.5\n-3, 4 \n"},
      {"spaces around quotes", "\"a\", \"b\" \n\"1\" , \" 2.5 \"\n-3, \"4\"\n"},
      {"semicolons", "a;b\n1;2.5\n-3;4\n"},
      {"tabs", "a\tb\n1\t2.5\n-3\t4\n"},
      {"semicolon with a quoted comma", "\"a\";b\n1;2.5\n\"-3\";4\n"},
  };
  for (const auto& [what, bytes] : files) {
    for (const std::string& stored : {bytes, gzipped(bytes)}) {
      const Table table = table_of(stored);
      EXPECT_EQ(table.names, (Names{"a", "b"})) << what;
      EXPECT_EQ(table.columns, expected) << what;
      EXPECT_EQ(table.rows, 2u) << what;
    }
  }
}

TEST_F(Csv, NamesMayHoldAnythingInQuotes) {
  const Table table =
      table_of("\"x, \"\"y\"\"\",\"two\nlines\",3\" pipe,\xC3\xA9t\xC3\xA9\n1,2,3,4\n");
  EXPECT_EQ(table.names, (Names{"x, \"y\"", "two\nlines", "3\" pipe", "\xC3\xA9t\xC3\xA9"}));
  EXPECT_EQ(table_of("\"a,b\";c\n1;2\n").names, (Names{"a,b", "c"}));
  EXPECT_EQ(table_of("a,b;c\n1,2\n").names, (Names{"a", "b;c"}));
  EXPECT_EQ(table_of("a\tb;c\n1;2\n").names, (Names{"a\tb", "c"})) << "semicolon before tab";
  EXPECT_EQ(table_of("\"a\n,\"\"b\";c\n1;2\n").names, (Names{"a\n,\"b", "c"}));
  EXPECT_EQ(table_of("5\" pipe;c\n1;2\n").names, (Names{"5\" pipe", "c"}));
}

TEST_F(Csv, AHeaderThatCountsItsColumnsIsOne) {
  EXPECT_EQ(table_of("0,1,2\n4,5,6\n7,8,9\n").names, (std::vector<std::string>{"0", "1", "2"}));
}

TEST_F(Csv, OnlyChosenColumnsAreParsed) {
  write_file("t.csv", "name,a,b\n\"O\"\"Hara\nJr, MD\",1,\nx,2,inf\n");
  const Table table = read_table("t.csv", MissingValues::error,
                                 [](const Names&) { return std::vector<std::size_t>{1}; });
  EXPECT_EQ(table.columns, (Columns{{1, 2}}));
}

TEST_F(Csv, ChosenColumnsComeInTheOrderAsked) {
  write_file("t.csv", "a,b,c\n1,2,3\n");
  const Table table = read_table("t.csv", MissingValues::error, [](const Names&) {
    return std::vector<std::size_t>{2, 0};
  });
  EXPECT_EQ(table.names, (Names{"c", "a"}));
  EXPECT_EQ(table.columns, (Columns{{3}, {1}}));
}

TEST_F(Csv, EmptyCellsOfTabSeparatedFilesAreCells) {
  const Table table = table_of("a\tb\n1\t2\n\t\n3\t4\n", MissingValues::drop);
  EXPECT_EQ(table.columns, (Columns{{1, 3}, {2, 4}}));
  EXPECT_EQ(table.dropped_rows, 1u);
}

TEST_F(Csv, MissingValuesAreRefusedOrDropped) {
  const std::string text = "age,y\n1,2\n,3\n4,NA\n5,6\n";
  EXPECT_EQ(fit_error(text), "65 train.csv:3: 'age': missing value; use --na drop");
  const Dataset data = fit_data(text, MissingValues::drop);
  EXPECT_EQ(data.x, (std::vector<double>{1, 5}));
  EXPECT_EQ(data.y, (std::vector<double>{2, 6}));
  EXPECT_EQ(fit_error("age,y\n1,2\n,3\n", MissingValues::drop),
            "65 train.csv: 1 sample; at least 2 are needed (1 row left out for missing values)");
  EXPECT_EQ(fit_error("a,y\nx,\n", MissingValues::drop),
            "65 train.csv:2: 'a': cannot read \"x\" as a number; encode categories first")
      << "a row that is dropped is still checked";
}

TEST_F(Csv, MessagesNameTheLineAndTheColumn) {
  const std::pair<std::string, std::string> cases[] = {
      {"a,b,y\n1,2,3\n1,2\n", "train.csv:3: 2 fields, expected 3"},
      {"a,y\n1,2\n1,2,3\n", "train.csv:3: 3 fields, expected 2"},
      {"a,y\n1\n", "train.csv:2: 1 field, expected 2"},
      {"sex,y\n\n\"1\",2\nmale,2\n",
       "train.csv:4: 'sex': cannot read \"male\" as a number; encode categories first"},
      {"a,y\n\"1\n\",2\n",
       "train.csv:2: 'a': cannot read \"1\\n\" as a number; encode categories first"},
      {"note,y\n\"1\",2\n\"two\r\nlines\",3\nx,4\n",
       "train.csv:3: 'note': cannot read \"two\\nlines\" as a number; encode categories first"},
      {"a;y\n1;2\n3,5;4\n",
       "train.csv:3: 'a': cannot read \"3,5\" as a number; use a decimal point and no thousands "
       "separators"},
      {"age,y\ninf,1\n2,3\n", "train.csv:2: 'age': infinite value \"inf\"; remove or replace it"},
      {"age,y\n1,1\n1e999,3\n",
       "train.csv:3: 'age': infinite value \"1e999\"; remove or replace it"},
      {"x0,x1,x2,x3,x4,x5,x1,y\n", "train.csv: feature name 'x1' used twice (columns 2, 7)"},
      {"a,a,y,a\n", "train.csv: feature name 'a' used 3 times (columns 1, 2, 4)"},
      {"a,b, ,y\n", "train.csv: column 3 has no name"},
      {"1,2.5,-3\n4,5,6\n",
       "train.csv: the first line holds only numbers; the file seems to have no header line, add "
       "one"},
      {"", "train.csv: empty file; a header line and at least 2 rows are needed"},
      {"\n \r\n", "train.csv: empty file; a header line and at least 2 rows are needed"},
      {"\xEF\xBB\xBF", "train.csv: empty file; a header line and at least 2 rows are needed"},
      {"a,y\n", "train.csv: 0 samples; at least 2 are needed"},
      {"a,y\n1,2\n", "train.csv: 1 sample; at least 2 are needed"},
      {"a,y\n1,2\n\"3,4\n5,6\n", "train.csv:3: a quote is opened here and never closed"},
      {"a,y\n1,\"2\"3\n", "train.csv:2: text after the closing quote of field 2"},
  };
  for (const auto& [text, sentence] : cases) {
    EXPECT_EQ(fit_error(text), "65 " + sentence) << text;
    EXPECT_EQ(fit_error(gzipped(text)), "65 " + sentence) << text;
  }
}

TEST_F(Csv, CellsInMessagesAreCutAndEscaped) {
  EXPECT_EQ(fit_error("a,y\n" + std::string(1000, 'z') + ",1\n"),
            "65 train.csv:2: 'a': cannot read \"" + std::string(40, 'z') +
                "...\" as a number; encode categories first");
  EXPECT_EQ(
      fit_error("a,y\n\x1B[31m\xC2\x9B,1\n"),
      "65 train.csv:2: 'a': cannot read \"\\x1b[31m\\x9b\" as a number; encode categories first");
}

TEST_F(Csv, AQuoteLeftOpenDoesNotSwallowTheMemory) {
  std::string text = "a,y\n\"1,2\n";
  for (int i = 0; i < 20; ++i) text += std::string(1 << 20, ' ') + "\n";
  EXPECT_EQ(fit_error(text), "65 train.csv:2: quoted cell over 16 MB; is a closing quote missing?");
}

// Random tables, each cell written in a random style, come back bit for bit.
TEST_F(Csv, RandomTablesSurviveEveryStyleOfWriting) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(StreamKey{seed, 0, 0, 0, Purpose::test});
    const auto flip = [&] { return random.below(2) == 0; };
    const char separator = ",;\t"[random.below(3)];
    const std::string line_end = std::array{"\n", "\r\n", "\r"}[random.below(3)];
    const std::size_t columns = 1 + random.below(6), rows = random.below(20);
    const auto quoted = [](std::string text) {
      for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) {
        text.insert(at, 1, '"');
      }
      return '"' + text + '"';
    };
    Names names;
    std::string text = flip() ? "\xEF\xBB\xBF" : "";
    for (std::size_t j = 0; j < columns; ++j) {
      names.push_back(fmt::format("c{}{}", j, flip() ? "" : "\n,;\"\t\xE2\x82\xAC"));
      const bool plain = names.back().size() <= 2;
      text += (j > 0 ? std::string(1, separator) : "") +
              (plain && flip() ? names[j] : quoted(names[j]));
    }
    text += line_end;
    Columns expected(columns);
    for (std::size_t i = 0; i < rows; ++i) {
      if (random.below(5) == 0) text += line_end;
      for (std::size_t j = 0; j < columns; ++j) {
        double value = std::bit_cast<double>(random.bits());
        if (!std::isfinite(value) || flip()) value = random.normal();
        expected[j].push_back(value);
        std::string cell = flip() ? fmt::format("{}", value) : fmt::format("{:.17g}", value);
        if (value > 0 && random.below(4) == 0) cell = "+" + cell;
        if (random.below(4) == 0) cell = " " + cell + "  ";
        text += (j > 0 ? std::string(1, separator) : "") + (flip() ? quoted(cell) : cell);
      }
      if (i + 1 < rows || flip()) text += line_end;
    }
    const Table table = table_of(flip() ? gzipped(text) : text);
    EXPECT_EQ(table.columns, expected) << "seed " << seed << "\n" << text;
    EXPECT_EQ(table.names, names) << "seed " << seed;
  }
}

}  // namespace
}  // namespace lacuna::testing
