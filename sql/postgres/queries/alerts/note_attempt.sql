-- Notes what became of an attempt to deliver a message. $1 message, $2 waiting, delivered or failed, $3 status of the answer or null
UPDATE alert_messages SET webhook = $2, webhook_status = $3 WHERE id = $1
