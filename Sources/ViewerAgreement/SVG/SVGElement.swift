// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An element of an SVG file, as an XML parser reports it.
package struct SVGElement {
    package enum Namespace {
        case svg
        /// Elements that programs show or obey within SVG: XHTML and XInclude.
        case active
        /// Notes of programs, which are not shown.
        case other
    }

    package struct Attribute {
        package enum Namespace {
            case none, xlink, xml, other
        }

        package let namespace: Namespace
        package let name: String
        package let value: String

        package init(_ namespace: Namespace, _ name: String, _ value: String) {
            (self.namespace, self.name, self.value) = (namespace, name, value)
        }
    }

    package let namespace: Namespace
    package let name: String
    package let attributes: [Attribute]
    /// The position of the parent in the list of all elements; nil for the root.
    package let parent: Int?

    package init(
        _ namespace: Namespace = .svg, _ name: String, _ attributes: [Attribute] = [], parent: Int?
    ) {
        (self.namespace, self.name, self.attributes) = (namespace, name, attributes)
        self.parent = parent
    }

    /// Returns the value of an attribute without a namespace.
    package func value(_ name: String) -> String? {
        attributes.first { $0.namespace == .none && $0.name == name }?.value
    }
}
