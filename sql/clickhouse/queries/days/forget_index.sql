-- Rows of the price index of one day that do not fit their seal, and all of them when the day was not published. Parameters: day (its start);
-- is_stray Bool.
DELETE FROM /*!$database.*/price_index/*!_local ON CLUSTER $cluster*/
WHERE day = toDate(toDateTime({day:UInt32}, 'UTC')) AND ({is_stray:Bool} OR NOT is_sealed)
