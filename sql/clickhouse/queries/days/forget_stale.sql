-- After a day was computed again: rows that no observation backs any more. Parameters: day (its start), revision.
DELETE FROM /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/
WHERE day = toDate(toDateTime({day:UInt32}, 'UTC')) AND revision < {revision:UInt64}
