-- {{machines_in_places}}: the machines that a question about places counts. Parameters: the filters, gpu_name (empty: all).
({gpu_name:String} = '' OR gpu_name = {gpu_name:String}) AND {{filter_machines}}

-- {{place}}: the place of a machine: the one of its country, or none if the country is unknown or has too few machines at a slot for its figures to be
-- shown. Regions need no such rule of their own: they are made of these countries.
-- Parameters: codes, places Array(String): the place of each country; own UInt8, slot, gpu_name, the filters.
if(
  {own:UInt8} = 0 OR country IN (
    SELECT country FROM observations
    WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND {{machines_in_places}}
    GROUP BY country
    HAVING {{enough_machines}}
  ),
  transform(toString(country), {codes:Array(String)}, {places:Array(String)}, ''), ''
)
