-- The rights of the service's own account.
GRANT /*!ON CLUSTER $cluster*/
  SELECT, INSERT, ALTER, CREATE, DROP, TRUNCATE, OPTIMIZE, SHOW, BACKUP, SYSTEM SYNC REPLICA ON $database.*,
  TABLE ENGINE ON MergeTree, TABLE ENGINE ON ReplacingMergeTree,
  /*!TABLE ENGINE ON ReplicatedMergeTree, TABLE ENGINE ON ReplicatedReplacingMergeTree, TABLE ENGINE ON Distributed, CLUSTER ON *.*, REMOTE ON *.*,*/
  SELECT ON system.*,
  CREATE TEMPORARY TABLE, KILL QUERY, SYSTEM FLUSH LOGS ON *.*
TO $user
