"""Work in other processes: pools, workers that survive a crash, limits of time, and no process left behind."""


class Died(Exception):
    """The process of a task ended before the task did, and with it what it had not yet said; `why` says how."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class TimeUp(BaseException):
    """A task was ended: its time was over. Not an Exception, so that code which catches all errors does not catch this one."""

    def __init__(self, after: float = 0.0) -> None:
        super().__init__(after)
        self.after = after  # seconds, where they are known
