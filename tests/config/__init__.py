"""The one reader of tables, and the one writer."""
