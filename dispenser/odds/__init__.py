"""The odds: fire policies, presets, recordings, expectations, and the commitment that makes them checkable."""
