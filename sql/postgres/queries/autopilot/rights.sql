-- Why an account must not set the prices of some machines now; NULL: it may. $1 account, $2 source; NULL: the first market, $3 machines
SELECT id::float8 AS id, price_refusal($1, $2, id) AS refusal FROM unnest($3::bigint[]) AS id
