"""Where the classical theorems are stated. All share the name that begins their ids."""

from boundcheck import Paper

NAME = "classical"

POLYAK_1969 = Paper(name=NAME, title="Minimization of unsmooth functionals", authors="Boris T. Polyak", year=1969)
NESTEROV_2004 = Paper(
    name=NAME, title="Introductory Lectures on Convex Optimization: A Basic Course", authors="Yurii Nesterov", year=2004
)
BECK_TEBOULLE_2009 = Paper(
    name=NAME,
    title="A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems",
    authors="Amir Beck, Marc Teboulle",
    year=2009,
)
BECK_2014 = Paper(
    name=NAME,
    title="Introduction to Nonlinear Optimization: Theory, Algorithms, and Applications with MATLAB",
    authors="Amir Beck",
    year=2014,
)
DRORI_TEBOULLE_2014 = Paper(
    name=NAME,
    title="Performance of first-order methods for smooth convex minimization: a novel approach",
    authors="Yoel Drori, Marc Teboulle",
    year=2014,
)
BUBECK_2015 = Paper(name=NAME, title="Convex Optimization: Algorithms and Complexity", authors="Sébastien Bubeck", year=2015)
KARIMI_NUTINI_SCHMIDT_2016 = Paper(
    name=NAME,
    title="Linear Convergence of Gradient and Proximal-Gradient Methods Under the Polyak-Łojasiewicz Condition",
    authors="Hamed Karimi, Julie Nutini, Mark Schmidt",
    year=2016,
)
SU_BOYD_CANDES_2016 = Paper(
    name=NAME,
    title="A Differential Equation for Modeling Nesterov's Accelerated Gradient Method: Theory and Insights",
    authors="Weijie Su, Stephen Boyd, Emmanuel J. Candès",
    year=2016,
)
TAYLOR_HENDRICKX_GLINEUR_2017 = Paper(
    name=NAME,
    title="Smooth strongly convex interpolation and exact worst-case performance of first-order methods",
    authors="Adrien B. Taylor, Julien M. Hendrickx, François Glineur",
    year=2017,
)
DE_KLERK_GLINEUR_TAYLOR_2017 = Paper(
    name=NAME,
    title="On the worst-case complexity of the gradient method with exact line search for smooth strongly convex functions",
    authors="Etienne de Klerk, François Glineur, Adrien B. Taylor",
    year=2017,
)
TAYLOR_HENDRICKX_GLINEUR_2018 = Paper(
    name=NAME,
    title="Exact worst-case convergence rates of the proximal gradient method for composite convex minimization",
    authors="Adrien B. Taylor, Julien M. Hendrickx, François Glineur",
    year=2018,
)
TAYLOR_BACH_2019 = Paper(
    name=NAME,
    title="Stochastic first-order methods: non-asymptotic and computer-aided analyses via potential functions",
    authors="Adrien Taylor, Francis Bach",
    year=2019,
)
HAZAN_KAKADE_2019 = Paper(name=NAME, title="Revisiting the Polyak step size", authors="Elad Hazan, Sham Kakade", year=2019)
MALITSKY_MISHCHENKO_2020 = Paper(
    name=NAME,
    title="Adaptive Gradient Descent without Descent",
    authors="Yura Malitsky, Konstantin Mishchenko",
    year=2020,
)
ROTARU_GLINEUR_PATRINOS_2024 = Paper(
    name=NAME,
    title="Exact worst-case convergence rates of gradient descent: a complete analysis for all constant stepsizes over nonconvex "
    "and convex functions",
    authors="Teodor Rotaru, François Glineur, Panagiotis Patrinos",
    year=2024,
)
