import { expect, it, vi } from 'vitest'
import { check, seriesRange } from '../../../ingest/check.ts'
import { selectRows } from '../../../platform/stores/clickhouse.ts'
import { seedMarket } from '../../../simulate/create-market.ts'
import { fillHistory } from '../../../simulate/fill-history.ts'
import { freshDatabases } from '../../database.ts'
import { endHolder } from '../../end-holder.ts'

it('the simulated history goes on by itself after its writer lost the lock', async () => {
  const own = await freshDatabases()
  try {
    await seedMarket(own.postgres, { seed: 4, size: 60, days: 4, interval: 900, now: 1_750_000_500 })
    const pauses: string[] = []
    let ended = false
    const filling = fillHistory(own, {
      signal: new AbortController().signal,
      onPause: ({ message }) => pauses.push(message),
    })
    await vi.waitFor(async () => expect(await endHolder(own.postgres)).toBe(true), {
      timeout: 90_000,
      interval: 5,
    })
    await filling.then(() => {
      ended = true
    })
    expect([ended, pauses.length]).toEqual([true, 1])
    const range = await seriesRange(own.clickhouse)
    expect(await check(own, range)).toMatchObject({ problems: [] })
    const [found] = await selectRows(own.clickhouse, 'SELECT uniqExact(slot) AS slots FROM observations')
    expect(found).toEqual({ slots: 4 * 96 })
  } finally {
    await own.close()
  }
})
