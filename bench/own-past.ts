import { setTimeout as sleep } from 'node:timers/promises'
import { publishDays } from '../ingest/publish-days.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { type OwnAsked, pastDays, readDays, readPast } from '../src/hosts/machines/own-past.ts'
import { readWholeDays, type WholeDays } from '../src/hosts/machines/whole-days.ts'
import { endsOf, quantile, round, timeOf } from './measure.ts'

const day = 86_400
const target = 100

/** Machines that are available at a slot, with any GPU name. */
const machinesOf = (clickhouse: ClickHouse, slot: number) =>
  selectRows<{ id: number; name: string; rig: number }>(
    clickhouse,
    `SELECT machine_id AS id, gpu_name AS name, any(num_gpus) AS rig FROM observations
     WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND NOT rented GROUP BY id, name ORDER BY cityHash64(id) LIMIT 100`,
    { slot },
  )

/** New parts would be merged during the first requests, on the same cores. */
async function mergesDone(clickhouse: ClickHouse): Promise<void> {
  const query = 'SELECT count() AS merges FROM system.merges'
  while (one(await selectRows<{ merges: number }>(clickhouse, query, {})).merges > 0) await sleep(1000)
}

/** Measures the past of own machines, from whole days and from observations alone, for a market with the given number of days. */
export async function measureOwnPast(stores: Stores, repeat: number): Promise<void> {
  const { clickhouse } = stores
  await publishDays(stores)
  await mergesDone(clickhouse)
  const ends = await endsOf(clickhouse)
  if (!ends) return
  const slot = ends.newest
  const machines = await machinesOf(clickhouse, slot)
  const rows: Record<string, Record<string, number>> = {}
  const range = Math.round((slot - ends.first) / day)
  for (const count of [10, 100])
    for (const days of new Set([Math.min(30, range), range])) {
      const some = machines.slice(0, count)
      const week = slot - 7 * day
      const own: OwnAsked = {
        ids: some.map(({ id }) => id),
        names: some.map(({ name }) => name),
        rigs: some.map(({ rig }) => rig),
        slot,
        from: slot - days * day,
        week,
        day: slot - day,
        book: week,
        book_to: slot + 1,
        set_from: week,
        set_to: slot,
      }
      const times = {
        days: [] as number[],
        known: [] as number[],
        shared: [] as number[],
        observations: [] as number[],
      }
      const read = (whole: WholeDays) => timeOf(() => readPast(clickhouse, own, whole))
      // Alternating, because the load of the machine changes.
      for (let turn = 0; turn < repeat; turn += 1) {
        let whole: WholeDays = { days_from: 0, days_to: 0 }
        times.shared.push(
          await timeOf(async () => {
            whole = await readWholeDays(clickhouse, pastDays(own))
          }),
        )
        times.days.push(await read(whole))
        const days = Promise.resolve(await readDays(clickhouse, own, whole))
        times.known.push(await timeOf(() => readPast(clickhouse, own, whole, days)))
        times.observations.push(await read({ days_from: 0, days_to: 0 }))
      }
      const ms = quantile(times.days, 0.5)
      rows[`${count} machines, ${days} days`] = {
        'ms, first of a day': round(ms),
        'least ms': round(Math.min(...times.days)),
        'ms, days known': round(quantile(times.known, 0.5)),
        'ms, what days are whole': round(quantile(times.shared, 0.5)),
        'ms, observations': round(quantile(times.observations, 0.5)),
        'observations ÷ first': round(quantile(times.observations, 0.5) / ms),
      }
    }
  console.table(rows)
  console.log(
    `The target is ${target} ms for 10 machines. Days are known in memory after the first question of a day.`,
  )
}
