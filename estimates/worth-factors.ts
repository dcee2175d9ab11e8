import { type FactorKind, sizedSpecs, type WorthFactor } from '../contract/worth.ts'

/** A machine with its specs and its sums over some days. */
export interface WorthMachine {
  /** GPU name and size of memory: machines are compared within them. */
  group: string
  host: string
  gpus: number
  /** Empty: not known. */
  place: string
  tier: string
  isDatacenter: boolean
  /** Figures of the whole machine; missing or null: not known. */
  specs: Readonly<Record<string, number | boolean | null>>
  days: number
  /** GPUs summed over the slots of the days, and what they cost. */
  rented: number
  avail: number
  paid: number
  asked: number
}

/** A property by which machines are compared. */
export interface Factor {
  kind: FactorKind
  name: string
  unit: WorthFactor['unit']
  /** A figure, or 1 and 0 for machines with it and without it; null: not known. */
  value(machine: WorthMachine): number | null
  /** The machines without it that it is compared with, if these are not all. */
  isCompared?(machine: WorthMachine): boolean
}

/** Specs of a whole machine that are compared per GPU. */
const perGpu: ReadonlySet<string> = new Set(['disk_space', 'cpu_cores_effective', 'cpu_ram'])

const sized: readonly Factor[] = sizedSpecs.map((name) => ({
  kind: 'spec',
  name,
  unit: 'doubling',
  value: ({ specs, gpus }) => {
    const figure = numberOf(specs[name])
    if (figure === null) return null
    // No port is half of one port.
    if (name === 'direct_port_count') return Math.log2(1 + figure)
    return figure > 0 ? Math.log2(perGpu.has(name) ? figure / gpus : figure) : null
  },
}))

const others: readonly Factor[] = [
  {
    kind: 'spec',
    name: 'cuda_max_good',
    unit: 'version',
    value: ({ specs }) => numberOf(specs.cuda_max_good),
  },
  {
    kind: 'spec',
    name: 'static_ip',
    unit: 'yes',
    value: ({ specs: { static_ip: own = null } }) => (own === null ? null : Number(own)),
  },
  { kind: 'hosting', name: 'secure_cloud', unit: 'yes', value: ({ isDatacenter }) => Number(isDatacenter) },
  { kind: 'rig', name: 'num_gpus', unit: 'doubling', value: ({ gpus }) => Math.log2(gpus) },
]

const tiers: readonly Factor[] = ['unverified', 'deverified'].map((name) => ({
  kind: 'tier',
  name,
  unit: 'verified',
  value: ({ tier }) => Number(tier === name),
  isCompared: ({ tier }) => tier === 'verified',
}))

/** The factors by which machines may differ: specs, tiers, and the places where some of them are. */
export function factorsOf(machines: readonly WorthMachine[]): Factor[] {
  const places = [...new Set(machines.map(({ place }) => place))].filter((place) => place !== '').sort()
  return [
    ...sized,
    ...others,
    ...tiers,
    ...places.map(
      (name): Factor => ({
        kind: 'place',
        name,
        unit: 'all_places',
        value: ({ place }) => Number(place === name),
      }),
    ),
  ]
}

const numberOf = (value: number | boolean | null | undefined): number | null =>
  typeof value === 'number' ? value : null
