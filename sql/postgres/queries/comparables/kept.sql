-- The rows of some GPU names, where they are of the edition that is asked for. $1 kind, $2 edition, $3 names
SELECT gpu_name, rows FROM comparables WHERE kind = $1 AND edition = $2 AND gpu_name = ANY ($3)
