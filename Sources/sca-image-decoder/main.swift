// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import DecoderService
internal import HelperService
internal import ImageDecoding

HelperProgram.run { try ImageDecoder(program: CommandLine.arguments[0]) }
