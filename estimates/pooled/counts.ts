import { hour } from '../../contract/durations.ts'
import type { PooledRig } from './effects.ts'
import type { Steps } from './steps.ts'
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

/** Rows that are counted in a step. */
const rowsAtOnce = 5000

/** The market of some counts, of one day or several. */
export function* marketOf(cells: readonly CellRow[], snapshot: readonly SnapshotRow[]): Steps<CountedMarket> {
  const machines = new Map<string, number>()
  const products = new Map<string, number>()
  const rigs: PooledRig[] = []
  const indexOf = (row: CountedMachine): number => {
    const [ofProduct, ofMachine] = [productKey(row), machineKey(row)]
    const product = products.get(ofProduct) ?? products.size
    products.set(ofProduct, product)
    const machine = machines.get(ofMachine) ?? machines.size
    machines.set(ofMachine, machine)
    // The newest row decides about its class.
    rigs[machine] = rigOf(row, product)
    return machine
  }
  const flows = new Map<number, FlowCell>()
  const held = new Map<number, HeldCell>()
  const together = new Map<number, { gpus: number; squares: number }>()
  for (const [index, row] of cells.entries()) {
    if (index % rowsAtOnce === 0) yield
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
  flows: Map<number, FlowCell>,
  held: Map<number, HeldCell>,
  { row, machine }: { row: CellRow; machine: number },
): void {
  const { held_seconds, returned_gpus, band } = row
  if (held_seconds > 0) {
    const sum = held.get(machine) ?? { machine, held: 0, returns: 0 }
    held.set(machine, sum)
    sum.held += held_seconds / hour
    sum.returns += returned_gpus
  }
  if (band >= bands) return
  const key = machine * bands + band
  const sum = flows.get(key) ?? nothingIn(machine)
  flows.set(key, sum)
  sum.exposure += row.exposed_seconds / hour
  sum.rentals += row.rented_gpus
  for (const name of weighted) sum[name] += row[name] / hour
}

const nothingIn = (machine: number): FlowCell => ({
  machine,
  exposure: 0,
  rentals: 0,
  share: 0,
  dearness: 0,
  cosine: 0,
  sine: 0,
  weekend: 0,
})

/** Means instead of sums over the exposure. */
function meansOf(cell: FlowCell): FlowCell {
  const means = { ...cell }
  for (const name of weighted) means[name] = cell[name] / cell.exposure
  return means
}
