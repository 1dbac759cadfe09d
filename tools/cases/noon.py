"""Make noon.csv: the temperature at noon at John F. Kennedy airport on each day of 2013, in whole degrees Celsius.

``python tools/cases/noon.py``, after ``pip install -r tools/cases/requirements.txt``.
"""

import pandas as pd
from new_york import read, write


def main() -> None:
    weather = read("weather.csv")
    noon = weather[(weather.origin == "JFK") & (weather.hour == 12)].dropna(subset="temp")
    day = pd.to_datetime(noon[["year", "month", "day"]]).dt.day_of_year
    celsius = ((noon.temp - 32) * 5 / 9).round().astype(int)
    write(pd.DataFrame({"day": day, "noon": celsius}).sort_values("day"), "noon.csv")


if __name__ == "__main__":
    main()
