"""Make bad-days.csv: on which days an airline's flights ran late, and how likely that was thought the week before.

``python tools/cases/bad_days.py``, after ``pip install -r tools/cases/requirements.txt``.
"""

import numpy as np
import pandas as pd
from new_york import landed, read, write
from sklearn.linear_model import LogisticRegression

BAD = 0.25  # a day is bad if more than this share of the landed flights was late
FEWEST = 3  # landed flights without which a day counts as not bad
FIRST_DAY = 120  # counted from 0: judged from 1 May
WEEK = 7
HABIT = 90  # days


def days_and_carriers() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Landed flights, and whether the day was bad: a row for each day, a column for each larger carrier."""
    flights = landed()
    by_day = flights.groupby(["day", "carrier"]).status
    count = by_day.size().unstack()
    late = by_day.agg(lambda status: (status == "late").mean()).unstack()
    large = [carrier for carrier in count if (count[carrier] >= 5).sum() >= 300]
    count = count[large].fillna(0).astype(int)
    return count, ((late[large] > BAD) & (count >= FEWEST)).astype(int)


def weather_of_days() -> np.ndarray:
    """Eight measurements of each day, over the three airports, on the scale of the year."""
    table = read("weather.csv")
    table["day"] = pd.to_datetime(table[["year", "month", "day"]]).dt.day_of_year
    days = table.groupby("day").agg(
        rain=("precip", "sum"),
        wind=("wind_speed", "mean"),
        gust=("wind_speed", "max"),
        view=("visib", "mean"),
        least_view=("visib", "min"),
        temperature=("temp", "mean"),
        humidity=("humid", "mean"),
        pressure=("pressure", "mean"),
    )
    days = days.reindex(range(1, 366)).ffill().bfill()
    days["rain"] = np.log1p(10 * days.rain)
    return ((days - days.mean()) / days.std()).to_numpy()


def forecasts(bad: np.ndarray, weather: np.ndarray, past: np.ndarray, week: np.ndarray) -> dict[str, np.ndarray]:
    """By the carrier's last 90 days; by the weather, the same for all carriers; and by carrier and weather together."""
    carriers = bad.shape[1]
    seen, coming = (np.repeat(weather[days], carriers, 0) for days in (past, week))
    who, who_coming = (np.tile(np.eye(carriers), (len(days), 1)) for days in (past, week))
    happened = bad[past].ravel()
    habit = np.clip((bad[past[-HABIT:]].sum(0) + 1) / (HABIT + 4), 0.01, 0.99)
    by_weather = LogisticRegression(C=0.3, max_iter=500).fit(weather[past].repeat(carriers, 0), happened)
    by_both = LogisticRegression(C=1.0, max_iter=800).fit(np.hstack([seen, who]), happened)
    return {
        "habit": np.tile(habit, len(week)),
        "weather": by_weather.predict_proba(coming)[:, 1],
        "both": by_both.predict_proba(np.hstack([coming, who_coming]))[:, 1],
    }


def main() -> None:
    count, bad = days_and_carriers()
    weather = weather_of_days()
    weeks = []
    for start in range(FIRST_DAY, len(bad), WEEK):
        past, week = np.arange(start), np.arange(start, min(start + WEEK, len(bad)))
        table = pd.DataFrame(
            {
                "day": np.repeat(week + 1, len(bad.columns)),
                "carrier": np.tile(bad.columns, len(week)),
                "bad": bad.to_numpy()[week].ravel(),
                "flights": count.to_numpy()[week].ravel(),
            }
        )
        weeks.append(table.assign(**forecasts(bad.to_numpy(), weather, past, week)).round(4))
    write(pd.concat(weeks), "bad-days.csv")


if __name__ == "__main__":
    main()
