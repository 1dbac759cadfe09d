"""Make flight-status.csv: what became of flights of October to December, and which of three classes models predicted.

``python tools/cases/flight_status.py``, after ``pip install -r tools/cases/requirements.txt``.
"""

import numpy as np
from new_york import NAMES, SCHEDULE, WEATHER, all_flights, write
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

FIRST_MONTH = 10
ROWS = 6000
SEED = 2013


def main() -> None:
    rng = np.random.default_rng(SEED)
    flights = all_flights()
    past, coming = flights[flights.month < FIRST_MONTH], flights[flights.month >= FIRST_MONTH]
    coming[coming.status != "cancelled"].sample(ROWS, random_state=rng)  # not kept: these rows were in an earlier file
    drawn = coming.sample(ROWS, random_state=rng)
    numbers = (make_pipeline(SimpleImputer(), StandardScaler()), [*SCHEDULE, *WEATHER])
    columns = make_column_transformer(numbers, (OneHotEncoder(handle_unknown="ignore"), NAMES))
    said = {}
    for name, weight in (("plain", None), ("balanced", "balanced")):
        model = make_pipeline(columns, LogisticRegression(max_iter=1000, class_weight=weight))
        said[name] = model.fit(past, past.status).predict(drawn)
    write(drawn[["day", "status"]].assign(**said), "flight-status.csv")


if __name__ == "__main__":
    main()
