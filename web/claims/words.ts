import type { Claim, MachinesTaken } from '../../contract/claims.ts'
import { count, counted } from '../format.ts'

/** A summary of machines, such as "8 machines, 40 GPUs: 7 with RTX 4090, 1 with H100 SXM". */
export const takenWords = ({ machines, gpus, gpu_types }: MachinesTaken): string =>
  [
    `${counted(machines, 'machine')}, ${counted(gpus, 'GPU')}`,
    gpu_types.map((type) => `${count(type.machines)} with ${type.gpu_name}`).join(', '),
  ]
    .filter(Boolean)
    .join(': ')

const mostNamed = 3

/** The claimed ids, in words. */
export function idWords({ hosts, machines }: Pick<Claim, 'hosts' | 'machines'>): string {
  const named = (word: string, ids: readonly number[]) => {
    if (ids.length === 0) return []
    const others = ids.length - mostNamed
    const list = `${ids.slice(0, mostNamed).join(', ')}${others > 0 ? ` and ${count(others)} more` : ''}`
    return [`${word}${ids.length === 1 ? '' : 's'} ${list}`]
  }
  return [...named('host', hosts), ...named('machine', machines)].join(' and ')
}
