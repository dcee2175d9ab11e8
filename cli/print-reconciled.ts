import { Option } from 'commander'
import type { Reconciled } from '../ingest/reconcile.ts'
import { type JsonOption, print } from './output.ts'

export interface ReconcileOptions extends JsonOption {
  acceptLoss?: boolean
}

export const acceptLossOption = new Option(
  '--accept-loss',
  'turn snapshots that are complete in neither database into gaps, and delete their remains',
)

/** Prints what was reconciled. The exit code is 1 if the databases still disagree. */
export function printReconciled(options: ReconcileOptions, result: Reconciled): void {
  const { done, adopted, reopened, lost } = result
  const slots = `${lost.slice(0, 10).join(', ')}${lost.length > 10 ? ', …' : ''}`
  const gaps = `${lost.length} snapshots are complete in neither database (slots ${slots})`
  const text = done
    ? `${adopted} snapshots adopted from ClickHouse, ${reopened.length} loaded again${lost.length > 0 ? `; ${gaps}` : ''}.`
    : `Not reconciled: ${gaps}. Restore a newer backup of ClickHouse, or run \`rackrate reconcile --accept-loss\`.`
  print(options, result, text)
  if (!done) process.exitCode = 1
}
