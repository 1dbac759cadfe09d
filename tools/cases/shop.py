"""Make the shop of the lessons: what two recommenders offered a shop's customers, and what these bought.

Needs the table "Online Retail" of the UCI Machine Learning Repository as CSV files in a folder, which is to be named:
``python tools/cases/shop.py folder``.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

CASES = Path(__file__).resolve().parents[1] / "book" / "lessons" / "cases"
CUT = pd.Timestamp("2011-11-01")
CUSTOMERS, OFFERED = 1200, 10


def read(folder: str) -> pd.DataFrame:
    """Purchases by known customers; postage, vouchers and the like have codes without a number."""
    table = pd.concat(pd.read_csv(path, dtype={"StockCode": str}) for path in sorted(Path(folder).rglob("*.csv")))
    table["when"] = pd.to_datetime(table.InvoiceDate)
    sold = table[(table.Quantity > 0) & table.CustomerID.notna() & table.StockCode.str.match(r"\d{5}")]
    return sold.assign(customer=sold.CustomerID.astype(int), product=sold.StockCode.str.upper())


def offers(past: pd.DataFrame, customers: np.ndarray) -> pd.DataFrame:
    """Ten products new to each customer: the ones most customers bought, and the ones bought with what they had."""
    bought = pd.crosstab(past.customer, past["product"]).clip(upper=1)
    popular = bought.sum()
    lengths = np.sqrt(popular.to_numpy(float))
    together = bought.to_numpy(float).T @ bought.to_numpy(float) / np.outer(lengths, lengths)
    mine = bought.loc[customers].to_numpy(float)
    scores = {
        "popular": np.broadcast_to(popular.to_numpy(float) / len(bought), mine.shape),
        "similar": mine @ together / mine.sum(axis=1, keepdims=True),
    }
    offered = {}
    for name, score in scores.items():
        score = np.where(mine > 0, -np.inf, score)
        best = np.argsort(-score, axis=1, kind="stable")[:, :OFFERED]
        index = pd.MultiIndex.from_arrays(
            [np.repeat(customers, OFFERED), bought.columns.to_numpy()[best].ravel()], names=["customer", "product"]
        )
        offered[name] = pd.Series(np.take_along_axis(score, best, axis=1).ravel().round(4), index)
    return pd.DataFrame(offered)


def main() -> None:
    sold = read(sys.argv[1])
    past, coming = sold[sold.when < CUT], sold[sold.when >= CUT]
    new = (
        coming[["customer", "product"]]
        .drop_duplicates()
        .merge(past[["customer", "product"]].drop_duplicates(), how="left", indicator=True)
    )
    new = new[(new._merge == "left_only") & new["product"].isin(past["product"]) & new.customer.isin(past.customer)]
    drawn = pd.Series(new.customer.unique()).sample(CUSTOMERS, random_state=np.random.default_rng(2011))
    customers = np.sort(drawn.to_numpy())

    table = offers(past, customers)
    bought = pd.MultiIndex.from_frame(new[["customer", "product"]])
    table["bought"] = table.index.isin(bought).astype(int)
    table = table.sort_index().reset_index()
    table.to_csv(CASES / "shop.csv", index=False, lineterminator="\n")

    counts = new.groupby("customer").size().loc[customers]
    counts.rename("bought").to_csv(CASES / "shop-customers.csv", lineterminator="\n")

    name = past.dropna(subset="Description").groupby("product").Description.agg(lambda names: names.mode()[0].strip())
    seen = past.groupby("product").customer.nunique()
    products = pd.DataFrame({"name": name.str.replace(",", " ").str.lower(), "customers": seen})
    products.to_csv(CASES / "shop-products.csv", index_label="product", lineterminator="\n")


if __name__ == "__main__":
    main()
