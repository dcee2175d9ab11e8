-- As in 053_specs.sql, with the logarithm of a float, which is several times as fast: it is most of the time to write a machine.
CREATE OR REPLACE FUNCTION spec_figure(figure numeric, most numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN figure >= 0.001 AND figure <= most THEN trim_scale(round(figure, 2 - floor(log(figure::float8))::int))::text END
$$;
