import type { AutopilotBody, AutopilotRule } from '../../contract/autopilot.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'

/** The settings that a form begins with. */
export type RuleSettings = Omit<
  AutopilotBody,
  'name' | 'source' | 'machine_id' | 'gpu_name' | 'webhook_url' | 'email'
>

const usual: RuleSettings = {
  target: { kind: 'recommended', own_results: autopilotLimits.ownResults },
  floor: null,
  ceiling: null,
  largest_step: 0.1,
  hours_between: 6,
  changes_a_day: 4,
  quiet: null,
  idle: null,
}

interface Preset {
  icon: 'tag' | 'chart' | 'clock'
  title: string
  what: string
  name: string
  settings: RuleSettings
}

/** Rules to begin with. */
export const presets: readonly [Preset, ...Preset[]] = [
  {
    icon: 'tag',
    title: 'Follow the recommended price',
    what: 'never below my cost, at most 10 % a step',
    name: 'Recommended price',
    settings: usual,
  },
  {
    icon: 'chart',
    title: 'Stay 3 % under the median',
    what: 'of similar machines',
    name: '3 % under the median',
    settings: { ...usual, target: { kind: 'median', offset_percent: -3 } },
  },
  {
    icon: 'clock',
    title: 'Fill idle machines',
    what: '5 % less after a day without a rental',
    name: 'Fill idle machines',
    settings: { ...usual, idle: { hours: 24, drop_percent: 5 } },
  },
]

/** The option of the machines that a rule sets: all, all of a GPU type, or one. */
export const scopeOf = ({ machine_id, gpu_name }: Pick<AutopilotBody, 'machine_id' | 'gpu_name'>): string =>
  machine_id !== null ? `${machine_id}` : gpu_name === null ? '' : `${ofType}${gpu_name}`

/** Begins the option of all machines of a GPU type. */
export const ofType = 'GPU '

/** The fields of the form as the API accepts them. */
export function bodyOf(form: FormData, rule: AutopilotRule | undefined, usualName: string): AutopilotBody {
  const text = (name: string) => `${form.get(name) ?? ''}`.trim()
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)))
  const [from, to, hours, drop] = ['quiet_from', 'quiet_to', 'idle_hours', 'idle_drop'].map(number)
  const scope = text('scope')
  return {
    name: text('name') || usualName,
    // The field exists only if the site has several markets.
    source: form.has('source') ? text('source') || null : (rule?.source ?? null),
    machine_id: scope === '' || scope.startsWith(ofType) ? null : Number(scope),
    gpu_name: scope.startsWith(ofType) ? scope.slice(ofType.length) : null,
    target: targetOf(text('kind'), number),
    floor: number('floor'),
    ceiling: number('ceiling'),
    largest_step: (number('step') ?? 100 * usual.largest_step) / 100,
    hours_between: number('hours_between') ?? usual.hours_between,
    changes_a_day: number('changes_a_day') ?? usual.changes_a_day,
    quiet: from == null || to == null ? null : { from, to },
    idle: hours == null || drop == null ? null : { hours, drop_percent: drop },
    webhook_url: text('webhook_url') || null,
    email: text('told_by') === 'mail',
  }
}

function targetOf(kind: string, number: (name: string) => number | null): AutopilotBody['target'] {
  if (kind === 'percentile') return { kind, percentile: number('percentile') ?? 0 }
  if (kind === 'median') return { kind, offset_percent: number('offset_percent') ?? 0 }
  const [raise_above, lower_below] = [number('raise_above'), number('lower_below')]
  const own_results = raise_above === null || lower_below === null ? null : { raise_above, lower_below }
  return { kind: 'recommended', own_results }
}
