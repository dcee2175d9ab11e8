import type { AutopilotRule } from '../../contract/autopilot.ts'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { exactly } from '../../contract/money.ts'

const usd = exactly(4)
export const priceWords = (price: number | null): string => (price === null ? '–' : usd(price))

/** A rule in three lines: its target, its limits and its timing. */
export function ruleWords(rule: AutopilotRule): string[] {
  const { target, machine_id, gpu_name, floor, ceiling, largest_step, hours_between, changes_a_day } = rule
  const of = machine_id !== null ? `machine ${machine_id}` : (gpu_name ?? 'all machines')
  const where = rule.source === null ? '' : ` at ${rule.source}`
  const aim =
    target.kind === 'recommended'
      ? `the recommended price${resultsWords(target.own_results)}`
      : target.kind === 'percentile'
        ? `percentile ${target.percentile} of similar machines`
        : `the median of similar machines${target.offset_percent === 0 ? '' : `, ${target.offset_percent} %`}`
  const limits = [
    floor === null ? 'never below the cost' : `never below ${usd(floor)}`,
    ceiling !== null && `never above ${usd(ceiling)}`,
    `steps of at most ${Number((100 * largest_step).toFixed(2))} %`,
    rule.webhook_url && `by a webhook at ${new URL(rule.webhook_url).host}`,
  ]
  const timing = [
    `at least ${hours_between} h between changes`,
    `at most ${changes_a_day} a day`,
    rule.quiet && `none from ${rule.quiet.from} to ${rule.quiet.to} o’clock UTC`,
    rule.idle && `${rule.idle.drop_percent} % less after ${rule.idle.hours} idle hours`,
  ]
  return [
    `Follows ${aim} on ${of}${where}`,
    `Limits: ${limits.filter(Boolean).join(', ')}`,
    `Timing: ${timing.filter(Boolean).join(', ')}`,
  ]
}

function resultsWords(steps: { raise_above: number; lower_below: number } | null): string {
  if (steps === null) return ''
  return `; without one a step up when over ${steps.raise_above} % are rented, and down when under ${steps.lower_below} %`
}

const states: Record<AutopilotDecision['state'], string> = {
  noted: '',
  decided: 'Waits to be set',
  called: 'Is being set',
  answered: 'Is being read back',
  read_back: 'Set',
  failed: 'Failed',
}

/** The outcome of a decision, in a few words. */
export function decisionWords({ kind, stage, state, adapter, read_price }: AutopilotDecision): string {
  if (kind === 'refusal') return 'Not changed'
  if (state === 'noted') return stage === 'dry_run' ? 'Dry run' : 'Suggested'
  const by = kind === 'hand' ? ' by hand' : kind === 'undo' ? ' back' : ''
  const unseen = state === 'read_back' && read_price === null ? `, through the ${adapter}` : ''
  return `${states[state]}${by}${unseen}`
}
