"""A PyTorch training loop, watched: one line more, and a theorem has a verdict at every iterate."""

import sys

import torch

from boundcheck import Convex, Smooth, Trace, check, watch

# -- twenty lines of training, as you have them; one of them is new ------------------------------------------------------
torch.manual_seed(0)
A = torch.randn(280, 34, dtype=torch.float64)
truth = torch.randn(34, dtype=torch.float64)
labels = (A @ truth + torch.randn(280, dtype=torch.float64) > 0).double()

model = torch.nn.Linear(34, 1, dtype=torch.float64)
torch.nn.init.zeros_(model.weight)
torch.nn.init.zeros_(model.bias)
loss_fn = torch.nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=4.0)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=25, gamma=0.5)
recorder = watch(optimizer, loss_fn)  # this line

for _ in range(100):
    optimizer.zero_grad()
    margins = model(A).squeeze(-1)
    loss = loss_fn(margins, labels)
    loss.backward()
    optimizer.step()
    schedule.step()
print(f"loss {loss.item():.4f}")

# -- what a theorem says of it ---------------------------------------------------------------------------------------------
whole = torch.cat([A, torch.ones(280, 1)], 1)
L = torch.linalg.matrix_norm(whole, 2).item() ** 2 / (4 * 280)
best = torch.zeros(35, dtype=torch.float64)  # x* by Newton's method: the theorem speaks of it
for _ in range(20):
    p = torch.sigmoid(whole @ best)
    best -= torch.linalg.solve((whole * (p * (1 - p))[:, None]).T @ whole, whole.T @ (p - labels))
least = loss_fn(whole @ best, labels).item()
trace = recorder.trace(facts=(Convex(), Smooth(1.001 * L)), x_star=best, f_star=least, name="logistic regression")
verdicts = check("prop:convex-any-stepsize", trace)
print(verdicts)

if len(sys.argv) > 1:  # the same from a file
    trace.to_parquet(sys.argv[1])
    print(check("prop:convex-any-stepsize", Trace.from_parquet(sys.argv[1])))
