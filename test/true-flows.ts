import type { Machine } from './sampled-machines.ts'

/** The expected rentals and returns of a GPU name, and the GPU-hours in which they could happen. */
export interface TrueFlows {
  rented: { expected: number; hours: number }
  returned: { expected: number; hours: number }
}

/** Adds what is expected of a machine until the next slot, when one of its parts changes its state with this probability. */
export function addTrueFlows(flows: Map<string, TrueFlows>, machine: Machine, chance: number, hours: number) {
  const of = flows.get(machine.gpu) ?? {
    rented: { expected: 0, hours: 0 },
    returned: { expected: 0, hours: 0 },
  }
  flows.set(machine.gpu, of)
  const { gpus, parts, rented } = machine
  const busy = rented.filter(Boolean).length * (gpus / parts)
  of.rented.expected += ((gpus - busy) * chance) / parts
  of.rented.hours += (gpus - busy) * hours
  of.returned.expected += (busy * chance) / parts
  of.returned.hours += busy * hours
}
