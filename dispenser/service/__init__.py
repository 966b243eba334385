"""One launcher and one journal in one asyncio loop: what joins the machine, a driver, the odds and whoever listens.

Nothing is imported here: who reads the settings (``settings``) does not pay for the service (``service``).
"""
