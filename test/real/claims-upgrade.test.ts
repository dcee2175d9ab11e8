import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freshPostgres } from '../database.ts'

const folder = new URL('../../sql/postgres/migrations/', import.meta.url)

it('a database from before claims keeps its costs, for each source, its rules and their progress', async () => {
  const { postgres, close } = await freshPostgres()
  try {
    await postgres.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    const files = readdirSync(folder).sort()
    const apply = async (passes: (file: string) => boolean) => {
      for (const file of files.filter(passes))
        await postgres.query(readFileSync(new URL(file, folder), 'utf8'))
    }
    await apply((file) => file < '024')
    await postgres.query(`
      INSERT INTO accounts (id, name, is_host, is_admin) VALUES (1, 'admin', false, true), (2, 'host', true, false);
      INSERT INTO sources (name, is_first) VALUES ('exporter', true), ('asia', false);
      INSERT INTO machine_costs (account_id, kwh_price) VALUES (1, 0.3);
      INSERT INTO api_keys (id, account_id, created_by, prefix, hash, permissions)
      SELECT id, id, id, 'key ' || id, decode(repeat('00', 32), 'hex'), '{"api": {"machine_read": {}}}' FROM accounts;
      INSERT INTO alert_rules (account_id, created_by, key_id, name, condition, email) VALUES (1, 1, 1, 'rule', '{"kind": "data_age"}', false);
      UPDATE alert_progress SET slot = 300`)
    await apply((file) => file >= '024')

    const costs = 'SELECT account_id, source, machine_id, kwh_price FROM source_costs ORDER BY source'
    expect((await postgres.query(costs)).rows).toEqual([
      { account_id: 1, source: 'asia', machine_id: null, kwh_price: 0.3 },
      { account_id: 1, source: 'exporter', machine_id: null, kwh_price: 0.3 },
    ])
    expect((await postgres.query('SELECT account_id FROM machine_costs')).rows).toEqual([{ account_id: 1 }])
    expect((await postgres.query('SELECT name, source FROM alert_rules')).rows).toEqual([
      { name: 'rule', source: null },
    ])
    expect((await postgres.query('SELECT slot FROM alert_progress')).rows).toEqual([
      { slot: 300 },
      { slot: 300 },
    ])

    // What the release before reads of the keys, and what a claim adds to it.
    const refusals = async () =>
      (await postgres.query('SELECT key_id, refusal FROM market_keys ORDER BY key_id')).rows
    const noMachine = { key_id: 2, refusal: 'The account has no active machine' }
    expect(await refusals()).toEqual([{ key_id: 1, refusal: null }, noMachine])
    await postgres.query(`INSERT INTO claims VALUES (2, 'asia', '{50}', '{}')`)
    expect((await refusals())[1]).toEqual(noMachine)
    // The first source gets another name, and what is claimed of it stays.
    await postgres.query(`INSERT INTO claims VALUES (2, 'exporter', '{50}', '{}')`)
    await postgres.query(`UPDATE sources SET name = 'mine' WHERE is_first`)
    expect((await refusals())[1]).toEqual({ key_id: 2, refusal: null })
    await postgres.query(`DELETE FROM sources WHERE name = 'asia'`)
    expect((await postgres.query('SELECT source FROM claims')).rows).toEqual([{ source: 'mine' }])
  } finally {
    await close()
  }
})
