-- Parts of the newest good answer of a source that were left out: {reasons: {reason: count}, rows: [{place, reason}]}. NULL: not recorded yet.
ALTER TABLE collector ADD COLUMN left_out jsonb;
