-- {{events_page}}: the newest events after a place in the list of all kinds, newest first. The list is in order of time, name,
-- kind. A statement's event times follow from the range, so the place filters its rows. Parameters: kind, after_at, after_name,
-- after_kind, limit.
AND (-toInt64(at), gpu_name, {kind:String}) > (-toInt64({after_at:UInt32}), {after_name:String}, {after_kind:String})
ORDER BY at DESC, gpu_name
LIMIT {limit:UInt32}
