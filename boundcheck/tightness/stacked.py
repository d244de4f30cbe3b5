"""PEPit's way to cvxpy, with all constraints as one matrix: cvxpy takes as long for a row of its own as for a thousand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from boundcheck.support.optional_imports import extra

NAME = "boundcheck"  # under which PEPit knows it
WHAT = {"what": "a worst case over a class of functions", "extra": "pep"}


@cache
def stacked() -> str:
    """The name of the wrapper, once PEPit knows it."""
    wrappers, cvxpy = extra("PEPit.wrappers", **WHAT), extra("cvxpy", **WHAT)
    matrices = extra("PEPit.tools.expressions_to_matrices", **WHAT).expression_to_matrices

    class Stacked(wrappers.CvxpyWrapper):  # type: ignore[misc, name-defined]
        """Scalar constraints are kept as rows over (F, G), and given to cvxpy together when the problem is made."""

        def send_constraint_to_solver(self, constraint: Any) -> None:
            self._list_of_constraints_sent_to_solver.append(constraint)

        def send_lmi_constraint_to_solver(self, psd_matrix: Any) -> None:
            raise NotImplementedError("there is one semidefinite matrix here, that of Gram")

        def generate_problem(self, objective: Any) -> Any:
            self.is_equal = [c.equality_or_inequality == "equality" for c in self._list_of_constraints_sent_to_solver]
            rows = [_row(*matrices(c.expression)) for c in self._list_of_constraints_sent_to_solver]
            unknowns = cvxpy.hstack([self.F, cvxpy.vec(self.G, order="C")])
            for equal in (False, True):
                chosen = [row for row, is_equal in zip(rows, self.is_equal, strict=True) if is_equal is equal]
                if chosen:
                    sides = np.array([row[:-1] for row in chosen]) @ unknowns + np.array([row[-1] for row in chosen])
                    self._list_of_solver_constraints.append(sides == 0 if equal else sides <= 0)
            return super().generate_problem(objective)

        def _recover_dual_values(self) -> tuple[list[Any], Any]:
            residual, *duals = (constraint.dual_value for constraint in self.prob.constraints)
            below = iter(duals[0] if not all(self.is_equal) else ())
            equal = iter(duals[-1] if any(self.is_equal) else ())
            return [residual, *(next(equal if is_equal else below) for is_equal in self.is_equal)], residual

    wrappers.WRAPPERS[NAME] = Stacked
    return NAME


def _row(G: Any, F: Any, constant: float) -> Any:
    return np.concatenate([F, G.ravel(), [constant]])
