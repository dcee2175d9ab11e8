-- The limits of all ad hoc statements together.
CREATE QUOTA OR REPLACE $user /*!ON CLUSTER $cluster*/ FOR INTERVAL 1 hour MAX queries = 3000, execution_time = 7200 TO $user
