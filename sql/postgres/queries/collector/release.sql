-- Notes that a request ended without a result because its process stops: the slot may be asked for again. $1 slot
UPDATE collector SET asked_slot = NULL, answered = true WHERE asked_slot = $1 AND NOT answered
