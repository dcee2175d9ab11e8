-- How many observations of a snapshot there are. Parameters: slot, source.
SELECT count() AS found FROM observations WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String}
