//===- analyzer/plugin/PluginHost.h - Which Clang loads us ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PLUGIN_PLUGINHOST_H
#define CUDA_LINT_ANALYZER_PLUGIN_PLUGINHOST_H

namespace cudalint {

/// Whether the program that loads the plugin is of the version of Clang that
/// the plugin was built with: another one has other classes of the same names,
/// and would crash. If it is not, that is said on standard error, and the
/// plugin must not register itself. For programs with the shared library of
/// Clang.
bool isBuiltForThisClang();

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PLUGIN_PLUGINHOST_H
