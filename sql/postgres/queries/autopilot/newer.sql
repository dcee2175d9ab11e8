-- Whether a machine was changed after a decision, or is being changed. $1 decision
SELECT FROM autopilot_decisions n JOIN autopilot_decisions d ON d.id = $1
WHERE n.account_id = d.account_id AND n.machine_id = d.machine_id AND n.source IS NOT DISTINCT FROM d.source
  AND n.number > d.number AND n.state NOT IN ('noted', 'failed')
