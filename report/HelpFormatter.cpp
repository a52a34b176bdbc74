//===- report/HelpFormatter.cpp - Text of --help --------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/HelpFormatter.h"

#include <CLI/CLI.hpp>
#include <sstream>

namespace cudalint {

namespace {
class HelpFormatter : public CLI::Formatter {
public:
  explicit HelpFormatter(std::string Usage) : Usage(std::move(Usage)) {}

  std::string make_usage(const CLI::App *, std::string) const override {
    return Usage;
  }

  std::string make_option(const CLI::Option *Option, bool) const override {
    constexpr std::size_t Column = 30;
    std::string Text = "  ";
    for (char C : Option->get_name(false, true))
      Text += C == ',' ? std::string(", ") : std::string(1, C);
    if (Option->get_type_size() != 0 && !Option->get_positional())
      Text += " " + Option->get_type_name();
    Text += Text.size() < Column - 1 ? std::string(Column - Text.size(), ' ')
                                     : "\n" + std::string(Column, ' ');
    std::size_t Used = Column;
    std::istringstream Words(Option->get_description());
    for (std::string Word; Words >> Word; Used += Word.size() + 1) {
      if (Used + Word.size() > 79) {
        Text.back() = '\n';
        Text.append(Column, ' ');
        Used = Column;
      }
      Text += Word + " ";
    }
    Text.back() = '\n';
    return Text;
  }

  std::string make_positionals(const CLI::App *) const override { return {}; }

private:
  std::string Usage;
};
} // namespace

std::shared_ptr<CLI::FormatterBase> makeHelpFormatter(std::string Usage) {
  return std::make_shared<HelpFormatter>(std::move(Usage));
}

} // namespace cudalint
