import { selectRows } from '../platform/stores/clickhouse.ts'
import { importIdText } from './import-work.ts'
import { type CheckPart, countText, type Problem, resultOf, timeText } from './problems.ts'
import { cover, type Hour, observationsPerComparison, type Range, split } from './ranges.ts'

/** The machines of a source that have more GPUs in a slot than there are. */
interface WrongMachines {
  source: string
  first: number
  last: number
  slots: number
  machines: number
  example: readonly [machine: number, found: number, size: number]
  imports: number[]
}

/** Verifies that no machine has more GPUs in a slot than it has, or two names. */
export const checkMachines = (hours: readonly Hour[], range: Range): CheckPart[] =>
  cover(split(hours, 1, range, observationsPerComparison), range).map((part) => async ({ clickhouse }) => {
    const query = 'check/machines'
    const found = await selectRows<WrongMachines>(clickhouse, query, { ...part })
    return resultOf(found.map(problemOf))
  })

function problemOf(wrong: WrongMachines): Problem {
  const { source, first, last, slots, machines, imports } = wrong
  const [machine, found, size] = wrong.example
  const ids = imports.map((id) => importIdText(id, source))
  const isImport = !['market', 'simulated'].includes(source)
  const by = isImport ? ` They came with ${ids.length > 1 ? 'imports' : 'import'} ${ids.join(', ')}.` : ''
  const where = `${countText(machines, 'machine')} of ${source} in ${countText(slots, 'slot')} from ${timeText(first)} on`
  return {
    table: 'observations',
    from: first,
    to: last + 1,
    problem: `observations: ${where}: more GPUs than the machine has, or two names. In the first one machine ${machine} has ${found} of ${size} GPUs.${by}`,
    // Snapshots are never rewritten.
    fix: isImport ? `rackrate imports remove ${ids.at(-1)}` : 'rackrate restore',
  }
}
