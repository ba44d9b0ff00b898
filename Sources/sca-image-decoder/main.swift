// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import DecoderProtocol
internal import DecoderService
internal import ImageDecoding

DecoderProgram.run { () throws(DecodingFailure) in try ImageDecoder(program: CommandLine.arguments[0]) }
