"""Make flight-days.csv: how many flights each carrier had scheduled from each airport on each day of 2013.

``python tools/cases/flight_days.py``, after ``pip install -r tools/cases/requirements.txt``.
"""

from new_york import all_flights, write


def main() -> None:
    counted = all_flights().groupby(["day", "origin", "carrier"]).size()
    write(counted.rename("flights").reset_index(), "flight-days.csv")


if __name__ == "__main__":
    main()
