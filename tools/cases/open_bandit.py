"""Make bandit-days.csv, bandit-counts.csv and bandit-log.csv: the logs of two policies of a fashion shop.

Needs the folder ``obp/dataset/obd`` of the package ``obp`` 0.4.1, which is to be named; with its own requirements it
would bring torch, so: ``pip download --no-deps obp==0.4.1``, unpack, ``python tools/cases/open_bandit.py folder``.
"""

import sys
from pathlib import Path

import pandas as pd

CASES = Path(__file__).resolve().parents[2] / "book" / "lessons" / "cases"
CAMPAIGNS = ("all", "men", "women")
POLICIES = {"random": "random", "bts": "thompson"}


def read(folder: str) -> pd.DataFrame:
    """Displays of all campaigns and policies; users are known by hashes of four features, so not one by one."""
    tables = []
    for campaign in CAMPAIGNS:
        for name, policy in POLICIES.items():
            table = pd.read_csv(Path(folder, name, campaign, f"{campaign}.csv"), index_col=0)
            affinity = table[[column for column in table if column.startswith("user-item_affinity")]]
            tables.append(
                pd.DataFrame(
                    {
                        "campaign": campaign,
                        "log": policy,
                        "day": pd.to_datetime(table.timestamp, format="ISO8601", utc=True).dt.day,
                        "past": (affinity.sum(axis=1) > 0).astype(int),
                        "item": table.item_id,
                        "place": table.position,
                        "propensity": table.propensity_score.round(6),
                        "click": table.click,
                    }
                )
            )
    return pd.concat(tables)


def write(table: pd.DataFrame, name: str) -> None:
    table.to_csv(CASES / name, index=False, lineterminator="\n")


def counted(displays: pd.DataFrame, *columns: str) -> pd.DataFrame:
    counts = displays.groupby(["campaign", "log", *columns]).click.agg(shown="size", clicked="sum")
    return counts.reset_index()


def main() -> None:
    displays = read(sys.argv[1])
    write(counted(displays, "day", "past"), "bandit-days.csv")
    write(counted(displays, "item", "place"), "bandit-counts.csv")
    kept = displays[(displays.log == "thompson") & (displays.campaign != "all")]
    write(kept[["campaign", "item", "propensity", "click"]], "bandit-log.csv")


if __name__ == "__main__":
    main()
