// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The score of one label of a classifier for a picture.
package struct LabelScore: Sendable, Hashable {
    package let label: String
    /// The model's output, from 0 to 1.
    package let value: Float
    /// The kind of sensitive content for which the label stands; nil for other labels.
    package let contentType: ContentType?

    package init(label: String, value: Float, contentType: ContentType?) {
        self.label = label
        self.value = value
        self.contentType = contentType
    }
}

extension [LabelScore] {
    /// The labels in descending order; labels with the same score keep the order of the model.
    package var descending: [LabelScore] {
        enumerated().sorted { ($1.element.value, $0.offset) < ($0.element.value, $1.offset) }.map(\.element)
    }

    /// Returns these labels with the higher score of each label that stands for sensitive content.
    ///
    /// The picture with the highest score of one kind must not hide another kind in another picture.
    package func raised(by others: [LabelScore]) -> [LabelScore] {
        guard count == others.count else { return self }
        return zip(self, others).map { label, other in
            label.contentType != nil && label.label == other.label && other.value > label.value ? other : label
        }
    }

    /// Returns the labels of two parts of a file: those of the part with the higher score, raised by the other part.
    ///
    /// - Parameter isHigher: whether the other part has the higher score.
    package func joined(with others: [LabelScore], isHigher: Bool) -> [LabelScore] {
        isEmpty || isHigher ? others.raised(by: self) : raised(by: others)
    }

    /// Returns the labels of a picture in which test patterns were found: the labels of their types have 1, others 0.
    ///
    /// Without a test pattern, or if no labels were requested, the labels are returned unchanged.
    package func replaced(byTestPatterns types: Set<ContentType>) -> [LabelScore] {
        guard !types.isEmpty, !isEmpty else { return self }
        var labels = map { label in
            LabelScore(
                label: label.label, value: label.contentType.map(types.contains) == true ? 1 : 0,
                contentType: label.contentType)
        }
        for type in types.subtracting(compactMap(\.contentType)).sorted() {
            labels.append(LabelScore(label: type.rawValue, value: 1, contentType: type))
        }
        return labels
    }
}
