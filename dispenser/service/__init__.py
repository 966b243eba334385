"""The service: launcher machine, driver, table and journal in one asyncio loop.

Nothing is imported here: who reads the settings (``settings``) does not pay for the service (``service``).
"""
