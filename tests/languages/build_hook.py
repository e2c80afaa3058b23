"""The part of hatchling's build that compiles the catalogues into the package."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledCatalogues(BuildHookInterface[Any]):
    """Compiles the catalogues before a package, or an editable install, is made."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 – what hatchling passes
        """Compile each catalogue; git ignores the results, and the package has them instead of the sources."""
        sys.path.insert(0, self.root)
        from templates.languages.catalogues import compile_file

        for file in sorted(Path(self.root, "templates/languages").glob("*.po")):
            compile_file(file)
        build_data["artifacts"].append("templates/languages/*.mo")
