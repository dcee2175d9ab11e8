-- The rights of API processes: to read, and to end and account for ad hoc queries.
GRANT /*!ON CLUSTER $cluster*/
  SELECT ON $database.*,
  /*!REMOTE ON *.*,*/
  SELECT ON system.*,
  CREATE TEMPORARY TABLE, KILL QUERY, SYSTEM FLUSH LOGS ON *.*
TO $user
