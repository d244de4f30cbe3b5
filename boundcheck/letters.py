"""The letters of the claim language: `from boundcheck.letters import *`, or by name.

>>> from boundcheck.letters import L, delta, Delta, k
>>> delta[k] <= L * Delta[0] / (2 * k)
f(x_k) - f(x*) <= L |x_0 - x*|^2/(2 k)
"""

from boundcheck.language.letters import *  # noqa: F403 - every letter, whatever is added there
from boundcheck.language.relations import Relation as Relation
from boundcheck.language.scalars import CURVATURE as CURVATURE
from boundcheck.language.scalars import LENGTH as LENGTH
from boundcheck.language.scalars import NONE as NONE
from boundcheck.language.scalars import SLOPE as SLOPE
from boundcheck.language.scalars import STEP as STEP
from boundcheck.language.scalars import VALUE as VALUE
from boundcheck.language.scalars import Dimension as Dimension
from boundcheck.language.scalars import Scalar as Scalar
from boundcheck.language.scalars import ScalarLike as ScalarLike
from boundcheck.language.scalars import as_scalar as as_scalar
from boundcheck.language.tree import Index as Index
from boundcheck.language.vectors import Point as Point
from boundcheck.language.vectors import Vector as Vector
