-- Observations of the newest slots are read at each load, and by most questions about the present. A part of one slot is skipped by its time, but
-- in a part of many, a slot takes as long as its day. A new slot is as large on disk as a day that is merged, so ClickHouse would merge it at
-- once. 48 parts: with slots of five minutes, the last hour is read from parts of one slot each for three hours of four.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
  MODIFY SETTING min_parts_to_merge_at_once = 48
