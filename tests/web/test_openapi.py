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


def test_it_is_openapi_and_has_the_schema_of_every_record_of_the_launcher(schema: dict[str, Any]) -> None:
    assert OpenAPI.model_validate(schema).openapi.startswith("3.1")
    schemas = schema["components"]["schemas"]
    assert schemas["Eject"]["properties"]["cards"]["maximum"] == MachineSettings().max_burst_cards
    for notice in get_args(Notice):
        described = schemas[notice.type]
        assert set(described["properties"]) == set(notice.__struct_fields__)
        assert set(described.get("required", [])) <= set(described["properties"])


def test_every_route_of_the_api_is_in_it(schema: dict[str, Any]) -> None:
    described = {f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods}
    known = {route for route in REQUIRED_RANK if " /api/v1/" in route and "{act}" not in route}
    assert {route for route in described if "/simulator/" not in route} == known - {"GET /api/v1/openapi.json"}


def test_every_route_says_what_it_does_and_what_it_answers_and_every_error_has_the_one_shape(
    schema: dict[str, Any],
) -> None:
    for operation in (operation for path in schema["paths"].values() for operation in path.values()):
        assert len(operation["description"]) > 20, operation["operationId"]
        assert operation["tags"]
        assert {"400", "401", "403", "421", "422"} <= operation["responses"].keys()
        assert {"200", "202"} & operation["responses"].keys()
        for status, response in operation["responses"].items():
            assert response["description"], (operation["operationId"], status)
            assert response.get("content"), (operation["operationId"], status)
            if int(status) >= 400:
                reference = response["content"]["application/json"]["schema"]["$ref"]
                assert reference.rsplit("/", 1)[1] in ("Problem", "Refused", "TableRefused"), operation["operationId"]
