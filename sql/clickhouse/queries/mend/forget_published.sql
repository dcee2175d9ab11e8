-- The entries of published days of [from, to), so that these days are published again. Parameters: from, to (starts of days).
DELETE FROM /*!$database.*/published_days/*!_local ON CLUSTER $cluster*/
WHERE day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND day < toDate(toDateTime({to:UInt32}, 'UTC'))
