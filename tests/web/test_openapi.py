"""The API describes itself, whole and truly."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from fastapi.openapi.models import OpenAPI

from dispenser.launcher.messages import Notice
from dispenser.launcher.settings import MachineSettings
from dispenser.web.access import REQUIRED_RANK
from tests.web.rig import in_virtual_time, launcher


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    async def scenario() -> dict[str, Any]:
        async with launcher() as on:
            described: dict[str, Any] = await on.get("/openapi.json")
            return described

    return in_virtual_time(scenario)


def operations(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in schema["paths"].values() for operation in path.values()]


def test_it_is_openapi(schema: dict[str, Any]) -> None:
    assert OpenAPI.model_validate(schema).openapi.startswith("3.1")


def test_every_route_of_the_api_is_in_it(schema: dict[str, Any]) -> None:
    described = {f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods}
    known = {route for route in REQUIRED_RANK if " /api/v1/" in route and "{act}" not in route}
    assert {route for route in described if "/toy/" not in route} == known - {"GET /api/v1/openapi.json"}


def test_every_route_says_what_it_does_and_what_it_answers(schema: dict[str, Any]) -> None:
    for operation in operations(schema):
        assert len(operation["description"]) > 20, operation["operationId"]
        assert operation["tags"]
        assert {"400", "401", "403", "421", "422"} <= operation["responses"].keys()
        assert {"200", "202"} & operation["responses"].keys()
        for status, response in operation["responses"].items():
            assert response["description"], (operation["operationId"], status)
            assert response.get("content"), (operation["operationId"], status)


def test_every_error_has_the_one_shape(schema: dict[str, Any]) -> None:
    for operation in operations(schema):
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                reference = response["content"]["application/json"]["schema"]["$ref"]
                assert reference.rsplit("/", 1)[1] in ("Problem", "Refused", "TableRefused"), (
                    operation["operationId"],
                    status,
                )


def test_every_field_is_explained(schema: dict[str, Any]) -> None:
    schemas = schema["components"]["schemas"]
    assert schemas["Eject"]["properties"]["cards"]["maximum"] == MachineSettings().max_burst_cards
    for name in ("Eject", "Load", "Count", "Button", "LauncherNow", "ToyNow", "OddsAndLuck", "Record"):
        for field, described in schemas[name]["properties"].items():
            assert described.keys() & {"description", "examples", "type", "anyOf", "$ref"}, (name, field)


def test_every_entry_type_of_the_launcher_has_its_schema(schema: dict[str, Any]) -> None:
    for notice in get_args(Notice):
        described = schema["components"]["schemas"][notice.type]
        assert set(described["properties"]) == set(notice.__struct_fields__)


def test_entries_fit_their_schema(schema: dict[str, Any]) -> None:
    """Field names and required fields, on entries of a whole evening."""

    async def scenario() -> list[dict[str, Any]]:
        async with launcher() as on:
            for _ in range(6):
                await on.post("/press")
                await on.settle()
                await on.post("/toy/take")
                await on.settle(1)
            entries: list[dict[str, Any]] = (await on.get("/journal", params={"limit": 500}))["entries"]
            return entries

    schemas = schema["components"]["schemas"]
    entries = [entry for entry in in_virtual_time(scenario) if entry["type"].startswith("launcher.")]
    assert len({entry["type"] for entry in entries}) > 6
    for entry in entries:
        described = schemas[entry["type"]]
        assert set(described.get("required", [])) <= entry["data"].keys() <= set(described["properties"])
