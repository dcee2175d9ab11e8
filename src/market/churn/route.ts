import { churnAnswer, churnQuery, type GpuChurn } from '../../../contract/churn.ts'
import { day as secondsPerDay } from '../../../contract/durations.ts'
import { type ClickHouse, selectColumns, selectRows } from '../../../platform/stores/clickhouse.ts'
import { type DaysQuestion, resolveDays } from '../market-query/days.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { byName } from '../market-query/select.ts'
import type { ObservedSpell } from '../survival.ts'
import { lifeOf } from './life.ts'

const description = `How many machines join and leave the market, by day (UTC), and how long they stay. A machine has left when it was not on the
market for seven days. A machine whose GPU name or rig size changes counts as another machine from then on. Days that are not published yet are
omitted (see the price index).`

/** Days of absence after which a machine counts as a new arrival. */
const absentDays = 7
const yearDays = 366
const mostNamesWithLife = 10

export const churnRoute = marketRoute({
  path: 'churn',
  operationId: 'getGpuChurn',
  summary: 'Machines that join and leave the market',
  description,
  query: churnQuery,
  answer: churnAnswer,
  resolve: resolveDays,
  open:
    ({ clickhouse }) =>
    async (question) => ({ gpus: await queryChurn(clickhouse, question) }),
})

/** Machines with the same first and last day, in unix seconds. */
export interface Spell {
  gpu_name: string
  began: number
  ended: number
  machines: number
  gpus: number
}

async function queryChurn(clickhouse: ClickHouse, { names, known, from, to }: DaysQuestion) {
  const hasLife = known.length <= mostNamesWithLife
  const back = (hasLife ? yearDays : 0) + absentDays + 1
  const wide = { from: Math.max(0, from - back * secondsPerDay), to: to + (absentDays + 1) * secondsPerDay }
  const [daily, spells, { day: marketDays }] = await Promise.all([
    selectRows<{ gpu_name: string; day: number; machines: number; gpus: number }>(clickhouse, 'churn/days', {
      names: known,
      from,
      to,
    }),
    selectRows<Spell>(clickhouse, 'churn/spells', { names: known, ...wide }),
    selectColumns<{ day: number[] }>(clickhouse, 'churn/market_days', wide),
  ])
  const hasSlots = new Set(marketDays)
  const gpus = byName(names, (name): GpuChurn => {
    const timestamps = marketDays.filter((day) => day >= from && day < to)
    const own = spells.filter(({ gpu_name }) => gpu_name === name)
    return {
      timestamps: own.length > 0 ? timestamps : [],
      machines: [],
      gpus: [],
      ...comings(own.length > 0 ? timestamps : [], own, hasSlots),
      life: hasLife ? lifeOf(watch(own, hasSlots, { from, to })) : null,
    }
  })
  const countOf = new Map(daily.map((row) => [`${row.day} ${row.gpu_name}`, row]))
  for (const [name, gpu] of Object.entries(gpus))
    for (const day of gpu.timestamps) {
      const count = countOf.get(`${day} ${name}`)
      gpu.machines.push(count?.machines ?? 0)
      gpu.gpus.push(count?.gpus ?? 0)
    }
  return gpus
}

/** True if the market has slots on each of the seven days next to a day: before it (-1) or after it (1). */
const isKnown = (hasSlots: ReadonlySet<number>, day: number, side: -1 | 1): boolean =>
  Array.from({ length: absentDays }, (_, index) => day + side * (index + 1) * secondsPerDay).every((other) =>
    hasSlots.has(other),
  )

function comings(timestamps: readonly number[], spells: readonly Spell[], hasSlots: ReadonlySet<number>) {
  const count = (edge: 'began' | 'ended', what: 'machines' | 'gpus') => {
    const sums = new Map<number, number>()
    for (const spell of spells) sums.set(spell[edge], (sums.get(spell[edge]) ?? 0) + spell[what])
    return timestamps.map((day) =>
      isKnown(hasSlots, day, edge === 'began' ? -1 : 1) ? (sums.get(day) ?? 0) : null,
    )
  }
  return {
    arrived: count('began', 'machines'),
    arrived_gpus: count('began', 'gpus'),
    left: count('ended', 'machines'),
    left_gpus: count('ended', 'gpus'),
  }
}

/** The spells with a known beginning, cut to a range. */
export function watch(
  spells: readonly Spell[],
  hasSlots: ReadonlySet<number>,
  { from, to }: { from: number; to: number },
): ObservedSpell[] {
  return spells
    .filter(({ began, ended }) => began < to && ended >= from && isKnown(hasSlots, began, -1))
    .map(({ began, ended, machines }) => {
      const last = Math.min(ended, to - secondsPerDay)
      return {
        from: Math.max(0, from - began) / secondsPerDay,
        to: (last - began) / secondsPerDay + 1,
        happened: ended < to && isKnown(hasSlots, ended, 1),
        subjects: machines,
      }
    })
}
