"""Scenario files: of the launcher (``launcher``) and of the rules (``rules``)."""
