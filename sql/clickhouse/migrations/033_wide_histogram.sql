-- ClickHouse stores parts below 10 MB in one file, in which each granule of each column is a block of its own. The newest month of the histogram is
-- in such parts, and reading a range of 90 days from them takes twice the CPU, and twice the disk. A slot's own part, of one hour, stays small.
ALTER TABLE /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/
  MODIFY SETTING min_bytes_for_wide_part = 1000000
