"""Wrong rules: one small slip at a time in the engine or a game, and whether a test notices. By hand:
``python -m tests.nightly.search.mutants [COUNT] [SEED] [JOBS]``.

Each slip is made in a copy of the checkout. It is judged by the scenarios, then by golden rounds and perft, then by the
other tests of the rules and the second implementations; what none of them notices is printed: a promise without a test,
or a slip that changes nothing a player can see.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[3]
PLACES = ("dispenser/rules/engine/*.py", "dispenser/rules/games/*/*.py", "dispenser/rules/games/*.py")
NOT_RULES = {"book.py", "book_start.py", "words.py", "bot.py", "__init__.py", "errors.py", "refusals.py", "reasons.py"}
PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider")
JUDGES = (
    ((sys.executable, "-m", "dispenser", "rules", "check", "tests/scenarios/rules"), 120),
    ((*PYTEST, "tests/rules/test_golden.py", "tests/rules/test_perft.py"), 300),
    ((*PYTEST, "tests/rules", "tests/nightly/search/test_second_rules.py"), 900),
)
COMPARED = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr}


def slips(tree: ast.AST) -> Iterator[tuple[ast.AST, str, ast.AST]]:
    """Each place where the tree may be wrong, the field of its parent, and what stands there then."""
    for parent in ast.walk(tree):
        if isinstance(parent, ast.Assert):
            continue
        for field, value in ast.iter_fields(parent):
            if field in {"annotation", "returns", "decorator_list", "type_params", "bases"}:
                continue
            if isinstance(value, ast.AST) and (wrong := _wrong(value)) is not None:
                yield parent, field, wrong
            elif isinstance(value, list) and field in {"body", "orelse"}:
                for at, statement in enumerate(value):
                    if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr) and not _is_text(statement):
                        yield parent, f"{field}.{at}", ast.copy_location(ast.Pass(), statement)
            elif isinstance(value, list):
                for at, item in enumerate(value):
                    if isinstance(item, ast.AST) and (wrong := _wrong(item)) is not None:
                        yield parent, f"{field}.{at}", wrong


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _wrong(node: ast.AST) -> ast.AST | None:
    wrong: ast.AST | None = None
    match node:
        case ast.Compare(ops=[one]) if type(one) in COMPARED:
            wrong = ast.Compare(node.left, [COMPARED[type(one)]()], node.comparators)
        case ast.BinOp() if type(node.op) in COMPUTED:
            wrong = ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)
        case ast.BoolOp():
            wrong = ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            wrong = node.operand
        case ast.Constant(value=bool()):
            wrong = ast.Constant(not node.value)
        case ast.Constant(value=int()):
            wrong = ast.Constant(node.value + 1)
        case ast.Call(func=ast.Name(id="min" | "max" | "any" | "all" as name)):
            other = {"min": "max", "max": "min", "any": "all", "all": "any"}[name]
            wrong = ast.Call(ast.Name(other, ast.Load()), node.args, node.keywords)
    return None if wrong is None else ast.copy_location(wrong, node)


def functions_slips(tree: ast.Module) -> list[tuple[ast.AST, str, ast.AST]]:
    """The slips in functions' bodies: what a module or class says at its top is data, and judged by all tests."""
    owners = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    functions = [node for owner in owners for node in owner.body if isinstance(node, ast.FunctionDef)]
    return [slip for function in functions for slip in slips(function)]


def write_slip(path: Path, number: int) -> str:
    """Puts slip ``number`` into the file, and says what it is."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parent, field, wrong = functions_slips(tree)[number]
    name, _, at = field.partition(".")
    right = getattr(parent, name)[int(at)] if at else getattr(parent, name)
    said = f"{path.name}:{right.lineno}: {ast.unparse(right)}  ->  {ast.unparse(wrong)}"
    if at:
        getattr(parent, name)[int(at)] = wrong
    else:
        setattr(parent, name, wrong)
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
    return said


def judged(copy: Path, place: str, number: int) -> tuple[str, int | None]:
    """What the slip was, and which judge noticed it: None when nobody did."""
    path = copy / place
    right = path.read_text(encoding="utf-8")
    try:
        said = write_slip(path, number)
        for judge, (command, limit_s) in enumerate(JUDGES):
            if _fails(command, copy, limit_s):
                return said, judge
        return said, None
    finally:
        path.write_text(right, encoding="utf-8")


def _fails(command: tuple[str, ...], copy: Path, limit_s: float) -> bool:
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "LANGUAGE": "en"}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:  # a round that never ends is noticed, too
        return True
    return done.returncode != 0


def main(count: int = 200, seed: int = 1, jobs: int = 2) -> None:
    """Draws, judges and tells."""
    places = sorted({p for pattern in PLACES for p in ROOT.glob(pattern) if p.name not in NOT_RULES})
    all_slips = [
        (str(path.relative_to(ROOT)), number)
        for path in places
        for number in range(len(functions_slips(ast.parse(path.read_text(encoding="utf-8")))))
    ]
    drawn = random.Random(seed).sample(all_slips, min(count, len(all_slips)))
    print(f"{len(drawn)} of {len(all_slips)} slips, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Path] = Queue()
        for job in range(jobs):
            copy = Path(folder) / str(job)
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "build", "*.so", ".mypy_cache"))
            copies.put(copy)
        blind = [command for command, limit_s in JUDGES if _fails(command, copy, limit_s)]
        if blind:
            sys.exit(f"these judges find fault with the rules as they are: {blind}")

        def judge(slip: tuple[str, int]) -> bool:
            copy = copies.get()
            try:
                said, by = judged(copy, *slip)
            finally:
                copies.put(copy)
            print(f"{'SURVIVED' if by is None else f'noticed by {by + 1}'}  {slip[0]} {said}", flush=True)
            return by is not None

        noticed = sum(pool.map(judge, drawn))
    print(f"{noticed} of {len(drawn)} noticed: {noticed / len(drawn):.1%}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
