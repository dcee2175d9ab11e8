-- What the account for ad hoc SQL may do.
GRANT /*!ON CLUSTER $cluster*/ SELECT ON $database.* TO $user
