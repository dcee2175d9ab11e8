-- After a rebuild of [from, to): rows of the histogram that no observation backs any more. Parameters: from, to, revision.
DELETE FROM /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
