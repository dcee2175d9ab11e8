import type { WorthAnswer, WorthFactor } from '../../contract/worth.ts'
import { csvRows } from '../files.ts'
import { change, counted } from '../format.ts'
import { placeName } from '../where/places.ts'

const specNames: Record<string, string> = {
  inet_up: 'Upload',
  inet_down: 'Download',
  disk_bw: 'Speed of the disk',
  disk_space: 'Disk per GPU',
  cpu_cores_effective: 'Threads per GPU',
  cpu_ram: 'Memory per GPU',
  pcie_bw: 'PCIe bandwidth',
  gpu_mem_bw: 'Bandwidth of GPU memory',
  direct_port_count: 'Open ports',
  cuda_max_good: 'CUDA version',
  static_ip: 'Static address',
  secure_cloud: 'Data center',
  num_gpus: 'GPUs of the rig',
}

const units: Record<WorthFactor['unit'], string> = {
  doubling: 'twice as much',
  version: 'one version more',
  yes: 'with it',
  all_places: 'beside all places',
  verified: 'beside verified machines',
}

/** The name of a factor with its comparison. */
export function factorName({ kind, name, unit }: WorthFactor): string {
  const subject =
    kind === 'place' ? placeName(name) : kind === 'tier' ? `Tier ${name}` : (specNames[name] ?? name)
  return `${subject}, ${units[unit]}`
}

/** The factors that renters pay for, or that are rented sooner or later. */
export const namedIn = (answer: WorthAnswer | undefined): WorthFactor[] =>
  (answer?.factors ?? []).filter(({ price, fill }) => price.value !== null || fill.value !== null)

/** A share with its interval. */
export const withEnds = ({ value, low, high }: WorthFactor['price']): string | null =>
  value === null ? null : `${change(value)} (${change(low)} to ${change(high)})`

const reasons = {
  few_machines: 'Too few machines are alike enough to compare.',
  few_hosts: 'Too few hosts have such machines.',
  no_rentals_known: 'This market does not report which GPUs are rented.',
  young_market: 'This needs seven whole days of snapshots.',
}

/** One sentence in place of a table. */
export const withoutWorth = ({ reason, machines }: WorthAnswer): string =>
  reason ? reasons[reason] : `Nothing stands out among ${counted(machines, 'machine')}.`

const csvColumns = ['kind', 'name', 'unit', 'machines', 'hosts'] as const

/** All factors with their figures, also where an interval contains 0. */
export const worthCsv = ({ factors }: WorthAnswer): Blob =>
  new Blob([
    csvRows([
      [
        ...csvColumns,
        'price',
        'price_low',
        'price_high',
        'price_reason',
        'fill',
        'fill_low',
        'fill_high',
        'fill_reason',
      ],
      ...factors.map(({ price, price_reason, fill, fill_reason, ...factor }) => [
        ...csvColumns.map((name) => factor[name]),
        price.value,
        price.low,
        price.high,
        price_reason,
        fill.value,
        fill.low,
        fill.high,
        fill_reason,
      ]),
    ]),
  ])
