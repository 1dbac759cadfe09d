"""Make football.csv: the games of five first divisions from 2013/14 to 2016/17, in the order of their dates.

``npm pack vega-datasets@3.2.1 && tar xzf vega-datasets-3.2.1.tgz package/data/football.json``, then
``python tools/cases/football.py package/data/football.json``, after ``pip install -r tools/cases/requirements.txt``.
"""

import sys

import pandas as pd
from new_york import write

COUNTRIES = {
    "Österreichische Bundesliga": "Austria",
    "English Premier League": "England",
    "Deutsche Bundesliga": "Germany",
    "Serie A": "Italy",
    "Primera Division": "Spain",
}


def main(path: str) -> None:
    games = pd.read_json(path).dropna(subset=["home_score", "away_score"]).sort_values("date", kind="stable")
    date = pd.to_datetime(games.date)
    columns = {
        "season": date.dt.year - (date.dt.month < 7),
        "country": games.division.map(COUNTRIES),
        "home": games.home_team,
        "away": games.away_team,
        "home_goals": games.home_score.astype(int),
        "away_goals": games.away_score.astype(int),
    }
    write(pd.DataFrame(columns), "football.csv")


if __name__ == "__main__":
    main(sys.argv[1])
