"""Measures of the launcher, each beside a baseline of the same run: ``python -m tests.bench [NAME...]``.

Wall-clock figures of a shared machine prove little alone, so every figure that has a goal is a count, a size, or a
ratio to a baseline that took turns with it.
"""
