"""Make flights.csv: landed flights of July to December, and how likely models of the months before thought a delay.

``python tools/cases/flights.py``, after ``pip install -r tools/cases/requirements.txt``; it takes some minutes.
"""

import numpy as np
import pandas as pd
from new_york import NAMES, SCHEDULE, WEATHER, landed, write
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

FIRST_MONTH, LAST_MONTH = 7, 12
FLIGHTS_A_DAY = 45
MOST_TRAINED_ON = 120_000
SEED = 2013
NUMBERS = [*SCHEDULE, *WEATHER]


def columns(numbers: list[str], names: list[str]) -> ColumnTransformer:
    """Numbers with gaps filled and on one scale; one column of zeros and ones for each name."""
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_column_transformer((scaled, numbers), (one_hot, names))


def naive_bayes(past: pd.DataFrame, coming: pd.DataFrame) -> np.ndarray:
    """Naive Bayes with a normal density for each number and shares for each name."""
    code = OrdinalEncoder().fit(pd.concat([past, coming])[NAMES])
    fill = SimpleImputer().fit(past[NUMBERS])
    kinds = [len(found) for found in code.categories_]
    numbers = GaussianNB().fit(fill.transform(past[NUMBERS]), past.late)
    names = CategoricalNB(min_categories=kinds).fit(code.transform(past[NAMES]), past.late)
    joint = numbers.predict_joint_log_proba(fill.transform(coming[NUMBERS]))
    joint += names.predict_joint_log_proba(code.transform(coming[NAMES])) - names.class_log_prior_
    return np.asarray(1 / (1 + np.exp(joint[:, 0] - joint[:, 1])))


def forecasts(past: pd.DataFrame, coming: pd.DataFrame) -> dict[str, np.ndarray]:
    """The probability of a delay by each model: three with all columns, one with the schedule, one with the weather."""
    both = columns(NUMBERS, NAMES).fit(past)
    fitted = {
        "logistic": make_pipeline(both, LogisticRegression(max_iter=300)),
        "trees": make_pipeline(both, HistGradientBoostingClassifier(random_state=0)),
        "schedule": make_pipeline(columns(SCHEDULE, NAMES), LogisticRegression(max_iter=300)),
        "weather": make_pipeline(columns(WEATHER, []), LogisticRegression(max_iter=300)),
    }
    said = {name: model.fit(past, past.late).predict_proba(coming)[:, 1] for name, model in fitted.items()}
    return said | {"bayes": naive_bayes(past, coming)}


def main() -> None:
    flights = landed()
    flights["late"] = (flights.status == "late").astype(int)
    months = []
    for month in range(FIRST_MONTH, LAST_MONTH + 1):
        past, coming = flights[flights.month < month], flights[flights.month == month]
        if len(past) > MOST_TRAINED_ON:
            past = past.sample(MOST_TRAINED_ON, random_state=month)
        months.append(coming.assign(**forecasts(past, coming)))
    drawn = pd.concat(months).groupby("day").sample(FLIGHTS_A_DAY, random_state=SEED)
    drawn = drawn.sample(frac=1, random_state=SEED).sort_values("day", kind="stable")
    said = ["logistic", "bayes", "trees", "schedule", "weather"]
    drawn[said] = drawn[said].round(4)
    write(drawn[["month", "day", *NAMES, "late", *said]], "flights.csv")


if __name__ == "__main__":
    main()
