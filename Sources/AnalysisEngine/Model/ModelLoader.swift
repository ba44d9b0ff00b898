// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Loads the model once, in a task of its own, when the model is first needed.
package actor ModelLoader {
    /// The least size of pictures that a model needs, in pixels; it is known before the model is loaded.
    package struct Requirements: Sendable {
        package let minimumWidth: Int
        package let minimumHeight: Int

        package init(minimumWidth: Int, minimumHeight: Int) {
            self.minimumWidth = minimumWidth
            self.minimumHeight = minimumHeight
        }
    }

    private let readRequirements: @Sendable () throws -> Requirements
    private let load: @Sendable () async throws -> any SensitivityModel
    private var requirements: Requirements?
    private var loading: Task<any SensitivityModel, any Error>?
    private var loaded: (any SensitivityModel)?

    /// - Parameters:
    ///   - requirements: quickly reads the size of pictures that the model needs.
    ///   - load: loads the model.
    package init(
        requirements: @escaping @Sendable () throws -> Requirements,
        load: @escaping @Sendable () async throws -> any SensitivityModel
    ) {
        readRequirements = requirements
        self.load = load
    }

    /// Starts loading, and returns the size of pictures that the model needs.
    package func prepare() throws -> Requirements {
        forgetReplacedModel()
        if let requirements { return requirements }
        let read = try readRequirements()
        requirements = read
        _ = startLoading()
        return read
    }

    /// Returns the loaded model, after a wait if necessary.
    ///
    /// After a failure the next call tries again, because the model may have been installed meanwhile.
    package func model() async throws -> any SensitivityModel {
        forgetReplacedModel()
        let task = startLoading()
        do {
            let model = try await task.value
            if loading == task { loaded = model }
            return model
        } catch {
            if loading == task {
                loading = nil
                requirements = nil
            }
            throw error
        }
    }

    private func forgetReplacedModel() {
        guard loaded?.isReplaced == true else { return }
        (loaded, loading, requirements) = (nil, nil, nil)
    }

    private func startLoading() -> Task<any SensitivityModel, any Error> {
        if let loading { return loading }
        let load = load
        let task = Task { try await load() }
        loading = task
        return task
    }
}
