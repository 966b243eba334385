"""The version of the package."""

from typing import Final

VERSION: Final = "0.1.0"
"""As in pyproject.toml. Reading the installed metadata would import 40 modules at each start."""
