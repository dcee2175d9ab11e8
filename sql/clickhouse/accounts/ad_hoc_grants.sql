-- The rights of the account for ad hoc SQL.
GRANT /*!ON CLUSTER $cluster*/ SELECT ON $database.* TO $user
