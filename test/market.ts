import { createKey } from '../platform/security/api-keys.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { demoAccounts } from '../simulate/create-market.ts'

/** A small marketplace in Postgres: `machines` of them, some rented in part, so that a capture has something to see. */
export async function smallMarket(postgres: Postgres, machines: number): Promise<void> {
  await postgres.query(
    `INSERT INTO accounts (id, name, is_host) VALUES (1001, 'host', true), (1002, 'renter', false)`,
  )
  await postgres.query(
    `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type)
     SELECT n, 1001, (ARRAY['RTX 4090', 'RTX 3090', 'H100 SXM'])[1 + n % 3], 4, 24576, 300, 400, 1000,
       (ARRAY['verified', 'unverified', 'deverified'])[1 + n % 3], (ARRAY['community', 'secure_cloud'])[1 + n % 2]
     FROM generate_series(1, $1::int) AS n`,
    [machines],
  )
  await postgres.query(
    `SELECT setval(pg_get_serial_sequence('machines', 'id'), (SELECT max(id) FROM machines))`,
  )
  await postgres.query(
    `INSERT INTO gpu_listings (machine_id, price) SELECT id, 0.2 + (id % 50) / 100.0 FROM machines`,
  )
  await postgres.query(
    `WITH rented AS (INSERT INTO contracts (machine_id, account_id, price) SELECT id, 1002, 0.3 FROM machines WHERE id % 2 = 0 RETURNING id, machine_id)
     INSERT INTO gpu_holds (machine_id, gpu_index, contract_id)
     SELECT machine_id, gpu, id FROM rented, generate_series(0, CASE WHEN machine_id % 4 = 0 THEN 3 ELSE 1 END) AS gpu`,
  )
}

/** A key of the host of a simulated market. */
export async function keyOfDemoHost(postgres: Postgres): Promise<string> {
  const accounts = await demoAccounts(postgres)
  if (!accounts) throw new Error('the simulated market has no host')
  return (await createKey(postgres, { accountId: accounts.hostId })).key
}
