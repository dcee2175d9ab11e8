-- An account of the service. An existing account keeps its password.
CREATE USER IF NOT EXISTS $user /*!ON CLUSTER $cluster*/ IDENTIFIED WITH sha256_hash BY '$hash'
