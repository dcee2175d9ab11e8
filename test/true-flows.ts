import type { Machine } from './sampled-machines.ts'

interface TrueFlow {
  expected: number
  happened: number
  hours: number
}

/** The rentals and returns of a GPU name: the expected GPUs, the GPUs of which it happened, and the GPU-hours in which it could happen. */
export interface TrueFlows {
  rented: TrueFlow
  returned: TrueFlow
}

const none = { expected: 0, happened: 0, hours: 0 }

/** Adds what is expected of a machine until the next slot, when one of its parts changes its state with this probability. */
export function addTrueFlows(flows: Map<string, TrueFlows>, machine: Machine, chance: number, hours: number) {
  const of = flows.get(machine.gpu) ?? { rented: { ...none }, returned: { ...none } }
  flows.set(machine.gpu, of)
  const { gpus, parts, rented } = machine
  const busy = rented.filter(Boolean).length * (gpus / parts)
  of.rented.expected += ((gpus - busy) * chance) / parts
  of.rented.hours += (gpus - busy) * hours
  of.returned.expected += (busy * chance) / parts
  of.returned.hours += busy * hours
  return of
}
