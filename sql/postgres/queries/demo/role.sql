-- Creates a role of the demo team. $1 team
INSERT INTO roles (team_id, name, permissions)
VALUES ($1, 'operator', '{"api": {"instance_read": {}, "instance_write": {}, "team_read": {}}}')
