-- Where machines stand. A place is a city or region with a country at its end: 'California, US'. $1 their ids
SELECT
  id,
  coalesce(regexp_replace(geolocation, '\s*,\s*[A-Z]{2}\s*$', ''), '') AS city,
  coalesce(country, '') AS country_code,
  round(latitude::numeric, 4) AS latitude,
  round(longitude::numeric, 4) AS longitude
FROM machines
WHERE id = ANY ($1::bigint[])
