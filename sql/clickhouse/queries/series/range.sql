-- From the first slot of the series to just past its last; both 0 when there is none.
SELECT toUnixTimestamp(min(slot)) AS from, if(count() = 0, 0, toUnixTimestamp(max(slot)) + 1) AS to FROM slots
