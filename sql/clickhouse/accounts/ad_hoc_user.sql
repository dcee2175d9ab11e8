-- The account for ad hoc SQL. An existing account keeps its password.
CREATE USER IF NOT EXISTS $user /*!ON CLUSTER $cluster*/ IDENTIFIED WITH sha256_hash BY '$hash' SETTINGS PROFILE $user
