"""The workshop over HTTP: opened, looked at, told, closed; the launcher is off for all others meanwhile."""

from __future__ import annotations

import asyncio

from tests.web.rig import launcher


async def test_by_hand_over_http() -> None:
    async with launcher() as at:
        assert (await at.get("/workshop")) == {"open": False}
        assert (await at.post("/workshop/tell", word="feed")).json()["error"] == "workshop_closed"
        assert (await at.post("/workshop/open", kind="garage")).status_code == 422
        assert (await at.post("/workshop/open", kind="manual")).status_code == 200
        assert (await at.post("/workshop/open", kind="manual")).json()["error"] == "workshop_refused"
        seen = await at.get("/workshop", headers={"accept-language": "fr"})
        assert seen["acts"][0] == {"answer": "feed", "label": "[l]ancer"}
        refused = (await at.post("/press")).json()
        assert refused["reason"] == "off"
        assert "The workshop has the launcher" in refused["message"]
        now = await at.get("/snapshot")
        assert (now["state"], now["workshop"]) == ("off", True)
        assert (await at.post("/workshop/tell", word="sing")).json()["error"] == "workshop_refused"
        await at.post("/workshop/tell", word="feed")
        moving = await at.get(f"/workshop?number={seen['number']}")
        assert moving["moving"] == "feed"
        await at.settle(1)
        before = asyncio.get_running_loop().time()
        assert (await at.get("/workshop"))["moving"] is None
        assert asyncio.get_running_loop().time() == before
        assert (await at.post("/workshop/close")).status_code == 200
        await at.settle(2)
        now = await at.get("/snapshot")
        assert (now["state"], now["workshop"]) == ("ready", False)
