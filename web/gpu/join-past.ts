import type { z } from 'zod'
import { floorTo } from '../../contract/ladder.ts'
import type { OfficialHistory, officialAnswer } from '../../contract/official.ts'
import type { History } from '../api/history.ts'

/** The history with the official points of each GPU name before the first own bucket. */
export function joinPast(
  history: History,
  { before, gpus: official }: z.infer<typeof officialAnswer>,
): History {
  const until = before === null ? Number.POSITIVE_INFINITY : floorTo(history.step, before)
  let isOfficial = false
  const gpus = Object.fromEntries(
    Object.entries(history.gpus).map(([name, own]) => {
      const past = Object.hasOwn(official, name) ? official[name] : undefined
      const points = past?.pricing.timestamps.filter((time) => time < until).length ?? 0
      if (!past || points === 0) return [name, own]
      isOfficial = true
      return [
        name,
        {
          ...own,
          supply_demand: { ...joined(past.supply_demand, own.supply_demand, points), bucket_size: 1 },
          pricing: joined(past.pricing, own.pricing, points),
        },
      ]
    }),
  )
  return isOfficial ? { ...history, gpus, officialBefore: before ?? history.end } : history
}

type Series = Omit<OfficialHistory['supply_demand'], 'bucket_size'> | OfficialHistory['pricing']

/** The first `points` of the past, and then the own values, figure by figure. */
const joined = <Figures extends Series>(past: Figures, own: Figures, points: number): Figures =>
  Object.fromEntries(
    Object.entries(own).map(([figure, values]) => [
      figure,
      Array.isArray(values)
        ? [...(past[figure as keyof Figures] as unknown[]).slice(0, points), ...values]
        : values,
    ]),
  ) as Figures
