import type { PooledRig } from './effects.ts'
import type { FlowCell, HeldCell, PooledMarket, SnapshotCell } from './terms.ts'

/** A machine as counted. With another rig size or GPU name it is a new machine. */
export interface CountedMachine {
  id: number
  gpu_name: string
  /** GB per GPU; 0: unknown. */
  gpu_memory: number
  num_gpus: number
  verified: boolean
  hosting_type: string
}

/** Counts of a machine in a band of the share of cheaper GPUs. Sums are weighted by exposure. */
export interface CellRow extends CountedMachine {
  /** Twentieth of the share; 20: nothing of the machine was available. */
  band: number
  /** GPU-seconds available, and sums of share, ln price ÷ median, and times over them. */
  exposed_seconds: number
  share: number
  dearness: number
  cosine: number
  sine: number
  weekend: number
  /** Rentals between two slots, and their squares. */
  rented_gpus: number
  rented_squares: number
  held_seconds: number
  returned_gpus: number
}

/** A machine at the first slot. */
export interface SnapshotRow extends CountedMachine {
  free: number
  rented: number
  share: number
  dearness: number
}

/** Bands of the share of cheaper GPUs. */
export const bands = 20

export const productKey = ({
  gpu_name,
  gpu_memory,
}: Pick<CountedMachine, 'gpu_name' | 'gpu_memory'>): string => `${gpu_memory} ${gpu_name}`

export const machineKey = ({
  id,
  num_gpus,
  gpu_name,
}: Pick<CountedMachine, 'id' | 'num_gpus' | 'gpu_name'>): string => `${id} ${num_gpus} ${gpu_name}`

/** A market with the indexes of its machines and products. */
export interface CountedMarket {
  market: PooledMarket
  /** Keyed by machineKey. */
  machines: ReadonlyMap<string, number>
  /** Keyed by productKey. */
  products: ReadonlyMap<string, number>
}

/** The market of some counts, of one day or several. */
export function marketOf(cells: readonly CellRow[], snapshot: readonly SnapshotRow[]): CountedMarket {
  const machines = new Map<string, number>()
  const products = new Map<string, number>()
  const rigs: PooledRig[] = []
  const indexOf = (row: CountedMachine): number => {
    const product = products.get(productKey(row)) ?? products.size
    products.set(productKey(row), product)
    const machine = machines.get(machineKey(row)) ?? machines.size
    machines.set(machineKey(row), machine)
    // The newest row decides about its class.
    rigs[machine] = rigOf(row, product)
    return machine
  }
  const flows = new Map<string, FlowCell>()
  const held = new Map<number, HeldCell>()
  const together = new Map<number, { gpus: number; squares: number }>()
  for (const row of cells) {
    const machine = indexOf(row)
    add(flows, held, { row, machine })
    const { gpus, squares } = together.get(row.num_gpus) ?? { gpus: 0, squares: 0 }
    together.set(row.num_gpus, { gpus: gpus + row.rented_gpus, squares: squares + row.rented_squares })
  }
  const first = snapshot.map((row): SnapshotCell => {
    const { free, rented, share, dearness } = row
    return { machine: indexOf(row), free, rented, share, dearness }
  })
  const sizes = [...new Set(rigs.map(({ gpus }) => gpus))].sort((a, b) => a - b)
  const market: PooledMarket = {
    products: products.size,
    rigs: sizes,
    machines: rigs,
    flows: [...flows.values()].map(meansOf),
    held: [...held.values()],
    snapshot: first,
    together,
  }
  return { market, machines, products }
}

export const rigOf = (
  { num_gpus, verified, hosting_type }: Pick<CountedMachine, 'num_gpus' | 'verified' | 'hosting_type'>,
  product: number,
): PooledRig => ({
  product,
  gpus: num_gpus,
  verified,
  secure: hosting_type === 'unknown' ? null : hosting_type === 'secure_cloud',
})

const weighted = ['share', 'dearness', 'cosine', 'sine', 'weekend'] as const

/** Adds a row to the sums of its machine and band. */
function add(
  flows: Map<string, FlowCell>,
  held: Map<number, HeldCell>,
  { row, machine }: { row: CellRow; machine: number },
): void {
  const before = held.get(machine) ?? { machine, held: 0, returns: 0 }
  const hours = before.held + row.held_seconds / 3600
  if (hours > 0) held.set(machine, { machine, held: hours, returns: before.returns + row.returned_gpus })
  if (row.band >= bands) return
  const key = `${machine} ${row.band}`
  const cell = flows.get(key)
  const next: FlowCell = {
    machine,
    exposure: (cell?.exposure ?? 0) + row.exposed_seconds / 3600,
    rentals: (cell?.rentals ?? 0) + row.rented_gpus,
    share: 0,
    dearness: 0,
    cosine: 0,
    sine: 0,
    weekend: 0,
  }
  for (const name of weighted) next[name] = (cell?.[name] ?? 0) + row[name] / 3600
  flows.set(key, next)
}

/** Means instead of sums over the exposure. */
function meansOf(cell: FlowCell): FlowCell {
  const means = { ...cell }
  for (const name of weighted) means[name] = cell[name] / cell.exposure
  return means
}
