import { earnedWords } from '../contract/money.ts'
import type { Estimate } from './fill-rate.ts'

/** Gains below a cent a day are none. */
const noticeable = 0.005

interface FleetSums {
  changes: number
  gain: Estimate | null
  /** The part of the gain at other machines of the fleet. */
  effect: number
  /** Machines that keep their price for the sake of the others. */
  held: number
  basis: 'net' | 'gross' | 'mixed'
  /** Machines that are still being planned. */
  pending: number
}

const afterWords = {
  net: ' after power and fee',
  mixed: ' after power and fee where they are known',
  gross: '',
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** Sentences about the changes of a fleet's prices. */
export const fleetWords = (sums: FleetSums): string =>
  [
    ...(sums.gain ? [gainWords(sums.changes, sums.gain, sums.basis)] : []),
    ...(sums.gain || sums.pending > 0 ? [] : ['No price to change.']),
    ...togetherWords(sums),
    ...(sums.pending > 0 ? [`${counted(sums.pending, 'machine')} still being planned.`] : []),
  ].join(' ')

const gainWords = (changes: number, { value, low, high }: Estimate, basis: FleetSums['basis']): string =>
  `${counted(changes, 'price')} to change: about ${earnedWords(value)} a day more${afterWords[basis]} (${earnedWords(low)} to ${earnedWords(high)}).`

/** Sentences about the effect of a fleet's machines on each other. */
export function togetherWords({ gain, effect, held }: Pick<FleetSums, 'gain' | 'effect' | 'held'>): string[] {
  const sentences = gain ? [effectWords(effect, gain.value)] : []
  if (held > 0)
    sentences.push(
      `${held === 1 ? '1 machine keeps its price' : `${held} machines keep their prices`}: a lower one would take as much from your other machines.`,
    )
  return sentences
}

function effectWords(effect: number, gain: number): string {
  if (Math.abs(effect) < noticeable) return 'Your machines take no renters from each other at these prices.'
  if (Math.abs(effect) < 0.01 * gain)
    return 'Your machines hardly take renters from each other at these prices.'
  return effect > 0
    ? `${earnedWords(effect)} of it come from renters who choose another machine of yours instead.`
    : `It is ${earnedWords(-effect)} less than the sum of single gains, because your machines take renters from each other.`
}

/** The reason why a machine keeps its price though a lower one would earn more alone. */
export const heldWords = (price: string, gain: Estimate | null): string =>
  `At ${price} it would earn${gain ? ` about ${earnedWords(gain.value)} a day` : ''} more, but as much would be lost at your other machines of this GPU type, whose renters it would take. So it keeps its price.`
