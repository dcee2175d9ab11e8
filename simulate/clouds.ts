import { day } from '../contract/durations.ts'
import { floorTo } from '../contract/ladder.ts'
import {
  type CatalogOffer,
  changesSince,
  type KnownPrices,
  type ListPriceChange,
  writeChanges,
} from '../ingest/list-prices.ts'
import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import { catalog as gpuTypes, type SimulatedGpu } from './gpu-types.ts'
import { type Random, seededFor } from './random.ts'

interface Cloud {
  name: string
  regions: readonly string[]
  /** Its on-demand price, as a multiple of the market's. */
  factor: number
  /** GPUs of an instance. */
  sizes: readonly number[]
  gpus: readonly string[]
}

const clouds: readonly Cloud[] = [
  {
    name: 'altostratus',
    regions: ['us-east-1', 'eu-west-1'],
    factor: 4.1,
    sizes: [8],
    gpus: ['B200', 'H200', 'H100 SXM', 'A100 SXM4', 'L40S', 'L4', 'A10', 'Tesla V100', 'Tesla T4'],
  },
  {
    name: 'bluecirrus',
    regions: ['westeurope', 'eastus2'],
    factor: 4.5,
    sizes: [1, 8],
    gpus: ['H200', 'H100 NVL', 'H100 SXM', 'A100 PCIE', 'A10', 'Tesla T4'],
  },
  {
    name: 'cumulant',
    regions: ['us-1', 'eu-1'],
    factor: 2.3,
    sizes: [1, 8],
    gpus: ['B200', 'H200', 'H100 SXM', 'A100 SXM4', 'A40', 'L40S', 'RTX A6000', 'RTX 6000Ada'],
  },
  {
    name: 'driftcloud',
    regions: ['fi-1', 'is-1'],
    factor: 1.9,
    sizes: [1, 4],
    gpus: [
      'H100 SXM',
      'A100 PCIE',
      'L40S',
      'L40',
      'RTX A6000',
      'RTX A5000',
      'RTX 5090',
      'RTX 4090',
      'RTX 3090',
    ],
  },
]

/** The offers of one cloud at a time: on-demand prices are cut now and then, spot prices move every day. */
function offersAt(seed: number, cloud: Cloud, time: number): CatalogOffer[] {
  return cloud.gpus.flatMap((name) => {
    const gpu = gpuTypes.find((one) => one.name === name)
    return gpu ? cloud.regions.flatMap((region) => offersOf(seed, { cloud, gpu, region }, time)) : []
  })
}

interface Listed {
  cloud: Cloud
  gpu: SimulatedGpu
  region: string
}

function offersOf(seed: number, { cloud, gpu, region }: Listed, time: number): CatalogOffer[] {
  const index = hashOf(`${cloud.name} ${gpu.name} ${region}`)
  const random = seededFor(seed, index)
  const usual = gpu.price * cloud.factor * between(random, 0.92, 1.12)
  const cutAt = between(random, 5, 40) * day
  const cut = between(random, 0.82, 0.95)
  const onDemand = time % cutEvery < cutAt ? usual : usual * cut
  const spot = usual * between(seededFor(seed + Math.floor(time / day), index), 0.42, 0.62)
  return cloud.sizes.flatMap((gpus) =>
    [onDemand, spot].map((price, kind) => ({
      region,
      instance_name: `${gpu.name.toLowerCase().replaceAll(' ', '-')}.${gpus}x`,
      listed_name: gpu.name,
      memory: gpu.ram / 1024,
      gpus,
      spot: kind === 1,
      usd: Math.round(price * gpus * 1000) / 1000,
    })),
  )
}

const cutEvery = 45 * day

const between = (random: Random, from: number, to: number): number => from + (to - from) * random()

const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 7)

const name = 'simulated'

/** Clouds of a simulated market, as a catalog that is read every hour. The clouds are invented. */
export const simulatedCatalog = (seed: number) => ({
  name,
  providers: clouds.map((cloud) => cloud.name),
  placeOf: () => name,
  read: async (provider: string, { clock }: { clock: { now(): number } }) => ({
    offers: clouds
      .filter((cloud) => cloud.name === provider)
      .flatMap((cloud) => offersAt(seed, cloud, clock.now())),
    leftOut: {},
    leftOutRows: [],
    validators: {},
  }),
})

/** Writes the list prices of the past, one reading a day from `from` to `to` (unix seconds). */
export async function seedClouds(
  clickhouse: ClickHouse,
  { seed, from, to }: { seed: number; from: number; to: number },
): Promise<void> {
  const changes: ListPriceChange[] = []
  for (const cloud of clouds) {
    const known: KnownPrices = {
      catalog: name,
      provider: cloud.name,
      byOffer: new Map(),
      changed: 0,
      held: new Map(),
    }
    for (let time = floorTo(day, from); time < to; time += day)
      changes.push(...changesSince(known, offersAt(seed, cloud, time), time))
  }
  await writeChanges(clickhouse, changes)
}
