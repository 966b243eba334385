"""The version of the package."""

from typing import Final

VERSION: Final = "0.1.0"
"""As in pyproject.toml. Asking the installed package for it would load 40 modules at each start."""
