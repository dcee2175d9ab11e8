import { normal } from '../estimates/normal.ts'
import { appealOf, eagerness, type Renters, type SimulatedMachine } from '../simulate/market.ts'
import { seededFor } from '../simulate/random.ts'

/**
 * Forms of the renters' choice: by the share of cheaper GPUs, by the price itself, by the share with kinks, and by the share in a market whose
 * machines differ.
 */
export const marketKinds = ['rank', 'price', 'kink', 'hosts'] as const
export type MarketKind = (typeof marketKinds)[number]

const mostFavor = 3

/** The renters of a simulated market. The truth of advice is computed from them. */
export function rentersOf(kind: MarketKind, seed: number): Renters {
  const most = eagerness.verified * eagerness.cheapest
  switch (kind) {
    case 'rank':
      return { appealOf, most }
    case 'hosts':
      return {
        appealOf: (machine, share) => appealOf(machine, share) * favorOf(machine, seed),
        most: most * mostFavor,
      }
    case 'kink':
      return { appealOf: (machine, share) => most * trustOf(machine) * 0.56 * kinked(share), most }
    case 'price':
      return { appealOf: (machine) => Math.min(8.6, byPrice(machine, seed)), most: 8.6 }
  }
}

/** Trust in a machine, as a share of the trust in a verified one. */
const trustOf = ({ verification }: SimulatedMachine): number =>
  (verification === 'verified' ? eagerness.verified : eagerness.other) / eagerness.verified

const favorOf = ({ id }: SimulatedMachine, seed: number): number =>
  Math.min(mostFavor, Math.exp(0.5 * normal(seededFor(seed + 7, id)) - 0.125))

/** Flat, then steep, then a jump. */
function kinked(share: number): number {
  if (share < 0.4) return 1.25
  return share < 0.8 ? 1.25 * Math.exp(-3.5 * (share - 0.4)) : 0.4375 * Math.exp(-1.4)
}

/** A power of the price ÷ the usual one, from 2 to 6 by GPU type. */
function byPrice({ type, price, ...machine }: SimulatedMachine, seed: number): number {
  const power = 2 + 4 * seededFor(seed + 9, type.price * 1e4)()
  const trust = machine.verification === 'verified' ? eagerness.verified : eagerness.other
  return trust * 0.75 * (price / type.price) ** -power
}
