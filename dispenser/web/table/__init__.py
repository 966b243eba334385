"""The table on the web: routes, live views, past evenings."""
