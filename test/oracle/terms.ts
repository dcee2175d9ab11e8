import { termNames } from '../../contract/listing-terms.ts'
import { specNames } from '../../contract/spec-names.ts'
import type { MachineAtSlot } from './history.ts'

/** The expected table `terms`. */
export const termsOf = (seen: readonly MachineAtSlot[]) => changesOf(seen, 'terms', termNames)

/** The expected table `specs`. */
export const specsOf = (seen: readonly MachineAtSlot[]) => changesOf(seen, 'specs', specNames)

/** From the definition: one row for each machine and slot at which its text differs from the slot before. */
function changesOf(seen: readonly MachineAtSlot[], column: 'terms' | 'specs', names: readonly string[]) {
  const slots = [...new Set(seen.map(({ slot }) => slot))].sort((a, b) => a - b)
  const byMachine = [...seen].sort((a, b) => (a.gpu < b.gpu ? -1 : a.gpu > b.gpu ? 1 : a.machine - b.machine))
  const machines = [...new Set(byMachine.map(({ gpu, machine }) => `${gpu}|${machine}`))]
  return machines.flatMap((key) => {
    const [gpu_name = '', id = ''] = key.split('|')
    let before = ''
    return slots.flatMap((slot) => {
      const here = seen.find((one) => one.slot === slot && one.gpu === gpu_name && one.machine === Number(id))
      const text = here?.[column] ?? ''
      if (text === before) return []
      before = text
      const values: unknown[] = text === '' ? names.map(() => null) : JSON.parse(text)
      const known = Object.fromEntries(names.map((name, place) => [name, values[place]]))
      return [{ slot, gpu_name, machine_id: Number(id), ...known }]
    })
  })
}
