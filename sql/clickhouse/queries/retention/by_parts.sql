-- Removes observations only by whole parts, which is cheap: a month is removed when its last day is old enough. Removing days of it would
-- rewrite the month every few hours.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ MODIFY SETTING ttl_only_drop_parts = 1
