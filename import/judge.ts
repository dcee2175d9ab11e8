import { type Staged, stagedParts } from '../ingest/import-work.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { type LeftOut, mostListed } from './stage.ts'

interface JudgedHour {
  hour: number
  file: number
  observations: number
  odd: number
  contrary: number
}

/** The numbers of new and odd rows among the staged rows of a file. */
export interface Judged {
  inserted: number
  odd: number
}

/** Rows that contradict an import. */
export interface Contrary {
  import_id: number
  observations: number
  /** The place of the first row. */
  file: number
  line: number
}

/** Decides the verdict on the staged rows. `leftOut` gets the first ones that contradict each other. */
export async function judge(
  clickhouse: ClickHouse,
  staged: Staged,
  { files, leftOut }: { files: number; leftOut: LeftOut[] },
): Promise<{ byFile: Judged[]; contrary: Contrary[] }> {
  const byFile = Array.from({ length: files }, () => ({ inserted: 0, odd: 0 }))
  const contrary = new Map<number, Contrary>()
  for (const part of await stagedParts(clickhouse, staged.table)) {
    const parameters = { ...part, ...staged }
    const hours = await selectRows<JudgedHour>(clickhouse, 'import/judged_hours', parameters)
    for (const { file, observations, odd } of hours) {
      const judged = byFile[file]
      if (!judged) continue
      judged.inserted += observations
      judged.odd += odd
    }
    const most = mostListed - leftOut.length
    if (most > 0 && hours.some(({ odd }) => odd > 0))
      leftOut.push(...(await selectRows<LeftOut>(clickhouse, 'import/odd_rows', { ...parameters, most })))
    if (hours.some((hour) => hour.contrary > 0))
      for (const one of await selectRows<Contrary>(clickhouse, 'import/contrary_rows', parameters)) {
        const known = contrary.get(one.import_id)
        contrary.set(
          one.import_id,
          known ? { ...known, observations: known.observations + one.observations } : one,
        )
      }
  }
  return { byFile, contrary: [...contrary.values()].sort((a, b) => b.observations - a.observations) }
}

/** The rows that an import would add to a slot of a GPU name. Prices are USD per GPU-hour. */
export interface TakenBySlot {
  slot: number
  gpu_name: string
  machines: number
  gpus: number
  lowest: number
  highest: number
}

/** The same over all slots of a GPU name: machines and GPUs are sums over the slots. */
export interface TakenByName extends Omit<TakenBySlot, 'slot'> {
  slots: number
  first: number
  last: number
}

export interface Taken {
  /** Undefined: they are too many to list. */
  bySlot: TakenBySlot[] | undefined
  byName: TakenByName[]
}

/** More slots and GPU names are summarized. */
const mostSlots = 40

export async function takenBy(clickhouse: ClickHouse, staged: Staged): Promise<Taken> {
  const bySlot: TakenBySlot[] = []
  const byName = new Map<string, TakenByName>()
  for (const part of await stagedParts(clickhouse, staged.table)) {
    const parameters = { ...part, ...staged, most: mostSlots + 1 }
    if (bySlot.length <= mostSlots)
      bySlot.push(...(await selectRows<TakenBySlot>(clickhouse, 'import/taken_by_slot', parameters)))
    for (const one of await selectRows<TakenByName>(clickhouse, 'import/taken_by_name', parameters))
      byName.set(one.gpu_name, added(byName.get(one.gpu_name), one))
  }
  return { bySlot: bySlot.length <= mostSlots ? bySlot : undefined, byName: [...byName.values()] }
}

const added = (known: TakenByName | undefined, one: TakenByName): TakenByName =>
  known
    ? {
        gpu_name: one.gpu_name,
        slots: known.slots + one.slots,
        first: Math.min(known.first, one.first),
        last: Math.max(known.last, one.last),
        machines: known.machines + one.machines,
        gpus: known.gpus + one.gpus,
        lowest: Math.min(known.lowest, one.lowest),
        highest: Math.max(known.highest, one.highest),
      }
    : one
