from tests.bench.measure import Measure
from tests.bench.timing import Effort


def costs(effort: Effort) -> list[Measure]:
    return []
