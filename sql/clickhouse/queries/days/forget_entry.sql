-- The entry of a published day, when it does not fit its seal. Parameters: day (its start).
DELETE FROM /*!$database.*/published_days/*!_local ON CLUSTER $cluster*/
WHERE day = toDate(toDateTime({day:UInt32}, 'UTC')) AND NOT is_sealed
