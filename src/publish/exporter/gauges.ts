import { Gauge, Registry } from 'prom-client'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesState } from '../../market/market-query/series.ts'

type YesNo = 'yes' | 'no' | 'any'
/** p10, median and p90; empty: they would be of few rented GPUs. */
type Prices = [] | [p10: number, median: number, p90: number]

interface PriceRow {
  gpu_name: string
  verified: YesNo
  datacenter: YesNo
  gpu_count_range: string
  /** Rented GPUs, the others, or both. */
  rented_or_any: YesNo
  gpu_count: number
  prices: Prices
}

interface GpuRow {
  gpu_name: string
  vram: number | null
  tflops: number | null
  dlperf: number | null
}

/** The market of a slot as Prometheus metrics. Names and labels match the dashboards that hosts already use. */
export async function marketGauges(
  clickhouse: ClickHouse,
  { newest_slot: slot, is_own, has_rentals }: Pick<SeriesState, 'newest_slot' | 'is_own' | 'has_rentals'>,
): Promise<string> {
  const asked = { own: Number(is_own), slot }
  const [prices, perDlperf, gpus] = await Promise.all([
    selectRows<PriceRow>(clickhouse, 'exporter/prices', asked),
    selectRows<Pick<PriceRow, 'verified' | 'rented_or_any' | 'prices'>>(
      clickhouse,
      'exporter/per_dlperf',
      asked,
    ),
    selectRows<GpuRow>(clickhouse, 'exporter/gpus', { slot }),
  ])
  const registry = new Registry()
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  gauge(
    'rackrate_market_slot_timestamp_seconds',
    'The slot that the market metrics are of, unix seconds',
    [],
  ).set(slot)
  const isKnown = ({ rented_or_any }: Pick<PriceRow, 'rented_or_any'>) =>
    has_rentals || rented_or_any === 'no'
  const known = prices.filter(isKnown)
  const states = has_rentals ? (['yes', 'no'] as const) : (['no'] as const)
  addPrices(
    gauge,
    known.filter(({ datacenter }) => datacenter === 'any'),
    states,
  )
  addClasses(
    gauge,
    known.filter(({ datacenter }) => datacenter !== 'any'),
    states,
  )
  const score = pricesGauge(
    gauge,
    'vastai_ondemand_price_per_100dlperf',
    ['p10', 'p90'],
    ['verified', 'rented'],
  )
  for (const { prices, verified, rented_or_any: rented } of perDlperf.filter(isKnown))
    score({ verified, rented }, prices)
  addInfo(gauge, gpus)
  return registry.metrics()
}

type MakeGauge = <Label extends string>(name: string, help: string, labelNames: Label[]) => Gauge<Label>

/** The three gauges of a price. The names of the percentiles differ between the prices. */
function pricesGauge<Label extends string>(
  gauge: MakeGauge,
  prefix: string,
  [low, high]: [string, string],
  labelNames: Label[],
) {
  const of = (name: string, what: string) =>
    gauge(`${prefix}_${name}_dollars`, `${what} price, USD per GPU-hour, weighted by GPUs`, labelNames)
  const gauges = [of(low, '10th percentile'), of('median', 'Median'), of(high, '90th percentile')]
  return (labels: Record<Label, string>, prices: Prices) => {
    for (const [index, price] of prices.entries()) gauges[index]?.set(labels, price)
  }
}

const percentiles: [string, string] = ['10th_percentile', '90th_percentile']

function addPrices(gauge: MakeGauge, rows: PriceRow[], states: readonly YesNo[]): void {
  const labelNames = ['gpu_name', 'verified', 'rented'] as const
  const count = gauge('vastai_gpu_count', 'GPUs on the market', [...labelNames])
  const price = pricesGauge(gauge, 'vastai_ondemand_price', percentiles, [...labelNames])
  // A name on the market has all four counts, or two where rentals are not known.
  for (const gpu_name of new Set(rows.map((row) => row.gpu_name)))
    for (const verified of ['yes', 'no'])
      for (const rented of states) count.set({ gpu_name, verified, rented }, 0)
  for (const { gpu_name, verified, rented_or_any: rented, gpu_count, prices } of rows) {
    if (verified !== 'any' && rented !== 'any') count.set({ gpu_name, verified, rented }, gpu_count)
    price({ gpu_name, verified, rented }, prices)
  }
}

function addClasses(gauge: MakeGauge, rows: PriceRow[], states: readonly YesNo[]): void {
  const labelNames = ['gpu_name', 'verified', 'datacenter', 'gpu_count_range', 'rented'] as const
  const count = gauge('vastai_v2_gpu_count', 'GPUs on the market, by class of machines', [...labelNames])
  const price = pricesGauge(gauge, 'vastai_v2_ondemand_price', percentiles, [...labelNames])
  for (const { gpu_count: _, prices: __, rented_or_any: ___, ...labels } of rows)
    for (const rented of states) count.set({ ...labels, rented }, 0)
  for (const { gpu_count, prices, rented_or_any: rented, ...labels } of rows) {
    count.set({ ...labels, rented }, gpu_count)
    price({ ...labels, rented }, prices)
  }
}

function addInfo(gauge: MakeGauge, gpus: GpuRow[]): void {
  const vramGauge = gauge('vastai_gpu_vram_gigabytes', 'Memory of a GPU', ['gpu_name'])
  const tflopsGauge = gauge('vastai_gpu_teraflops', 'TFLOPS of a GPU, 90th percentile', ['gpu_name'])
  const dlperfGauge = gauge('vastai_gpu_dlperf_score', 'Deep-learning score of a GPU, 90th percentile', [
    'gpu_name',
  ])
  for (const { gpu_name, vram, tflops, dlperf } of gpus) {
    if (vram !== null) vramGauge.set({ gpu_name }, vram)
    if (tflops !== null) tflopsGauge.set({ gpu_name }, tflops)
    if (dlperf !== null) dlperfGauge.set({ gpu_name }, dlperf)
  }
}
