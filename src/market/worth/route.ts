import { day } from '../../../contract/durations.ts'
import { sameName } from '../../../contract/gpu-names.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { regionOf } from '../../../contract/regions.ts'
import { sizedSpecs, type WorthQuery, worthAnswer, worthQuery } from '../../../contract/worth.ts'
import { worthOf } from '../../../estimates/worth.ts'
import type { WorthMachine } from '../../../estimates/worth-factors.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { marketRoute } from '../market-query/market-route.ts'
import {
  type PublishedQuestion,
  publishedBefore,
  readPublished,
  whyNoIncomes,
} from '../market-query/published.ts'

const description = `What specs, places and tiers of machines are worth: by how much the price of rented GPUs, and the rate of rentals at the same price, differ
between machines of one GPU type and size of memory, with simultaneous 95 % intervals. Of the 30 days before the newest published day.
Observed, not caused: machines may differ in what is not recorded. A worth whose interval contains 0 is null.`

const longest = 30

type WorthQuestion = WorthQuery & PublishedQuestion

const nothing = { machines: 0, hosts: 0, factors: [] }

/** GET /api/v0/metrics/gpu/worth */
export const worthRoute = marketRoute({
  path: 'worth',
  operationId: 'getGpuWorth',
  summary: 'Worth of specs, places and tiers',
  description,
  query: worthQuery,
  answer: worthAnswer,
  withoutMachine: { ...nothing, to: null, days: 0, reason: null },
  lasts: day,
  resolve: (query, moment): WorthQuestion => ({
    ...query,
    gpu_name: moment.names.find(({ name }) => sameName(name, query.gpu_name))?.name ?? query.gpu_name,
    ...publishedBefore(moment, longest),
  }),
  open:
    ({ clickhouse }) =>
    async (question) => {
      const { to, days } = await readPublished(clickhouse, question, longest)
      const found = { to: to || null, days }
      const reason = whyNoIncomes(days, question.hasRentals)
      if (reason) return { ...found, ...nothing, reason }
      return { ...found, ...worthOf(await readMachines(clickhouse, question, to)) }
    },
})

interface Row extends Pick<WorthMachine, 'days' | 'rented' | 'avail' | 'paid' | 'asked'> {
  gpu_name: string
  memory: number
  rig: number
  host: unknown
  is_verified: boolean | number
  is_datacenter: boolean | number
  country: string
  tier: string
  specs: (number | boolean | null)[]
}

/** The specs of a row, in the order of worth/machines. */
const specsOfRow = [...sizedSpecs, 'cuda_max_good', 'static_ip']

async function readMachines(
  clickhouse: ClickHouse,
  { gpu_name, by, ...question }: WorthQuestion,
  to: number,
): Promise<WorthMachine[]> {
  const rows = await selectRows<Row>(clickhouse, 'worth/machines', {
    ...filterOf(question),
    gpu_name: gpu_name.toLowerCase() === 'all' ? '' : gpu_name,
    to,
  })
  return rows.map(
    ({ gpu_name, memory, rig, host, is_verified, is_datacenter, country, tier, specs, ...sums }) => ({
      ...sums,
      group: `${gpu_name} ${memory}`,
      host: JSON.stringify(host),
      gpus: rig,
      place: by === 'country' ? country : (regionOf.get(country) ?? ''),
      // Days before tiers were recorded tell verified machines apart.
      tier: is_verified ? 'verified' : tier,
      isDatacenter: Boolean(is_datacenter),
      specs: Object.fromEntries(specsOfRow.map((name, index) => [name, specs[index] ?? null])),
    }),
  )
}
