import { groupBy } from '../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { endsOf } from './measure.ts'

/** Seconds of MARKET_DELAY that are measured. */
const delay = 3600
const windows = { '7 days': 7 * 86_400, '1 day': 86_400, '1 hour': 3600 }

/** A price in the books of a class, with the GPUs available at it, by slot. */
interface Ask {
  class: string
  rig: number
  price: number
  gpus: number[]
}

interface SlotCounts {
  class: string
  slots: number[]
  gpus: number[]
}

/** The machine of a class that first offered all of its GPUs at a price, and the slot of that. */
interface Holder {
  id: number
  class: string
  price: number
  at: number
}

const classText = `concat(gpu_name, ' ', toString(verified), ' ', toString(hosting_type), ' ', toString(num_gpus), ' ', toString(gpu_memory))`

/**
 * Follows machines by their asks from slot to slot, with the counts of rented GPUs of their class, and compares the income that an
 * observer infers with the true one: with the newest slot, and with the slot of an hour before, after which the state is taken to stay.
 * The observer has the books and counts that the API shows to every host. Ids of machines are used for the comparison only.
 */
export async function measurePrivacy(clickhouse: ClickHouse, interval: number) {
  const ends = await endsOf(clickhouse)
  if (!ends) throw new Error('the market has no slots')
  const from = ends.first
  const slots = Array.from(
    { length: (ends.newest - from) / interval + 1 },
    (_, index) => from + index * interval,
  )
  const asks = await readAsks(clickhouse, slots)
  const rented = await readRented(clickhouse, slots)
  const ofClass = groupBy(asks, (ask) => ask.class)
  const late = slots.filter((slot) => slot <= ends.newest - delay).length
  const holders = new Map(
    (await readHolders(clickhouse)).map(({ class: name, price, at, id }) => [`${name} ${price} ${at}`, id]),
  )
  const all = asks.flatMap((ask) => {
    const observed = { asks: ofClass.get(ask.class) ?? [], rented: rented.get(ask.class) ?? [] }
    const start = ask.gpus.indexOf(ask.rig)
    const id = holders.get(`${ask.class} ${ask.price} ${slots[start]}`)
    const now = id === undefined ? undefined : follow(ask, observed, start)
    return id !== undefined && now ? [{ id, start, now, late: now.slice(0, late) }] : []
  })
  // Each machine once, from the first slot on at which it is followed.
  const found = [...new Map(all.sort((a, b) => b.start - a.start).map((one) => [one.id, one])).values()]
  const rows: Record<string, Record<string, number>> = {}
  for (const [name, seconds] of Object.entries(windows)) {
    const truth = await readIncome(clickhouse, { after: ends.newest - seconds, interval })
    const first = Math.max(1, slots.length - Math.floor(seconds / interval))
    const range = { first, interval, count: slots.length }
    const isExact = (lots: readonly Lot[][], id: number) =>
      Math.abs(incomeOf(lots, range) - (truth.get(id) ?? 0)) < 0.005
    const followed = found.filter(({ start }) => start < first)
    const changed = followed.filter(({ now }) => new Set(now.slice(late - 1)).size > 1)
    rows[name] = {
      followed: followed.length,
      exact: followed.filter((one) => isExact(one.now, one.id)).length,
      'exact an hour late': followed.filter((one) => isExact(one.late, one.id)).length,
      'changed in the last hour': changed.length,
      'of them exact': changed.filter((one) => isExact(one.now, one.id)).length,
      'of them exact an hour late': changed.filter((one) => isExact(one.late, one.id)).length,
    }
  }
  console.table(rows)
  return rows
}

/** A class of machines as an observer sees it. */
interface Observed {
  asks: Ask[]
  /** Rented GPUs by slot. */
  rented: number[]
}

/** GPUs that were rented at a price. */
interface Lot {
  price: number
  gpus: number
}

/**
 * The GPUs of one machine that an observer takes for rented, by slot, from a slot at which none was. undefined: its ask is lost
 * among others.
 */
function follow(ask: Ask, { asks, rented }: Observed, start: number): Lot[][] | undefined {
  let at = ask
  let lots: Lot[] = []
  const found: Lot[][] = Array.from({ length: start + 1 }, () => lots)
  for (let index = start + 1; index < ask.gpus.length; index += 1) {
    const change = changeAt(at, index)
    if (change !== 0) {
      const changes = asks.map((one) => changeAt(one, index))
      const sum = changes.reduce((total, one) => total + one, 0)
      const opposite = asks.filter((_, place) => changes[place] === -change)
      const isAlone = opposite.length === 0
      const [repriced] = opposite
      const isWhole = sum === (rented[index - 1] ?? 0) - (rented[index] ?? 0)
      if (isAlone && isWhole)
        lots = change < 0 ? [...lots, { price: at.price, gpus: -change }] : returned(lots, change)
      // The price of what is free changed.
      else if (repriced && opposite.length === 1 && change < 0 && (at.gpus[index] ?? 0) === 0) at = repriced
      else return undefined
    }
    if ((at.gpus[index] ?? 0) > at.rig) return undefined
    found.push(lots)
  }
  return found
}

const changeAt = ({ gpus }: Ask, index: number): number => (gpus[index] ?? 0) - (gpus[index - 1] ?? 0)

/** The lots without some GPUs: the newest rentals end first. */
function returned(lots: readonly Lot[], gpus: number): Lot[] {
  let left = gpus
  return lots
    .toReversed()
    .flatMap((lot) => {
      const taken = Math.min(left, lot.gpus)
      left -= taken
      return lot.gpus > taken ? [{ ...lot, gpus: lot.gpus - taken }] : []
    })
    .toReversed()
}

/** The income of the slots from `first` to `count`. After the last known slot the state is taken to stay. */
function incomeOf(
  lots: readonly Lot[][],
  { first, interval, count }: { first: number; interval: number; count: number },
): number {
  let paid = 0
  for (let index = first; index < count; index += 1)
    for (const { price, gpus } of lots[index] ?? lots.at(-1) ?? []) paid += price * gpus
  return (paid * interval) / 3600
}

async function readAsks(clickhouse: ClickHouse, slots: readonly number[]): Promise<Ask[]> {
  const rows = await selectRows<SlotCounts & { rig: number; price: number }>(
    clickhouse,
    `SELECT class, rig, price, groupArray(at) AS slots, groupArray(free) AS gpus
     FROM (
       SELECT ${classText} AS class, num_gpus AS rig, toFloat64(price) AS price, toUnixTimestamp(slot) AS at, toUInt32(sum(gpus)) AS free
       FROM observations WHERE NOT rented AND slot >= toDateTime({from:UInt32}, 'UTC') GROUP BY class, rig, price, at ORDER BY at
     )
     GROUP BY class, rig, price`,
    { from: slots[0] ?? 0 },
  )
  return rows.map(({ slots: at, gpus, ...ask }) => ({ ...ask, gpus: bySlot(slots, { at, gpus }) }))
}

async function readRented(clickhouse: ClickHouse, slots: readonly number[]): Promise<Map<string, number[]>> {
  const rows = await selectRows<SlotCounts>(
    clickhouse,
    `SELECT class, groupArray(at) AS slots, groupArray(busy) AS gpus
     FROM (
       SELECT ${classText} AS class, toUnixTimestamp(slot) AS at, toUInt32(sumIf(gpus, rented)) AS busy
       FROM observations WHERE slot >= toDateTime({from:UInt32}, 'UTC') GROUP BY class, at ORDER BY at
     )
     GROUP BY class`,
    { from: slots[0] ?? 0 },
  )
  return new Map(rows.map(({ class: name, slots: at, gpus }) => [name, bySlot(slots, { at, gpus })]))
}

function bySlot(slots: readonly number[], { at, gpus }: { at: number[]; gpus: number[] }): number[] {
  const known = new Map(at.map((slot, index) => [slot, gpus[index] ?? 0]))
  return slots.map((slot) => known.get(slot) ?? 0)
}

const readHolders = (clickhouse: ClickHouse): Promise<Holder[]> =>
  selectRows(
    clickhouse,
    `SELECT class, toFloat64(price) AS price, argMin(machine, seen) AS id, min(seen) AS at
     FROM (
       SELECT ${classText} AS class, machine_id AS machine, price, toUnixTimestamp(slot) AS seen
       FROM observations WHERE NOT rented AND gpus = num_gpus
     )
     GROUP BY class, price`,
  )

async function readIncome(
  clickhouse: ClickHouse,
  { after, interval }: { after: number; interval: number },
): Promise<Map<number, number>> {
  const rows = await selectRows<{ id: number; income: number }>(
    clickhouse,
    `SELECT machine_id AS id, sumIf(toFloat64(price) * gpus, rented) * {interval:UInt32} / 3600 AS income
     FROM observations WHERE slot > toDateTime({after:UInt32}, 'UTC') GROUP BY id`,
    { after, interval },
  )
  return new Map(rows.map(({ id, income }) => [id, income]))
}
