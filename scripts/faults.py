# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The faults that scripts/plant-faults plants. Each could come with an ordinary change, and would do harm unnoticed.

`old` is in its file exactly once; `scripts/plant-faults --check` says where that is no longer so. A fault has the
smallest part of the gate that finds it. Faults of one module stand together, from the bottom upwards.
"""

from fault_list import Fault, Script, UnitTest

FAULTS = [
    # AnalysisCore: decisions
    Fault(
        name="strong-threshold-ignored",
        sentence="A single frame that is surely sensitive does not make a video sensitive.",
        file="Sources/AnalysisCore/Timeline/FrameTimeline.swift",
        old="let isStrong = frames[stretch.bounds].contains { $0.level(of: type) == .strong }",
        new="let isStrong = false",
        part=UnitTest("FrameTimelineTests/strong")),
    Fault(
        name="threshold-of-adults-for-children",
        sentence="The descriptive policy uses the threshold of the simple one.",
        file="Sources/AnalysisCore/Verdicts/Thresholds.swift",
        old="case .descriptive: descriptive",
        new="case .descriptive: simple",
        part=UnitTest("PictureVerdictTests/threshold")),
    Fault(
        name="threshold-loosens-a-parents-policy",
        sentence="A threshold replaces those of the model also where it may only be stricter.",
        file="Sources/AnalysisCore/Verdicts/ThresholdDemand.swift",
        old="result.descriptive = canOnlyTighten ? min(thresholds.descriptive, value) : value",
        new="result.descriptive = value",
        part=UnitTest("ThresholdTests/no threshold loosens a verdict under Communication Safety")),
    Fault(
        name="app-loosens-a-persons-warning",
        sentence="An app's threshold loosens the warnings that the person has set.",
        file="Sources/AnalysisEngine/AnalysisAuthority.swift",
        old="let canOnlyTighten = isProtected || !isPersonsThreshold && snapshot.contentWarning.isInForce",
        new="let canOnlyTighten = isProtected",
        part=UnitTest("ThresholdTests/an app's threshold does not loosen the person's own warning")),
    Fault(
        name="ties-count-as-found",
        sentence="A sensitive and a harmless file with one score count as told apart.",
        file="Sources/ModelEvaluation/Figures/WeightedScores.swift",
        old="(2 * found[rank] - positives[rank])",
        new="(2 * found[rank])",
        part=UnitTest("ReferenceSetTests/counts and ranking figures agree with scikit-learn")),
    Fault(
        name="sources-are-drawn-file-by-file",
        sentence="Intervals take many files of one source for as many sources.",
        file="Sources/ModelEvaluation/Intervals/SourceSampler.swift",
        old="if let source = file.source { groups[source, default: []].append(index) } else { single.append([index]) }",
        new="single.append([index])",
        part=UnitTest("BootstrapTests/pictures of few sources have a wider interval than as many sources")),
    Fault(
        name="no-score-is-not-sensitive",
        sentence="A score that is no number makes a picture not sensitive, instead of an error.",
        file="Sources/AnalysisCore/Verdicts/PictureVerdict.swift",
        old='throw AnalysisFailure(.internalFailure, "The model gave a score that is not between 0 and 1.")',
        new="continue",
        part=UnitTest("PictureVerdictTests/noScore")),
    Fault(
        name="view-over-black-left-out",
        sentence="A picture with transparent parts is judged over white only.",
        file="Sources/AnalysisCore/Pixels/BackgroundComposer.swift",
        old="layout.width, nearlyOpaque) { return [255, 0] }",
        new="layout.width, nearlyOpaque) { return [255] }",
        part=UnitTest("PixelTests/transparent")),
    Fault(
        name="lane-starves",
        sentence="In trouble, those who came first wait for as long as others come.",
        file="Sources/AnalysisCore/Concurrency/ResourcePool.swift",
        old="isNewestNext = alternates() && !isNewestNext",
        new="isNewestNext = alternates()",
        part=UnitTest("ResourcePoolTests/alternation")),

    # HelperService and the decoders: the sandbox, limits, which pictures are looked at
    Fault(
        name="system-call-filter-left-out",
        sentence="A decoder says that system calls are filtered, and they are not.",
        file="Sources/HelperService/Sandbox/Sandbox.swift",
        old="if wants(.systemCallFilter), filterSystemCalls(sockets, hasThreads) {",
        new="if wants(.systemCallFilter) {",
        part=UnitTest("MisbehavingDecoderTests/effects")),
    Fault(
        name="mask-of-icon-ignored",
        sentence="A picture in an icon is judged without its mask.",
        file="Sources/ImageDecoding/Bitmap/BitmapFile.swift",
        old="if let mask = header.maskOffset { try averaged.add(try masked(at: mask).views) }",
        new="",
        part=UnitTest(
            "UncompressedEvasionTests/A pattern in the mask, the opacity or the colours of an icon is judged")),
    Fault(
        name="small-copy-left-out",
        sentence="The small copy in a TGA file is not looked at.",
        file="Sources/VideoDecoding/StillSession.swift",
        old="[bytes] + picture.otherFiles",
        new="[bytes]",
        part=UnitTest(
            "UncompressedEvasionTests/A pattern in the colours, the opacity or the small copy of a TGA picture is judged")),
    Fault(
        name="wide-window-left-out",
        sentence="An SVG picture without a size is drawn as its view box says, and what lies beside it is not looked at.",
        file="Sources/ViewerAgreement/SVG/SVGStructure.swift",
        old="if boxWidth < shape * boxHeight {",
        new="if boxWidth < 0 * boxHeight {",
        part=UnitTest("DrawingTests/A pattern that a window shows is judged")),
    Fault(
        name="copy-not-judged-again",
        sentence="A lossy copy of a picture is written without a second look at its own pixels.",
        file="Sources/AnalysisEngine/MediaEngine+JudgedCopies.swift",
        old="analysis = analysis.joined(with: try await judge(file, second))",
        new="_ = try await judge(file, second)",
        part=UnitTest("JudgedCopyTests/A copy whose own pixels are sensitive is not written")),
    Fault(
        name="headless-frames-left-out",
        sentence="Frames before the first key frame of a video are shown by some players, and are not judged.",
        file="Sources/VideoDecoding/Track/SegmentJob.swift",
        old="state.decoder.givesIncompleteFrames = segment.isHeadless",
        new="state.decoder.givesIncompleteFrames = false",
        part=UnitTest("HeadlessVideoTests/Frames before the first key frame are judged")),
    Fault(
        name="comments-of-codecs-kept",
        sentence="Tags in the headers of Vorbis and Theora come along in a copy without encoding.",
        file="Sources/CFFmpegShims/Remuxing.c",
        old="return clear_comments(stream->codecpar);",
        new="(void)clear_comments; return 0;",
        part=UnitTest("RemuxedCopyTests/Tags in the headers of codecs do not come along, and the sound is the same")),
    Fault(
        name="remuxed-frames-sampled",
        sentence="Of a copy without encoding, only the frames are looked at that the preset names.",
        file="Sources/AnalysisEngine/MediaEngine+RemuxedCopies.swift",
        old="everyFrame.options.scoresEveryFrame = true",
        new="everyFrame.options.scoresEveryFrame = false",
        part=UnitTest("RemuxedCopyTests/A film with one sensitive frame has no copy, whatever the preset")),
    Fault(
        name="remuxed-size-not-bounded",
        sentence="A decoder that was taken over can fill the machine's memory with the copy of a film.",
        file="Sources/HelperHost/Decoding/MediaDecodingService+Remuxing.swift",
        old="guard byteCount <= UInt64(conversation.inputByteCount ?? 0) * 2 + Self.roomForIndex else {",
        new="guard byteCount <= PictureMemory.largestByteCount else {",
        part=UnitTest(
            "MisbehavingPictureDecoderTests/A decoder that gives an impossible answer about the copy of a film gives out"
            " none")),
    Fault(
        name="changed-frame-not-judged",
        sentence="A file that changes after its frames were judged gives out whatever it shows then.",
        file="Sources/AnalysisEngine/Media/JudgedFrameReader.swift",
        old="guard try !picture.has(frames.digests[position]), !frames.analysis.isSensitive else { return }",
        new="guard position < 0 else { return }",
        part=UnitTest("JudgedFramesTests/A file that becomes sensitive after it was judged gives out no sensitive frame")),
    Fault(
        name="sensitive-pixels-shown-for-a-harmless-file",
        sentence="An attachment shows sensitive pixels without a choice, because its file was judged harmless.",
        file="Sources/InterventionKit/Attachments/MediaAttachment+Displaying.swift",
        old="if judgement.verdict == .notSensitive || flow.verdict != .notSensitive { return .content(content) }",
        new="if flow.policy == judgement.policy { return .content(content) }",
        part=UnitTest("DisplayedImageTests/Pixels that are sensitive although the file was not cover the attachment")),
    Fault(
        name="picture-larger-than-asked-for",
        sentence="A decoder may give an app a picture that is larger than the app has asked for.",
        file="Sources/HelperHost/Decoding/WholePicture.swift",
        old="isWhole || longest <= request.maximumEdge,",
        new="isWhole || longest > 0,",
        part=UnitTest("MisbehavingPictureDecoderTests/A decoder that gives an impossible answer about a picture gives out none")),
    Fault(
        name="large-drawing-seen-whole-only",
        sentence="An SVG picture that is larger than a window of a browser is judged as a whole alone.",
        file="Sources/ViewerAgreement/SVG/SVGStructure.swift",
        old="return [whole, part(of: whole, box ?? [0, 0, width, height])]",
        new="return [whole]",
        part=UnitTest("DrawingTests/The part of a large drawing that a window of a browser shows is judged")),
    Fault(
        name="clips-of-svg-kept",
        sentence="An SVG picture is judged with its clipping paths alone, which Qt ignores.",
        file="Sources/ImageDecoding/Loading/SVGDrawing.swift",
        old="structure.hasClips ? [false, true] : [false]",
        new="[false]",
        part=UnitTest("DrawingTests/A pattern over the background of a viewer, or outside of a clipping path, is judged")),
    Fault(
        name="levels-far-beyond-white-pass",
        sentence="A JPEG passes whose levels libjpeg cuts off and FFmpeg wraps.",
        file="Sources/CJPEGShims/LevelCheck.c",
        old="check->beyond_count * SMALLEST_SHARE > check->block_count;",
        new="0;",
        part=UnitTest("JPEGLevelsTests/levels")),
    Fault(
        name="bits-before-restart-markers-ignored",
        sentence="A JPEG passes whose restart markers FFmpeg decodes as data.",
        file="Sources/CJPEGShims/RestartCheck.c",
        old="if (has_doubtful_bits(info)) check->has_doubtful_bits = 1;",
        new="(void)has_doubtful_bits(info);",
        part=UnitTest("JPEGRestartTests/bits")),
    Fault(
        name="profile-of-grey-png-ignored",
        sentence="A grey PNG is judged without its profile for colours, which browsers apply.",
        file="Sources/ImageDecoding/Rendering/ColourMeaning.swift",
        old="let bytes = picture.profile ?? embeddedProfile",
        new="let bytes = picture.profile ?? (embeddedProfile == nil ? nil : [UInt8](repeating: 0, count: 200))",
        part=UnitTest("EvasionTests/judged")),
    Fault(
        name="blank-tiles-not-noticed",
        sentence="A HEIC or AVIF picture is judged although tiles of it are blank, which other programs show.",
        file="Sources/ImageDecoding/Loading/PictureLoader+HEIF.swift",
        old="if try !picture.isWhollyMarked() { isDamaged = true }",
        new="_ = try picture.isWhollyMarked()",
        part=UnitTest("DamagedFileTests/smallTiles")),
    Fault(
        name="damage-of-an-earlier-file-kept",
        sentence="An animation is unknown because the decoder has read a damaged picture before.",
        file="Sources/ImageDecoding/Sessions/AnimationPictures.swift",
        old="_ = VipsPicture.takeDamage()",
        new="_ = 0",
        part=UnitTest(
            "RegressionTests/The damage of a file does not count for an animation that the same decoder reads next")),
    Fault(
        name="order-of-tiff-entries-ignored",
        sentence="A TIFF file passes whose entries are out of order or come twice.",
        file="Sources/ViewerAgreement/TIFF/TIFFDirectory.swift",
        old="guard tag > lastTag else {",
        new="guard tag >= 0 else {",
        part=UnitTest("TIFFDirectoryTests/order")),
    Fault(
        name="levels-averaged-before-clipping",
        sentence="A frame of a video is judged by the mean of its levels alone, which a sender can forge.",
        file="Sources/VideoDecoding/Frames/FrameReducer.swift",
        old="let pictures = try unsafe reduced(frame, width, height, nearest, isSmooth: false)",
        new="let pictures = [try scaled(frame, width, height)]",
        part=UnitTest("ClippedVideoTests/hidden")),
    Fault(
        name="raw-picture-forgotten",
        sentence="A camera file passes whose raw picture nobody has seen, because its previews are harmless.",
        file="Sources/ImageDecoding/Sessions/PagesSession.swift",
        old="guard let rest else { return nil }",
        new="guard let rest, places.isEmpty else { return nil }",
        part=UnitTest("CameraFileTests/unseen")),
    Fault(
        name="band-of-other-tiles",
        sentence="A large photograph is judged by its first rows of tiles, again and again.",
        file="Sources/ViewerAgreement/HEIF/TileRows.swift",
        old="let tiles = list.to[(start * columns)..<((start + count) * columns)]",
        new="let tiles = list.to[..<(count * columns)]",
        part=UnitTest("PictureTests/bands")),
    Fault(
        name="streams-far-behind-the-start-ignored",
        sentence="A JPEG passes in which FFmpeg finds a stream of video behind the first 2 KiB.",
        file="Sources/ViewerAgreement/HiddenMedia/StreamsInside.swift",
        old="[.jpeg, .bmp, .jpegXL, .icon, .jpeg2000, .photoshop, .svg].contains(format)\n            || StillPicture.formats.contains(format)",
        new="false",
        part=UnitTest("StreamsInsideTests/farther")),
    Fault(
        name="chunks-of-two-tables-allowed",
        sentence="An MP4 file passes that has two tables of its chunks, of which programs obey one or the other.",
        file="Sources/ViewerAgreement/ISOMedia/BoxQuantities.swift",
        old='stsz|stz2 stco|co64 stss stps stsh padb stdp sdtp"),',
        new='stsz|stz2 co64 stss stps stsh padb stdp sdtp", many: "stco"),',
        part=UnitTest("BoxQuantitiesTests/places")),
    Fault(
        name="old-index-of-avi-unchecked",
        sentence="An AVI file passes whose index leads a player to chunks that other players pass over.",
        file="Sources/ViewerAgreement/SampleIndexes/AVIStructure.swift",
        old="return namedByOldIndex != nil",
        new="return true",
        part=UnitTest("AVIStructureTests/misleading")),
    Fault(
        name="index-of-avi-believed",
        sentence="An AVI file passes whose index leads a player that seeks into a chunk that is passed over.",
        file="Sources/ViewerAgreement/SampleIndexes/NamedPositions.swift",
        old="if next < position { return nil }",
        new="if next < position { left.removeFirst(); return false }",
        part=UnitTest("AVIIndexTests/misled")),
    Fault(
        name="decoding-begins-at-any-key-frame",
        sentence="Decoding of H.264 begins anew at frames behind which others depend on what was left out.",
        file="Sources/VideoDecoding/Track/RestartPoints.swift",
        old="guard isKey, codec == .h264 || codec == .hevc else { return isKey }",
        new="guard isKey, codec == nil else { return isKey }",
        part=UnitTest(
            "EvasionTests/No preset that leaves frames out calls a file harmless that viewers show in different ways")),
    Fault(
        name="hevc-references-not-doubted",
        sentence="A video of HEVC is not sensitive although frames depend on others that were left out.",
        file="Sources/VideoDecoding/Track/SegmentReader.swift",
        old="references?.haveDisagreement == true",
        new="false",
        part=UnitTest(
            "EvasionTests/No preset that leaves frames out calls a file harmless that viewers show in different ways")),
    Fault(
        name="repetition-by-averages-alone",
        sentence="A frame with the averages of a harmless one passes for its repetition, whatever it shows.",
        file="Sources/VideoDecoding/Frames/DecodedFrame.swift",
        old="Likeness(rawValue: unsafe CFFmpegShims_frames_look_same(pointer, other.pointer)) ?? .unknown",
        new="signature.flatMap { other.signature?.difference(to: $0) }?.isNegligible == true ? .identical : .unknown",
        part=UnitTest("ClippedVideoTests/forgedRepetition")),
    Fault(
        name="changed-codec-followed-blindly",
        sentence="A transport stream whose tables name another codec for a while is judged by the first alone.",
        file="Sources/ViewerAgreement/TransportStream/ProgramTables.swift",
        old="if let known = streams[identifier], known != announced, known.isPictures || announced.isPictures {",
        new="if streams.isEmpty, announced.isPictures {",
        part=UnitTest("ProgramTablesTests/changes")),
    Fault(
        name="first-handler-believed",
        sentence="A track is sound where its first handler says so, whatever else is in it.",
        file="Sources/ViewerAgreement/Sound/SoundTrack.swift",
        old="guard try isPlain(box.position..<box.content.upperBound) else { return false }",
        new="_ = try isPlain(box.position..<box.content.upperBound)",
        part=UnitTest("SoundTracksTests/secondHandler")),
    Fault(
        name="streams-left-out",
        sentence="Streams beyond the limit are left out without a word.",
        file="Sources/CFFmpegShims/CFFmpegShims.c",
        old="return context->nb_streams > most_streams || input->has_too_many_streams;",
        new="return input->has_too_many_streams;",
        part=UnitTest("TooManyStreamsTests/counts")),
    Fault(
        name="landlock-left-out",
        sentence="A decoder says that Landlock holds, and it does not.",
        file="Sources/HelperService/Sandbox/Sandbox.swift",
        old="let version = CSandboxShims_restrict_with_landlock(Int32(options.newestLandlockVersion), 0)",
        # Of the version that the test asks for.
        new="let version = min(6, Int32(options.newestLandlockVersion))",
        part=Script("test-sandbox")),
    Fault(
        name="decoder-can-be-traced",
        sentence="Another process of the account can trace a decoder and read its memory.",
        file="Sources/CSandboxShims/Process.c",
        old="if (!error && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) error = errno;",
        new="",
        part=Script("test-sandbox")),
    Fault(
        name="inherited-descriptors-kept",
        sentence="A decoder keeps the descriptors that its host has left open.",
        file="Sources/HelperService/Sandbox/Sandbox.swift",
        old="CSandboxShims_close_descriptors_from(Self.firstForeignDescriptor)",
        new="",
        part=Script("test-sandbox")),
    Fault(
        name="pixel-limit-ignored",
        sentence="A decoder decodes pictures with more pixels than the limit allows.",
        file="Sources/AnalysisCore/Limits/AnalysisLimits.swift",
        old="guard !overflow, count <= bound else {",
        new="guard !overflow else {",
        part=UnitTest("DamagedFileTests/callersLimits")),
    Fault(
        name="embedded-thumbnail-used",
        sentence="The thumbnail, which the sender chooses, is judged in the place of a HEIF picture.",
        file="Sources/CVipsShims/CVipsShims.c",
        old='if (page < 0) return vips_heifload_source(source, out, LOADING, "thumbnail", FALSE, NULL);',
        new='if (page < 0) return vips_heifload_source(source, out, LOADING, "thumbnail", TRUE, NULL);',
        part=UnitTest("PictureTests/deceptive")),
    Fault(
        name="animation-by-first-picture",
        sentence="An animation is judged by its first picture.",
        file="Sources/ImageDecoding/Sessions/AnimationPictures.swift",
        old="Self.durations(count: max(1, first.pageCount),",
        new="Self.durations(count: 1,",
        part=UnitTest("VideoAnalysisTests/everyPicture")),

    # HelperHost: a decoder is not believed
    Fault(
        name="reply-of-any-size",
        sentence="A decoder may give a view of a few pixels for a large picture.",
        file="Sources/HelperHost/Decoding/DecodedPicture.swift",
        old="length > 0 && length <= original && length >= min(original, minimum) && length / 8 <= minimum",
        new="length > 0 && length <= original && length / 8 <= minimum",
        part=UnitTest("MisbehavingDecoderTests/lies")),
    Fault(
        name="reply-to-another-request",
        sentence="An answer counts whatever request it is for.",
        file="Sources/HelperHost/Process/HelperConnection.swift",
        old="guard answer.serial == serial else { throw .unaskedAnswer }",
        new="_ = answer.serial == serial",
        part=UnitTest("MisbehavingDecoderTests/lies")),
    Fault(
        name="other-version-accepted",
        sentence="The host works with a decoder of another version.",
        file="Sources/HelperHost/Process/HelperGreeting.swift",
        old="guard identity.packageVersion == PackageVersion.current else {",
        new="guard !identity.packageVersion.isEmpty else {",
        part=UnitTest("UnavailableDecoderTests/otherVersion")),

    # ModelInference and its process
    Fault(
        name="known-answer-ignored",
        sentence="A model that gives other scores than it must to the known drawings is used.",
        file="Sources/ModelInference/Runner/LoadedRunner.swift",
        old="if let expected = setup.knownAnswers, !expected.agree(with: scores) {",
        new="if let expected = setup.knownAnswers, expected.scores.isEmpty {",
        part=UnitTest("ModelRunnerTests/refusals")),
    Fault(
        name="model-hash-ignored",
        sentence="A model with other bytes than its manifest describes is used.",
        file="Sources/ModelInference/OpenVINO/OpenVINOModel.swift",
        old="guard let digest = try? hash.digest(), digest.bytes == source.modelDigest else { throw changed }",
        new="guard (try? hash.digest()) != nil else { throw changed }",
        part=UnitTest("OpenVINOModelTests/changedModel")),
    Fault(
        name="damaged-copy-used",
        sentence="A compiled copy of a model is used with damage that its digest tells.",
        file="Sources/CompiledModels/CompiledCopyTrailer.swift",
        old="unsafe expected.elementsEqual(copy.suffix(byteCount))",
        new="expected.count == byteCount",
        part=UnitTest("CompiledModelCacheTests/damage")),
    Fault(
        name="stranger-in-library-folder",
        sentence="A file that does not belong to OpenVINO may lie in its folder, and be loaded as code.",
        file="Sources/ModelInference/OpenVINO/OpenVINOFiles.swift",
        old="if let other = names.subtracting(known).subtracting(Self.harmless).min() {",
        new="if let other = names.intersection(known).subtracting(known).min() {",
        part=UnitTest("OpenVINOModelTests/changedLibrary")),
    Fault(
        name="environment-handed-on",
        sentence="Helpers get the environment of the app, which the inference library obeys.",
        file="Sources/HelperHost/Process/HelperProcess.swift",
        old='static let environment = ["LC_ALL=C", "SWIFT_BACKTRACE=enable=no"]',
        new='static let environment: [String] = {\n'
            '        var all = ["LC_ALL=C", "SWIFT_BACKTRACE=enable=no"]\n'
            '        for name in ["ONEDNN_VERBOSE", "DNNL_VERBOSE"] {\n'
            '            if let value = unsafe getenv(name) { all.append("\\(name)=\\(unsafe String(cString: value))") }\n'
            '        }\n'
            '        return all\n'
            '    }()',
        part=Script("test-hostile-environment")),
    Fault(
        name="threads-not-bound",
        sentence="The threads of the inference library keep capabilities and may open files.",
        file="Sources/HelperService/Sandbox/Sandbox.swift",
        old="if hasThreads { try bindOtherThreads() } else { try checkSingleTask() }",
        new="if !hasThreads { try checkSingleTask() }",
        part=Script("test-sandbox")),
    Fault(
        name="fork-waits-for-ever",
        sentence="An analysis in a forked process never ends.",
        file="Sources/SensitiveContentAnalysis/Backing/ForkCheck.swift",
        old="guard getpid() != firstProcess else { return }",
        new="guard getpid() != firstProcess, false else { return }",
        part=Script("test-early-exit")),
    Fault(
        name="channels-swapped",
        sentence="The model gets red in the place of blue, so all scores are wrong.",
        file="Sources/ModelInference/Preprocessing/Preprocessor.swift",
        old="input.width, input.channelOrder == .bgr,",
        new="input.width, false,",
        part=UnitTest("PreprocessorTests/normalization")),

    # SensitivityPolicy
    Fault(
        name="silence-is-off",
        sentence="Parental controls that have not answered count as switched off.",
        file="Sources/SensitivityPolicy/Sources/ParentalControlsState.swift",
        old="case .unanswered: .unknown",
        new="case .unanswered: .off",
        part=UnitTest("PolicyMonitorTests/silence")),
    Fault(
        name="owner-of-bus-name-unchecked",
        sentence="Parental controls are believed from a service that does not belong to root.",
        file="Sources/SensitivityPolicy/AccountsService/SystemBus.swift",
        old="guard number == 0 else { return false }",
        new="_ = number",
        part=Script("test-parental-controls")),
    Fault(
        name="files-of-a-group-trusted",
        sentence="Under Communication Safety, programs and models count that a group can change.",
        file="Sources/SensitivityPolicy/Trust/AdministratorOwned.swift",
        old="case S_IFREG, S_IFDIR: return status.st_mode & 0o022 == 0",
        new="case S_IFREG, S_IFDIR: return status.st_mode & 0o002 == 0",
        part=UnitTest("AdministratorOwnedTests/holds")),

    # AnalysisEngine
    Fault(
        name="unseen-stretch-is-harmless",
        sentence="A video is not sensitive although a long stretch of it could not be looked at.",
        file="Sources/AnalysisEngine/Media/MediaAnalyzer.swift",
        old="private static let longestUnseen = Duration.milliseconds(500)",
        new="private static let longestUnseen = Duration.seconds(500)",
        part=UnitTest("DamagedVideoTests/bound")),

    Fault(
        name="mp3-skipped-without-reading-its-frames",
        sentence="A film behind an ID3 tag is skipped as sound, although players show it.",
        file="Sources/ViewerAgreement/Sound/SoundFile.swift",
        old="return try SoundTags.areAudioFrames(file, from: tag.length)",
        new="return tag.length > 0",
        part=UnitTest("ResultOptionTests/noSound")),
    Fault(
        name="unreported-covers-ignored",
        sentence="A sound file whose cover FFmpeg leaves out is skipped, although players show the cover.",
        file="Sources/ViewerAgreement/Sound/SoundFile.swift",
        old="return count != streams.coverCount",
        new="return count == nil && streams.coverCount > 0",
        part=UnitTest("ResultOptionTests/noSound")),

    # VerdictCache
    Fault(
        name="cache-of-another-account-used",
        sentence="Verdicts that another account has written are believed.",
        file="Sources/VerdictCache/VerdictStore.swift",
        old="guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),",
        new="guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,",
        part=UnitTest("VerdictCacheTests/A cache that belongs to another account is not used")),
    Fault(
        name="cached-verdict-under-other-conditions",
        sentence="A verdict for adults is used for a child, because the key leaves out the policy.",
        file="Sources/VerdictCache/VerdictConditions.swift",
        old='PackageVersion.current, "\\(authority.policy)", "\\(authority.findsTestPatterns)",',
        new='PackageVersion.current, "\\(authority.findsTestPatterns)",',
        part=UnitTest("VerdictCacheTests/otherConditions")),

    # InterventionKit and the command
    Fault(
        name="changed-file-moved",
        sentence="A file that took the name of a judged file is moved without being judged.",
        file="Sources/SCATool/Analyze/FileMover.swift",
        old="guard moves.leftUnchanged(source.state, since: judged) else { throw Self.changed }",
        new="guard source.state != nil else { throw Self.changed }",
        part=UnitTest("MoveTests/changed")),
    Fault(
        name="child-is-offered-show",
        sentence="A child is offered to see the media at once, as an adult is.",
        file="Sources/InterventionKit/Flow/TransitionTable+Standard.swift",
        old="Entry(condition: Condition([.simpleInterventions]), stage: .covered),",
        new="Entry(condition: Condition(), stage: .covered),",
        part=UnitTest("FlowEnumerationTests/undecided")),
    Fault(
        name="unknown-ends-with-0",
        sentence="Scripts take files that could not be analysed for files without sensitive content.",
        file="Sources/SCATool/Analyze/AnalysisReport.swift",
        old="if counts.unknown > 0 { return 2 }",
        new="if counts.unknown > 0 { return 0 }",
        part=UnitTest("WordingTests/defaults")),
    Fault(
        name="external-weights-accepted",
        sentence="A model whose weights lie in a file that no hash covers is loaded.",
        file="Sources/ModelInference/ONNX/ONNXContents.swift",
        old="message == .tensor && (field == Self.externalDataField || field == Self.dataLocation)",
        new="message == .tensor && field == Self.dataLocation",
        part=UnitTest("ONNXContentsTests/externalData")),
    Fault(
        name="inner-picture-cut-wrong",
        sentence="An inner picture is cut by a percent too large or too small, which changes its score by a fifth.",
        file="Sources/ModelInference/InnerPictures/InnerPictureFinder.swift",
        old="try judge(refinement.refined(rectangle), mapScores)",
        new="try judge(rectangle, mapScores)",
        part=UnitTest("InnerPictureTests/a picture on a large canvas is found to the pixel and has its own score but for the factor")),
    Fault(
        name="inner-picture-unconfirmed",
        sentence="The score of a part counts even if it is an accident, which brings false alarms.",
        file="Sources/ModelInference/InnerPictures/InnerPictureFinder.swift",
        old="return (isConfirmed ? scores[index] : other) * Self.factor",
        new="return (isConfirmed ? scores[index] : scores[index]) * Self.factor",
        part=UnitTest("InnerPictureTests/a high score of a part counts only if its mirror image or its inside has a quarter of it")),
    Fault(
        name="inner-picture-confirmed-twice",
        sentence="The mirror image of a part is the part itself, so an accident confirms itself.",
        file="Sources/ModelInference/Preprocessing/PictureView.swift",
        old="if isMirrored { unsafe Self.reverse(row) }",
        new="",
        part=UnitTest("InnerPictureTests/the rows of a mirrored view are those of the view from right to left")),
    Fault(
        name="inner-picture-not-counted",
        sentence="The score of a picture inside a picture takes no part in the verdict.",
        file="Sources/AnalysisEngine/Model/RunnerModel.swift",
        old="let values = scores.views + inner.map(\\.scores)",
        new="let values = scores.views",
        part=UnitTest("InnerPictureTests/the score of a picture inside a picture counts for views of files and for pixels of an app")),
    Fault(
        name="details-without-edges",
        sentence="Only straight edges show inner pictures, so one whose side is as bright as its surroundings is not judged.",
        file="Sources/ModelInference/InnerPictures/RectangleFinder.swift",
        old="zip(clear, others).flatMap { [$0, $1] }",
        new="zip(clear, others.prefix(0)).flatMap { [$0, $1] }; return clear",
        part=UnitTest("DetailBlocksTests/a block with edges along its sides is a rectangle, and a round thing before one colour is none")),
    Fault(
        name="details-without-frame",
        sentence="Things before a smooth background are judged as inner pictures, which brings false alarms.",
        file="Sources/ModelInference/InnerPictures/RectangleFinder.swift",
        old="isFramed(block) && !clear",
        new="!clear",
        part=UnitTest("DetailBlocksTests/a block with edges along its sides is a rectangle, and a round thing before one colour is none")),
    Fault(
        name="flat-borders-kept",
        sentence="A picture between borders of one colour is not judged without them.",
        file="Sources/ModelInference/InnerPictures/InnerPictureFinder.swift",
        old="        if rest.area < Self.largestRest, isLargeEnough(rest, view) {\n",
        new="        if rest.area < 0, isLargeEnough(rest, view) {\n",
        part=UnitTest("InnerPictureTests/a picture between borders of one colour is judged without them, even if nothing shows in the map")),
    Fault(
        name="second-look-forgotten",
        sentence="The finding of a second look is lost in the rest of its shot.",
        file="Sources/LiveStreams/State/StreamState+SecondLooks.swift",
        old="            if frame.number >= shotStart { secondLooks.found = (frame.number, finding) }\n",
        new="",
        part=UnitTest("SecondLookTests/The first answer counts until a second look ends, which then covers the stream")),
    Fault(
        name="second-look-takes-last-lane",
        sentence="A second look takes the last lane.",
        file="Sources/LiveStreams/State/StreamScheduler.swift",
        old="        guard !isLookingAgain, runningCount < max(1, laneCount - 1) else { return nil }\n",
        new="        guard runningCount < laneCount else { return nil }\n",
        part=UnitTest("SecondLookTests/There is one second look at a time, which leaves a lane free and begins when nothing else is wanted")),
    Fault(
        name="child-gets-partly-covered-image",
        sentence="A child gets an image in which only the pictures inside are covered.",
        file="Sources/InterventionKit/Attachments/MediaAttachment+Regions.swift",
        old="            guard flow.policy == .simpleInterventions, flow.presentation.cover == .full,\n",
        new="            guard flow.presentation.cover == .full,\n",
        part=UnitTest("CoveredRegionsTests/A child, and anybody for media that is not known to be sensitive, gets no image with covers")),
    Fault(
        name="label-of-another-picture-hidden",
        sentence="A picture with a higher score hides the label for which another picture is sensitive.",
        file="Sources/AnalysisCore/Verdicts/LabelScore.swift",
        old="label.contentType != nil && label.label == other.label && other.value > label.value ? other : label",
        new="label",
        part=UnitTest("LabelTests/kinds")),
    Fault(
        name="network-compiled-without-filter",
        sentence="A network is compiled in a process that can change files and type into a terminal.",
        file="Sources/HelperService/Sandbox/Sandbox.swift",
        old="if wants(.systemCallFilter) { _ = CSandboxShims_forbid_programs_and_connections(0) }",
        new="",
        part=Script("test-sandbox")),
    Fault(
        name="help-among-names-succeeds",
        sentence="A file named -h.png keeps all others from being judged, and the command ends with 0.",
        file="Sources/SCATool/SCACommand.swift",
        old="guard InformationRequest.standsAlone(arguments) else {",
        new="guard !arguments.isEmpty else {",
        part=UnitTest("ArgumentTests/amongOthers")),
    Fault(
        name="report-replaces-input",
        sentence="A report is written onto the photograph that it is about.",
        file="Sources/SCATool/Output/OutputOpener.swift",
        old="for input in inputs where isSame(place, as: input) {",
        new="for input in inputs where isSame(place, as: input) && input.isEmpty {",
        part=UnitTest("OutputTests/conflicts")),
    Fault(
        name="item-colours-not-interpolated",
        sentence="AVIF and HEIC pictures are judged only as programs show them that do not interpolate colours.",
        file="Sources/CHeifShims/CHeifShims.c",
        old="static bool is_smooth(void) { return mode == CHeifShims_smooth; }",
        new="static bool is_smooth(void) { return mode == CHeifShims_smooth && part_columns == 0; }",
        part=UnitTest("SharedColorTests/avif")),
]
