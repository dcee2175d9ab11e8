import { machineOf } from './chunks.ts'
import { type CollectedMarket, openMarket } from './market.ts'
import type { Picture } from './sweep.ts'

/** The machines of a picture, as the market of a slot, and by GPU name how many they are and how many of them the slot has not seen. */
export function marketOf({ machines }: Picture, slot: number) {
  const carried = new Map<number, number>()
  const market = openMarket({ carried })
  const byName = new Map<string, { machines: number; carried: number }>()
  for (const [id, { offers, seen }] of machines) {
    const whole = offers.find(({ gpu_frac }) => Number(gpu_frac) === 1)
    if (!whole) continue
    market.add(`machine ${id}`, () => {
      const rows = machineOf(offers, slot, market.leaveOut)
      for (const { machine_id } of rows) carried.set(machine_id, slot - seen)
      return rows
    })
    const name = String(whole.gpu_name)
    const before = byName.get(name) ?? { machines: 0, carried: 0 }
    byName.set(name, { machines: before.machines + 1, carried: before.carried + Number(seen < slot) })
  }
  const collected: CollectedMarket = market.close()
  return { market: collected, byName }
}
