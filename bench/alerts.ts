import { capture, currentSlot } from '../ingest/capture.ts'
import { loadAll } from '../ingest/load.ts'
import { openVault } from '../platform/security/vault.ts'
import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { runRules } from '../src/alerts/run.ts'

const rules = 10_000
const slots = 4

/** Measures alert rules at a slot: rules of every kind, with many filters, of every host. */
export async function measureAlerts(
  postgres: Postgres,
  clickhouse: ClickHouse,
  interval: number,
): Promise<void> {
  await writeRules(postgres)
  const vault = openVault({ key: Buffer.alloc(32) })
  const stores = { postgres, clickhouse, vault, snapshotInterval: interval }
  const now = await currentSlot(postgres, interval)
  const figures: Record<string, unknown> = {}
  for (let n = 0; n < slots; n += 1) {
    const slot = now + n * interval
    // Prices move, so that some rules fire or resolve.
    await postgres.query('UPDATE gpu_listings SET price = price * $1 WHERE ended_at IS NULL', [
      n % 2 ? 1.1 : 0.91,
    ])
    await capture(postgres, slot)
    await loadAll({ postgres, clickhouse })
    const [before, cpu] = [performance.now(), process.cpuUsage()]
    const messages = await runRules(stores)
    const ms = Math.round(performance.now() - before)
    const { user, system } = process.cpuUsage(cpu)
    const own = Math.round((user + system) / 1000)
    figures[n === 0 ? 'first slot' : `slot ${n + 1}`] = { ms, 'CPU ms without the databases': own, messages }
  }
  console.log(`\n${rules.toLocaleString('en')} alert rules at a slot   (target: at most 1000 ms)`)
  console.table(figures)
}

/** Five of ten rules watch the level of a figure. The others watch a change, the fill rate, an event, an idle machine and a price. */
async function writeRules(postgres: Postgres): Promise<void> {
  await postgres.query(
    `INSERT INTO api_keys (account_id, created_by, prefix, hash, permissions)
     SELECT id, id, 'bench ' || id, decode(repeat('00', 32), 'hex'), '{"api": {"machine_read": {}}}'
     FROM (SELECT DISTINCT account_id AS id FROM machines) AS hosts`,
  )
  await postgres.query(
    `WITH names AS (SELECT array_agg(DISTINCT gpu_name) AS names FROM machines),
     holders AS (SELECT id, account_id, row_number() OVER () - 1 AS place, count(*) OVER () AS holders FROM api_keys WHERE prefix LIKE 'bench %')
     INSERT INTO alert_rules (account_id, created_by, key_id, name, email, condition)
     SELECT h.account_id, h.account_id, h.id, 'rule ' || n, n % 5 = 0, CASE n % 10
       WHEN 4 THEN jsonb_build_object('kind', 'statistic', 'gpu_name', names[1 + n % cardinality(names)],
         'verified', (ARRAY['yes', 'all', 'no'])[1 + n % 3], 'hosting_type', 'all', 'num_gpus', 0, 'statistic', 'avail_median', 'is', 'falls', 'by', 5,
         'within_hours', (ARRAY[1, 3, 6, 12, 24, 48, 72, 168, 336, 720])[1 + n / 10 % 10], 'clears_at', NULL, 'slots', 1 + n % 3)
       WHEN 6 THEN jsonb_build_object('kind', 'statistic', 'gpu_name', names[1 + n % cardinality(names)], 'verified', 'yes',
         'hosting_type', 'all', 'num_gpus', 0, 'statistic', 'fill_rate', 'is', 'below', 'limit', 0.05, 'clears_at', NULL, 'slots', 2)
       WHEN 7 THEN jsonb_build_object('kind', 'event', 'gpu_name', names[1 + n % cardinality(names)],
         'verified', (ARRAY['yes', 'all', 'no'])[1 + n % 3], 'event', (ARRAY['price_jump', 'supply_drop', 'high_occupancy', 'low_90d'])[1 + n / 10 % 4])
       WHEN 8 THEN jsonb_build_object('kind', 'machine_idle', 'machine_id', NULL, 'hours', 12)
       WHEN 9 THEN jsonb_build_object('kind', 'machine_price', 'machine_id', NULL, 'slots', 2)
       ELSE jsonb_build_object('kind', 'statistic', 'gpu_name', names[1 + n % cardinality(names)],
         'verified', (ARRAY['yes', 'all', 'no'])[1 + n % 3], 'hosting_type', (ARRAY['all', 'community', 'secure_cloud'])[1 + n / 10 % 3],
         'num_gpus', (ARRAY[0, 1, 4, 8])[1 + n / 30 % 4], 'statistic', 'avail_median', 'is', 'below', 'limit', 0.2 + (n % 100) / 50.0,
         'clears_at', NULL, 'slots', 1 + n % 3)
     END
     FROM generate_series(0, $1::int - 1) AS n CROSS JOIN names JOIN holders h ON h.place = n % h.holders`,
    [rules],
  )
}
