import { machineOf } from './chunks.ts'
import { type CollectedMarket, openMarket } from './market.ts'
import { cellsByName, type KnownOffer, keyOf, type Picture } from './sweep.ts'

/**
 * The machines of a picture, as the market of a slot, and by GPU name how many they are and how many of them the slot has not seen. `known` has the machines
 * with all chunks, also the ones that are left out for the same reason as in an answer with all offers.
 */
export function marketOf(picture: Picture, slot: number) {
  const market = openMarket()
  const byName = new Map<string, { machines: number; carried: number }>()
  const wholeSince = new Map<string, number>()
  for (const [name, cells] of cellsByName(picture.cells))
    wholeSince.set(name, Math.min(...cells.map(({ asked }) => asked)))
  const known = new Set<string>()
  for (const [machine, name, chunks] of machinesOf(picture)) {
    // A machine counts once every question about its GPU was answered since it was first seen: all of its chunks are known then.
    if (Math.min(...chunks.map(({ since }) => since)) > (wholeSince.get(name) ?? 0)) continue
    known.add(machine)
    if (!chunks.some(({ fields }) => Number(fields.gpu_frac) === 1)) continue
    market.add(() => machineOf(chunks, slot))
    const { machines = 0, carried = 0 } = byName.get(name) ?? {}
    const isCarried = chunks.every(({ seen }) => seen < slot)
    byName.set(name, { machines: machines + 1, carried: carried + Number(isCarried) })
  }
  const collected: CollectedMarket = market.close()
  return { market: collected, known, byName }
}

function machinesOf({ offers }: Picture): [machine: string, name: string, chunks: KnownOffer[]][] {
  const machines = new Map<string, [string, string, KnownOffer[]]>()
  for (const offer of offers.values()) {
    const { machine_id, gpu_name } = offer.fields
    const id = keyOf(machine_id)
    const key = `${id} ${gpu_name}`
    const machine = machines.get(key) ?? [id, String(gpu_name), []]
    machine[2].push(offer)
    machines.set(key, machine)
  }
  return [...machines.values()]
}
