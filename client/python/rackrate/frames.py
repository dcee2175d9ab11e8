"""Answers as pandas data frames. pandas is asked for only when it is used."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

if TYPE_CHECKING:
    from pandas import DataFrame


def to_pandas(answer: Mapping[str, Any]) -> DataFrame:
    """A row for each GPU name and time (or price, position, …) of an answer, or for each object of its list.

    Times are the index, in UTC. Columns of a part have its name in front, as in `supply_demand.total`. A price index of the market has an
    empty GPU name.
    """
    import pandas

    gpus = answer.get("gpus")
    if not isinstance(gpus, dict):
        found = next((value for value in answer.values() if isinstance(value, list)), [])
        return pandas.json_normalize(found)
    market = answer.get("market")
    entries = {**({"": market} if isinstance(market, dict) else {}), **gpus}
    tables = [_table(entry).assign(gpu_name=name) for name, entry in entries.items()]
    return pandas.concat(tables) if tables else pandas.DataFrame()


def _table(entry: Mapping[str, Any]) -> DataFrame:
    import pandas

    parts = {name: part for name, part in entry.items() if isinstance(part, dict) and "timestamps" in part}
    if parts:
        return pandas.concat([_table(part).add_prefix(f"{name}.") for name, part in parts.items()], axis=1)
    lists = {name: values for name, values in entry.items() if isinstance(values, list)}
    if "timestamps" in lists:
        time = pandas.to_datetime(lists.pop("timestamps"), unit="s", utc=True)
        columns = {name: values for name, values in lists.items() if len(values) == len(time)}
        return pandas.DataFrame(columns, index=pandas.DatetimeIndex(time, name="time"))
    objects = next((values for values in lists.values() if values and isinstance(values[0], dict)), None)
    if objects is not None:
        return pandas.json_normalize(objects)
    return pandas.DataFrame(lists)
