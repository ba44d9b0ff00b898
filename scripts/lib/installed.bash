# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# Where the model and OpenVINO of the caller are.
# shellcheck shell=bash

# Exports SCA_MODELS and SCA_OPENVINO where the caller has them, so that a program with another home finds them.
export_installed_paths() {
    local prefix models openvino
    # In the order in which scripts/bootstrap looks.
    for prefix in /usr/local "${HOME:-}/.local"; do
        models=$prefix/share/sensitive-content-analysis/models
        openvino=$prefix/lib/sensitive-content-analysis/openvino
        [ ! -d "$models/open-nsfw" ] || export SCA_MODELS=${SCA_MODELS:-$models}
        [ ! -d "$openvino" ] || export SCA_OPENVINO=${SCA_OPENVINO:-$openvino}
    done
}
