"""The service: launcher machine, driver, table and journal in one asyncio loop.

No imports here: code that only reads ``settings`` must not load ``service``.
"""
