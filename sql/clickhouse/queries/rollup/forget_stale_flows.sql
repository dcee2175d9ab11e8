-- Rows of flows of [from, to) that no observation backs any more. Parameters: from, to, revision.
DELETE FROM /*!$database.*/flows/*!_local ON CLUSTER $cluster*/
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
