import { capture, currentSlot } from '../ingest/capture.ts'
import { loadAll } from '../ingest/load.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { quantile, round, timeOf } from './measure.ts'

const terms = 'min_bid, credit_discount_max, storage_cost, inet_up_cost, inet_down_cost'
const [blocks, slotsOfBlock] = [10, 8]

/**
 * Measures the additional cost of listing terms at a slot: blocks of slots with and without them, alternating. The first slot of a block is
 * left out, since all terms change in it.
 */
export async function measureTerms({ postgres, clickhouse }: Stores, interval: number): Promise<void> {
  await postgres.query(
    `CREATE TABLE kept_terms AS SELECT l.id, ${terms}, expires_at, m.id AS machine_id, m.reliability FROM gpu_listings l JOIN machines m ON m.id = l.machine_id`,
  )
  const forget = [
    `UPDATE gpu_listings SET (${terms}, expires_at) = (NULL, NULL, NULL, NULL, NULL, NULL)`,
    'UPDATE machines SET reliability = NULL',
  ]
  const bringBack = [
    `UPDATE gpu_listings l SET (${terms}, expires_at) = (SELECT ${terms}, expires_at FROM kept_terms k WHERE k.id = l.id)`,
    'UPDATE machines m SET reliability = (SELECT max(reliability) FROM kept_terms k WHERE k.machine_id = m.id)',
  ]
  const times = { 'with terms': [] as number[], 'without terms': [] as number[] }
  let slot = await currentSlot(postgres, interval)
  for (let block = 0; block < blocks; block += 1) {
    const has = block % 2 === 0
    for (const text of has ? bringBack : forget) await postgres.query(text)
    await postgres.query('ANALYZE gpu_listings, machines')
    for (let turn = 0; turn < slotsOfBlock; turn += 1) {
      slot += interval
      const ms = await timeOf(async () => {
        await capture(postgres, slot)
        await loadAll({ postgres, clickhouse })
      })
      if (turn > 0) times[has ? 'with terms' : 'without terms'].push(ms)
    }
  }
  const medians = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, quantile(all, 0.5)]))
  const ratio = (medians['with terms'] ?? 0) / (medians['without terms'] ?? 1)
  console.log(`median ms of a slot, captured, loaded and rolled up: ${JSON.stringify(medians)}`)
  console.log(`with ÷ without terms: ${round(ratio)} (target 1.1)`)
}
