-- The audit of changes: keys, roles, members, accounts, claims, costs and rules. Rows stay when the account is deleted, without `before` and `after`.
CREATE TABLE changes (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  made_at    timestamptz NOT NULL DEFAULT rackrate_now(),
  account_id integer NOT NULL,                                            -- the account whose object was changed
  origin     text NOT NULL CHECK (origin IN ('api', 'mail', 'command', 'service')), -- service: a worker, or a statement of an operator
  person_id  integer,                                                     -- the person who held the key or the mailed link
  key_id     integer,
  object     text NOT NULL,                                               -- the table
  object_id  text NOT NULL,
  action     text NOT NULL CHECK (action IN ('create', 'change', 'delete')),
  before     jsonb,                                                       -- of a change: the fields that changed
  after      jsonb
);
CREATE INDEX changes_account ON changes (account_id, id);
CREATE INDEX changes_made ON changes (made_at);

-- A row as the audit keeps it: of an address that gets requests only the server, since its path may be a secret.
CREATE FUNCTION audited_row(kept jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
RETURN CASE
  WHEN kept->>'webhook_url' IS NULL THEN kept
  ELSE kept || jsonb_build_object('webhook_url', regexp_replace(kept->>'webhook_url', '^(https?://)([^/?#]*@)?([^/?#]*).*$', '\1\3/…'))
END;

-- Records a change in the transaction that makes it. Arguments: the column of the account, the columns of the id, and further columns that are not
-- recorded. Secrets, and what the service itself notes in a row, are not recorded.
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  actor   jsonb := coalesce(nullif(current_setting('rackrate.actor', true), ''), '{}')::jsonb;
  hidden  text[] := string_to_array('hash last_used_at stands_for state version webhook_gone_at webhook_secret_sealed key_sealed place read_at ask_after failures is_refused problem earnings_problem ' || coalesce(TG_ARGV[2], ''), ' ');
  old_row jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) - hidden END;
  new_row jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) - hidden END;
  kept    jsonb := coalesce(new_row, old_row);
BEGIN
  -- The key of a claim is replaced by an update of its secret alone.
  IF old_row = new_row AND TG_TABLE_NAME <> 'claim_keys' THEN RETURN NULL; END IF;
  INSERT INTO changes (account_id, origin, person_id, key_id, object, object_id, action, before, after)
  SELECT
    (kept->>TG_ARGV[0])::integer, coalesce(actor->>'origin', 'service'), (actor->>'person')::integer, (actor->>'key')::integer, TG_TABLE_NAME,
    coalesce((SELECT string_agg(kept->>name, ' ' ORDER BY place) FROM unnest(string_to_array(TG_ARGV[1], ' ')) WITH ORDINALITY AS p (name, place)), 'all'),
    CASE
      WHEN TG_OP = 'INSERT' THEN 'create'
      WHEN TG_OP = 'DELETE' OR old_row->>'deleted_at' IS NULL AND new_row->>'deleted_at' IS NOT NULL THEN 'delete'
      ELSE 'change'
    END,
    audited_row(CASE WHEN TG_OP = 'UPDATE'
      THEN (SELECT jsonb_object_agg(key, value) FROM jsonb_each(old_row) WHERE value IS DISTINCT FROM new_row->key) ELSE old_row END),
    audited_row(CASE WHEN TG_OP = 'UPDATE'
      THEN (SELECT jsonb_object_agg(key, value) FROM jsonb_each(new_row) WHERE value IS DISTINCT FROM old_row->key) ELSE new_row END);
  RETURN NULL;
END
$$;

CREATE TRIGGER audit AFTER INSERT OR UPDATE OF name, is_host, is_admin, deleted_at ON accounts
  FOR EACH ROW EXECUTE FUNCTION note_change('id', 'id', 'email email_verified phone');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF owner_id ON teams FOR EACH ROW EXECUTE FUNCTION note_change('account_id', 'account_id');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON roles FOR EACH ROW EXECUTE FUNCTION note_change('team_id', 'id');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON team_members FOR EACH ROW EXECUTE FUNCTION note_change('team_id', 'user_id');
-- A key for one call, or for a session, stands for another key.
CREATE TRIGGER audit AFTER INSERT OR UPDATE OF account_id, name, permissions, expires_at, revoked_at ON api_keys
  FOR EACH ROW WHEN (NEW.stands_for IS NULL) EXECUTE FUNCTION note_change('account_id', 'id');
CREATE TRIGGER audit_deletion AFTER DELETE ON api_keys FOR EACH ROW WHEN (OLD.stands_for IS NULL) EXECUTE FUNCTION note_change('account_id', 'id');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON claims FOR EACH ROW EXECUTE FUNCTION note_change('account_id', 'source');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF can_do_more ON claim_keys FOR EACH ROW EXECUTE FUNCTION note_change('account_id', 'source');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON machine_costs FOR EACH ROW EXECUTE FUNCTION note_change('account_id', 'machine_id');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON source_costs FOR EACH ROW EXECUTE FUNCTION note_change('account_id', 'source machine_id');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF name, condition, email, webhook_url, silenced_until, source ON alert_rules
  FOR EACH ROW EXECUTE FUNCTION note_change('account_id', 'id');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF name, machine_id, gpu_name, settings, webhook_url, email, stage, stop_reason, source ON autopilot_rules
  FOR EACH ROW EXECUTE FUNCTION note_change('account_id', 'id');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON autopilot_accounts FOR EACH ROW EXECUTE FUNCTION note_change('account_id', 'account_id');
