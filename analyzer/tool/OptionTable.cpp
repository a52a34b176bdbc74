//===- analyzer/tool/OptionTable.cpp - What the options are ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/OptionTable.h"

#include "analyzer/tool/OptionWords.h"
#include "analyzer/tool/Options.h"
#include "report/HelpFormatter.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace cudalint {

static constexpr const char *Usage =
    "Usage: cuda-lint [options] [FILE...] [-- compiler arguments]\n"
    "       cuda-lint COMMAND\n";

static constexpr const char *Description =
    "Finds CUDA performance faults in source code, each with the number that\n"
    "a hardware counter would show.\n";

static constexpr const char *Footer =
    R"(Commands:
  occupancy [options]         Tell how many blocks fit an SM, and why not more:
                              of bare numbers, or of the launches in files
  confirm -- PROGRAM [ARG...] Run a program on the GPU under its counters, and
                              compare them with what was predicted
  launcher -- COMPILER ...    Run a compiler of a build, and lint the file that
                              it compiles meanwhile
  merge [options] FILE...     Join reports of --format=json, as of shards, into
                              one of any format
  prove FILE... -- PROGRAM    Build and run it without and with each fix
  list-checks                 Print the name and summary of every check
  list-gpus                   Print the names that --gpu knows
  explain CHECK               Print what a check finds, why, and the remedy
  explain --all-markdown DIR  Write the same for all checks as DIR/CHECK.md

Exit codes: 0 nothing at or above the threshold, 1 findings, 2 bad usage or
nothing could be analysed, 3 some file could not be analysed.

Examples:
  cuda-lint kernel.cu
  cuda-lint --gpu rtx-4090 --launch 'transpose=64x64,32x8' kernel.cu
  cuda-lint --format=json --output=result.json src/*.cu -- -Iinclude -DN=1024)";

/// What is linted, for what, and how strictly.
static void declareInput(CLI::App &App, RawOptions &Raw) {
  App.add_flag("--version", Raw.Version,
               "Print the versions of this program, of LLVM and of the CUDA "
               "toolkit that is found, and exit");
  App.add_option("FILE", Raw.Files,
                 "CUDA source files, folders or globs; - is standard input; "
                 "none: all CUDA files of the compile commands")
      ->type_name("");
  App.add_option("-p,--build", Raw.Build,
                 "Compile commands: compile_commands.json or its folder; by "
                 "default the nearest one in the folders around each file or "
                 "in their build/, unless there is a --")
      ->type_name("DIR");
  App.add_option("--config", Raw.Config,
                 "What holds in place of all .cuda-lint files, in their YAML: "
                 "'{Checks: shared-*, FailOn: warning}'")
      ->type_name("YAML");
  App.add_option("--config-file", Raw.ConfigFile, "The same, from a file")
      ->type_name("FILE");
  App.add_flag("--dump-config", Raw.DumpConfig,
               "Print what holds for the first file, or here, and exit");
  App.add_option("--diff", Raw.Diff,
                 "Tell what is on changed lines only: those of 'git diff REV', "
                 "by default of HEAD, or of a unified diff on standard input "
                 "for -")
      ->type_name("[=REV]");
  App.add_option("--exclude", Raw.Exclude,
                 "Glob of files that are not linted, in which * also goes "
                 "through folders; may be repeated")
      ->type_name("GLOB")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  App.add_option("--header-filter", Raw.HeaderFilter,
                 "Regular expression of the headers in which findings are "
                 "told; by default all that are no system headers")
      ->type_name("REGEX");
  App.add_option("--gpu", Raw.Gpus,
                 "GPU to lint for: a product (h200, rtx-4090) or an "
                 "architecture (sm_90); may be repeated; by default what the "
                 "compiler arguments name, such as -arch=sm_80, or sm_90")
      ->type_name("NAME")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  App.add_option("--checks", Raw.Checks,
                 "Globs of checks, separated by commas; a - before one "
                 "excludes it; -*,shared-* leaves one family on")
      ->type_name("GLOBS");
  App.add_option("--fail-on", Raw.FailOn,
                 "Least severity that makes the exit code 1: error (the "
                 "default), warning, note, never")
      ->type_name("LEVEL");
}

/// What is known of launches, and asked of them.
static void declareLaunches(CLI::App &App, RawOptions &Raw) {
  App.add_option("--launch", Raw.Launches,
                 "Shape of a launch, laid over those in the source: "
                 "'KERNEL=GRID,BLOCK[,SMEM]' with shapes like 64, 16x16 or ? "
                 "for what is not known, KERNEL by name or * for all; may be "
                 "repeated")
      ->type_name("SHAPE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  App.add_option("--launches-from", Raw.LaunchesFrom,
                 "Launches in place of those in the source: what 'confirm "
                 "--save-profile' recorded, or a list in JSON of kernels, "
                 "grids, blocks and arguments")
      ->type_name("FILE");
  App.add_option("--block", Raw.Block,
                 "Block of the kernels whose block the source does not give")
      ->type_name("X[,Y[,Z]]");
  declareResourceOptions(App, Raw.Resources);
  App.add_option("--min-occupancy", Raw.MinOccupancy,
                 "Makes it an error when a launch keeps a smaller share of an "
                 "SM's warps resident, in per cent")
      ->type_name("PCT");
}

/// Which findings are told, what is fixed, and what is written where.
static void declareResults(CLI::App &App, RawOptions &Raw) {
  App.add_option("--baseline", Raw.Baseline,
                 "Tell only what is not in this file: findings that are known, "
                 "wherever their lines are now")
      ->type_name("FILE");
  App.add_option("--write-baseline", Raw.WriteBaseline,
                 "Write what is found to such a file")
      ->type_name("FILE");
  App.add_flag("--unused-nolint", Raw.UnusedNoLint,
               "Tell which NOLINT(cuda-lint-...) comments silence nothing");
  App.add_option("--fix", Raw.Fix,
                 "Apply fixes that are proved by an analysis of the edited "
                 "text: safe ones (the default), rounding, which may change "
                 "last bits, or layout, which may change what the host sees")
      ->type_name("[=KIND]");
  App.add_flag("--fix-dry-run", Raw.FixDryRun,
               "Print them as a patch in place of findings; edit nothing");
  App.add_option("--export-fixes", Raw.ExportFixes,
                 "Write findings and these fixes as clang-tidy does, for "
                 "clang-apply-replacements")
      ->type_name("FILE");
  App.add_option("--format", Raw.Format,
                 "text (the default), json, sarif, github, gitlab, rdjson, "
                 "junit, html")
      ->type_name("FORMAT");
  App.add_option("-o,--output", Raw.Output,
                 "File to write the report to; - is standard output")
      ->type_name("FILE");
  for (const std::string_view Name : formatNames())
    App.add_option(fmt::format("--output-{}", Name),
                   Raw.Outputs[std::string(Name)],
                   Name == "text" ? "Another report, in that format, beside "
                                    "the first: also --output-json, "
                                    "--output-sarif and so on"
                                  : "")
        ->type_name("FILE")
        ->group(Name == "text" ? "Options" : "");
}

static void declareText(CLI::App &App, RawOptions &Raw) {
  App.add_option("--explain-access", Raw.Explain,
                 "Print what each lane touches: below the findings, or for "
                 "every access of one line")
      ->type_name("[FILE:LINE]");
  App.add_flag("-v,--explain-all", Raw.ExplainAll,
               "Print the cause, all assumptions, call stacks and places of "
               "each finding");
  App.add_option("--sort", Raw.Sort,
                 "waste (the default): what costs most comes first; line: by "
                 "file and line")
      ->type_name("ORDER");
  App.add_option("--max-findings", Raw.MaxFindings,
                 "Print so many findings, those that cost most, and how many "
                 "more there are")
      ->type_name("N");
  App.add_option("--cuda-path", Raw.CudaPath,
                 "CUDA toolkit; by default CUDA_PATH, nvcc on PATH, "
                 "/usr/local/cuda")
      ->type_name("DIR");
  App.add_option("--color,--colour", Raw.Colour,
                 "auto (the default), always or never")
      ->type_name("WHEN");
  App.add_option("-j,--jobs", Raw.Jobs,
                 "Files to analyse at a time; by default one per core")
      ->type_name("N");
  App.add_flag("--summary", Raw.Summary,
               "Print the registers, occupancy and waves of each launch below "
               "the findings");
  App.add_flag("--as-written", Raw.AsWritten,
               "Evaluate accesses as the source has them, not as the compiler "
               "merges, splits and drops them");
  App.add_flag("-q,--quiet", Raw.Quiet,
               "Print findings and errors only: no notes, no summary");
}

void declare(CLI::App &App, RawOptions &Raw) {
  App.description(Description);
  App.formatter(makeHelpFormatter(Usage));
  App.footer(Footer);
  App.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  App.set_help_flag("-h,--help", "Print this and exit");
  // In this order they stand in --help.
  declareInput(App, Raw);
  declareLaunches(App, Raw);
  declareResults(App, Raw);
  declareText(App, Raw);
}

} // namespace cudalint
