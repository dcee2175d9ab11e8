-- Lets go of observations only by whole parts, which costs nothing: a month is gone when its last day is old enough. To cut the oldest month
-- down day by day would write it anew every few hours.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ MODIFY SETTING ttl_only_drop_parts = 1
