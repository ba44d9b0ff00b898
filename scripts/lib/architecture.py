# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The rules of scripts/architecture.txt, whose comments explain its four kinds of lines."""


class Wrong(Exception):
    """An import or a dependency that the rules do not allow."""


class Rules:
    def __init__(self, text):
        self.arrows = {}
        self.only = {}
        self.never = {}
        self.platform = set()
        for number, line in enumerate(text.replace("\\\n", " ").splitlines(), start=1):
            line = line.partition("#")[0].strip()
            if line:
                self._read(line, number)
        for module in self.arrows:
            self._follow(module, (module,))

    def _read(self, line, number):
        keyword, _, rest = line.partition(" ")
        if "->" in line:
            module, _, targets = line.partition("->")
            self.arrows[module.strip()] = targets.split()
        elif keyword == "platform":
            self.platform.update(rest.split())
        elif keyword in ("only", "never") and ":" in rest:
            modules, _, importers = rest.partition(":")
            for module in modules.split():
                getattr(self, keyword).setdefault(module, set()).update(importers.split())
        else:
            raise SystemExit(f"scripts/architecture.txt:{number}: \"{line}\" is no rule: see the comments there")

    def _follow(self, module, path):
        """Ends with an error where the arrows run in a circle."""
        for target in self.arrows.get(module, []):
            if target in path:
                raise SystemExit(f"scripts/architecture.txt: the arrows run in a circle: {' -> '.join((*path, target))}")
            self._follow(target, (*path, target))

    def knows(self, module):
        return module in self.arrows or module in self.only

    def unused(self, importer, imported):
        """The modules that the line of `importer` names without need."""
        names = {module.replace("-", "_") for module in imported}
        return [module for module in self.arrows.get(importer, ()) if module.replace("-", "_") not in names]

    def check(self, importer, module):
        """Raises Wrong where `importer` may not import `module`."""
        # A target's name may hold what a module's name cannot: sca-image-decoder is imported as sca_image_decoder.
        module = next((name for name in self.arrows if name.replace("-", "_") == module), module)
        if importer in self.never.get(module, ()):
            raise Wrong(f"{importer} must never import {module}")
        if module in self.only:
            if importer not in self.only[module]:
                raise Wrong(f"{importer} may not import {module}, only {', '.join(sorted(self.only[module]))} may")
        elif module in self.arrows:
            if module not in self.arrows.get(importer, ()):
                raise Wrong(f"{importer} may not import {module}: its line does not name that module")
        elif module not in self.platform:
            raise Wrong(f"{importer} imports {module}, which has no place in scripts/architecture.txt")
