-- Whether a row keeps all filters of a search: [{"column": …, "op": …, "value": …}]. Clients turn `_` of every text into a space, so both are
-- the same here. A value of another type than the row's has no order with it: gt, gte, lt and lte are false then.
CREATE FUNCTION matches(found jsonb, filters jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT NOT EXISTS (
    SELECT FROM (
      SELECT
        f.op, f.value,
        CASE WHEN jsonb_typeof(found->f.column_name) = 'string' THEN to_jsonb(translate(found->>f.column_name, '_', ' '))
          ELSE coalesce(found->f.column_name, 'null') END AS own
      FROM (SELECT e->>'column' AS column_name, e->>'op' AS op, e->'value' AS value FROM jsonb_array_elements(filters) e) f
    ) c
    WHERE NOT CASE c.op
      WHEN 'eq' THEN c.own = c.value
      WHEN 'neq' THEN c.own <> c.value
      WHEN 'in' THEN c.value @> jsonb_build_array(c.own)
      WHEN 'notin' THEN NOT c.value @> jsonb_build_array(c.own)
      ELSE jsonb_typeof(c.own) = jsonb_typeof(c.value) AND CASE c.op
        WHEN 'gt' THEN c.own > c.value
        WHEN 'gte' THEN c.own >= c.value
        WHEN 'lt' THEN c.own < c.value
        WHEN 'lte' THEN c.own <= c.value
        ELSE false
      END
    END
  )
$$;
