"""Papers that several files of these claims cite."""

from boundcheck.theorems.performance_estimation.notation import paper

BANSAL_GUPTA_2019 = paper("Potential-function proofs for gradient methods", "Nikhil Bansal, Anupam Gupta", 2019)
BARRE_TAYLOR_ASPREMONT_2020 = paper(
    "Complexity guarantees for Polyak steps with momentum", "Mathieu Barré, Adrien Taylor, Alexandre d'Aspremont", 2020
)
BOUSSELMI_HENDRICKX_GLINEUR_2023 = paper(
    "Interpolation Conditions for Linear Operators and applications to Performance Estimation Problems",
    "Nizar Bousselmi, Julien M. Hendrickx, François Glineur",
    2023,
)
DE_KLERK_GLINEUR_TAYLOR_2017 = paper(
    "On the worst-case complexity of the gradient method with exact line search for smooth strongly convex functions",
    "Etienne de Klerk, François Glineur, Adrien B. Taylor",
    2017,
)
DRORI_TAYLOR_2020 = paper(
    "Efficient first-order methods for convex minimization: a constructive approach", "Yoel Drori, Adrien B. Taylor", 2020
)
GOUJAUD_TAYLOR_DIEULEVEUT_2022 = paper(
    "Optimal first-order methods for convex functions with a quadratic upper bound",
    "Baptiste Goujaud, Adrien Taylor, Aymeric Dieuleveut",
    2022,
)
MOUCER_TAYLOR_BACH_2022 = paper(
    "A systematic approach to Lyapunov analyses of continuous-time models in convex optimization",
    "Céline Moucer, Adrien Taylor, Francis Bach",
    2022,
)
SU_BOYD_CANDES_2016 = paper(
    "A Differential Equation for Modeling Nesterov's Accelerated Gradient Method: Theory and Insights",
    "Weijie Su, Stephen Boyd, Emmanuel J. Candès",
    2016,
)
TAYLOR_BACH_2019 = paper(
    "Stochastic first-order methods: non-asymptotic and computer-aided analyses via potential functions",
    "Adrien Taylor, Francis Bach",
    2019,
)
TAYLOR_HENDRICKX_GLINEUR_2017 = paper(
    "Exact worst-case performance of first-order methods for composite convex optimization",
    "Adrien B. Taylor, Julien M. Hendrickx, François Glineur",
    2017,
)
