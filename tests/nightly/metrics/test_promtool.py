"""What Prometheus's own tool says of the figures, of the alert rules, and of the dashboard."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from tests.web.rig import launcher
from tests.web.test_metrics import MONITORING


def promtool(*arguments: str, read: str = "", folder: Path | None = None) -> None:
    done = subprocess.run(
        ["promtool", *arguments], input=read, cwd=folder, text=True, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


async def test_the_figures_are_as_prometheus_wants_them() -> None:
    async with launcher() as page:
        text = (await page.client.get("/metrics")).text
    promtool("check", "metrics", read=text)


def test_each_alert_fires_for_what_is_wrong_and_only_then(tmp_path: Path) -> None:
    shutil.copy(MONITORING / "alerts.yml", tmp_path)
    shutil.copy(Path(__file__).with_name("alerts.test.yml"), tmp_path)
    promtool("check", "rules", "alerts.yml", folder=tmp_path)
    promtool("test", "rules", "alerts.test.yml", folder=tmp_path)


def test_the_expressions_of_the_dashboard_can_be_evaluated(tmp_path: Path) -> None:
    panels = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))["panels"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    rules = [{"record": f"dashboard:{number}", "expr": each} for number, each in enumerate(expressions)]
    file = tmp_path / "rules.yml"  # JSON is YAML
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}), encoding="utf-8")
    promtool("check", "rules", str(file))
