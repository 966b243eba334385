"""The version, in a module of its own: whoever needs it must not import the whole package."""

__version__ = "0.1.0"
