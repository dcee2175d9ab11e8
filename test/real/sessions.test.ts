import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReadCache } from '../../platform/read-cache.ts'
import { locks, transaction, withAdvisoryLock } from '../../platform/stores/postgres.ts'
import { freshPostgres } from '../database.ts'

let databases: Awaited<ReturnType<typeof freshPostgres>>
beforeAll(async () => {
  databases = await freshPostgres()
})
afterAll(() => databases?.close())

const nested = /while this work holds a session of a pool/
const one = (session: { query(text: string): Promise<{ rows: unknown[] }> }) =>
  session.query('SELECT 1 AS one').then(({ rows }) => rows)

it.each([
  ['a statement', () => one(databases.postgres)],
  ['a session', () => databases.postgres.connect()],
  ['a transaction', () => transaction(databases.postgres, one)],
])('a pool refuses %s of its own to a transaction, also when a session is free', async (_, ask) => {
  await expect(transaction<unknown>(databases.postgres, ask)).rejects.toThrow(nested)
  expect(await one(databases.postgres)).toEqual([{ one: 1 }])
})

it('a cache that reads a database refuses a transaction, also when it has the value', async () => {
  const cache = openReadCache<string, number>({ max: 1, fetchMethod: async () => 1 })
  expect(await cache.forceFetch('one')).toBe(1)
  const ask = () => cache.forceFetch('one')
  await expect(transaction(databases.postgres, async () => ask())).rejects.toThrow(nested)
  expect(await ask()).toBe(1)
})

it('work that a transaction began and that goes on after it gets a session', async () => {
  let goOn = () => {}
  const ended = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const later = await transaction(databases.postgres, async () => [ended.then(() => one(databases.postgres))])
  goOn()
  expect(await later[0]).toEqual([{ one: 1 }])
})

it('twenty that wait for an advisory lock leave the pool to its holder', async () => {
  const done: number[] = []
  await withAdvisoryLock(databases.postgres, locks.prices, async () => {
    const waiting = Array.from({ length: 20 }, (_, n) =>
      withAdvisoryLock(databases.postgres, locks.prices, async ({ session }) => {
        await one(session)
        await one(databases.postgres)
        done.push(n)
      }),
    )
    const count = `SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_database ON oid = database
      WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`
    const counted = async () => (await databases.postgres.query(count)).rows
    await expect.poll(counted).toEqual([{ waiting: 20 }])
    done.push(-1)
    return waiting
  }).then((waiting) => Promise.all(waiting))
  expect(done).toHaveLength(21)
  expect(done[0]).toBe(-1)
})
