// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The signs by which LibRaw takes a file of any format for a raw picture.
///
/// Qt asks LibRaw before other decoders if the name of a file says nothing, or something wrong.
enum RawSigns {
    /// Returns whether a file has the mark of Phase One among its first bytes, or the size of a raw picture without a head.
    static func areIn(_ prefix: [UInt8], byteCount: Int) -> Bool {
        byteCounts.contains(byteCount) || hasMark(prefix)
    }

    /// Returns whether the mark of Phase One is among the first bytes.
    static func hasMark(_ prefix: [UInt8]) -> Bool {
        (0..<min(markedBytes, prefix.count)).contains { place in
            prefix.hasText("IIII", at: place) && prefix.hasText("waR", at: place + 5)
                || prefix.hasText("MMMM", at: place) && prefix.hasText("Raw", at: place + 4)
        }
    }

    /// The number of first bytes in which a mark may begin.
    private static let markedBytes = 32
    /// The sizes of files in bytes that LibRaw takes for raw pictures of certain cameras, whatever they hold.
    ///
    /// Source: the table of LibRaw 0.20.
    private static let byteCounts: Set<Int> = [
        307_200, 633_888, 786_432, 787_456, 1_447_680, 1_540_857, 1_920_000, 1_976_352, 2_658_304, 2_842_624,
        2_868_726, 2_937_856, 2_969_600, 3_170_304, 3_217_760, 3_763_584, 3_840_000, 4_948_608, 5_067_304, 5_067_316,
        5_107_712, 5_298_000, 5_364_240, 5_382_640, 5_664_912, 6_054_400, 6_218_368, 6_299_648, 6_553_440, 6_573_120,
        6_653_280, 6_721_536, 6_746_112, 7_426_656, 7_530_816, 7_542_528, 7_562_048, 7_684_000, 7_710_960, 7_753_344,
        7_816_704, 9_219_600, 9_243_240, 9_313_536, 9_631_728, 9_830_400, 10_134_608, 10_134_620, 10_186_752,
        10_223_360, 10_341_600, 10_383_120, 10_782_464, 10_788_864, 10_834_368, 10_843_712, 10_979_200, 12_310_144,
        12_489_984, 12_945_240, 15_151_104, 15_467_760, 15_499_264, 15_534_576, 15_636_240, 15_967_488, 15_980_544,
        16_157_136, 16_224_256, 16_424_960, 17_326_080, 17_522_688, 18_016_000, 18_653_760, 18_702_336, 18_763_488,
        19_131_120, 19_906_560, 19_976_192, 20_137_344, 20_389_888, 20_500_480, 21_233_664, 21_936_096, 23_887_872,
        24_192_768, 24_724_224, 26_023_936, 26_257_920, 26_357_760, 28_829_184, 30_858_240, 31_850_496, 32_257_024,
        41_312_256, 42_923_008,
    ]
}
