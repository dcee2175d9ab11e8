-- The rows of the cube without a filter, for ad hoc SQL and dashboards: a statement over it stays right when the cube gets another filter.
CREATE OR REPLACE VIEW /*!$database.*/market/*! ON CLUSTER $cluster*/ AS
SELECT * EXCEPT ({{filter_columns}}, revision)
FROM /*!$database.*/cube FINAL
WHERE {{filter_whole_market}}
COMMENT 'The stored answers of the whole market: the cube without a filter'
