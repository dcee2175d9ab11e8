-- What an analyst reads beside the columns.
ALTER TABLE /*!$database.*/slots/*!_local ON CLUSTER $cluster*/
  MODIFY COMMENT 'When the market was looked at: one row per slot',
  COMMENT COLUMN slot 'Start of the slot',
  COMMENT COLUMN source 'market, simulated, or the format of an import',
  COMMENT COLUMN observations 'Rows of the slot in observations',
  COMMENT COLUMN ready 'Whether everything derived from it is in place',
  COMMENT COLUMN revision 'The newest counts: select FINAL'
