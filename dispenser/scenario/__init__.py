"""Scenario files of both kinds: of the launcher (``launcher``) and of the rules (``rules``)."""
