import type { ChangeCondition, LevelCondition } from '../../contract/alert-conditions.ts'
import {
  type AlertUnit,
  alertSpans,
  leastPercent,
  mostPercent,
  spanOf,
  unitOf,
} from '../../contract/alert-kinds.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { Select } from '../components/select.tsx'
import { change } from '../format.ts'
import { GpuField, NumberField, VerifiedField } from './fields.tsx'
import type { SeenFigure } from './use-tried.ts'
import { inUnit, type Of, presets, statistics, usualEnd } from './words.ts'

const ways = [
  ['falls', 'falls by'],
  ['rises', 'rises by'],
  ['below', 'is below'],
  ['above', 'is above'],
] as const

interface FigureProps<Condition> {
  condition: Condition
  onChange: (condition: Of<'statistic'>) => void
}

/** A rule on a figure of the market as a part of a sentence. */
export function FigureFields({
  now,
  condition,
  onChange,
}: FigureProps<Of<'statistic'>> & { now: SeenFigure | undefined }) {
  return (
    <>
      the{' '}
      <Select
        label="Figure"
        value={condition.statistic}
        options={statistics}
        onChange={(statistic) => onChange({ ...condition, statistic })}
      />{' '}
      of <GpuField name={condition.gpu_name} onChange={(gpu_name) => onChange({ ...condition, gpu_name })} />{' '}
      {condition.statistic !== 'list_price' && (
        <>
          on{' '}
          <VerifiedField
            value={condition.verified}
            onChange={(verified) => onChange({ ...condition, verified })}
          />{' '}
          machines{' '}
        </>
      )}
      <Select
        label="Is"
        value={condition.is}
        options={ways}
        onChange={(is) => onChange(turned(condition, is, now))}
      />{' '}
      {'by' in condition ? (
        <ChangeFields condition={condition} onChange={onChange} />
      ) : (
        <LevelFields condition={condition} onChange={onChange} />
      )}
    </>
  )
}

const ChangeFields = ({ condition, onChange }: FigureProps<ChangeCondition>) => (
  <>
    <NumberField
      label="Percent"
      value={condition.by}
      least={leastPercent}
      most={mostPercent[condition.is]}
      onChange={(by) => onChange({ ...condition, by, ...endFor(condition, by) })}
    />{' '}
    % within{' '}
    <Select
      label="Within"
      value={`${condition.within_hours}`}
      options={alertSpans.map((hours) => [`${hours}`, spanOf(hours)] as const)}
      onChange={(text) => {
        const within_hours = alertSpans.find((hours) => `${hours}` === text) ?? condition.within_hours
        onChange({ ...condition, within_hours })
      }}
    />
  </>
)

/** The end of the rule moves with its limit, unless it was chosen. */
const endFor = ({ by: before, clears_at }: ChangeCondition, by: number) =>
  clears_at === usualEnd(before) ? { clears_at: usualEnd(by) } : {}

const LevelFields = ({ condition, onChange }: FigureProps<LevelCondition>) => (
  <>
    <NumberField
      label={`Limit (${units[unitOf(condition.statistic)]})`}
      value={condition.limit}
      least={0}
      onChange={(limit) => onChange({ ...condition, limit })}
    />{' '}
    {units[unitOf(condition.statistic)]}
  </>
)

const units: Record<AlertUnit, string> = {
  share: 'share, 0 to 1',
  rate: 'rentals per GPU-hour',
  gpus: 'GPUs',
  dollars: 'USD per GPU-hour',
}

/** The same rule with another way to compare. A limit begins where the figure is now. */
function turned(
  condition: Of<'statistic'>,
  is: Of<'statistic'>['is'],
  now: SeenFigure | undefined,
): Of<'statistic'> {
  const { gpu_name, statistic, slots, rest_hours } = condition
  const watched = {
    kind: 'statistic',
    gpu_name,
    statistic,
    ...filterOf(condition),
    slots,
    rest_hours,
  } as const
  if (is === 'falls' || is === 'rises') {
    const { by, within_hours, clears_at } = 'by' in condition ? condition : presets.statistic
    return { ...watched, is, by: Math.min(by, mostPercent[is]), within_hours, clears_at }
  }
  const limit = 'limit' in condition ? condition.limit : Number((now?.value ?? 0).toPrecision(3))
  return { ...watched, is, limit, clears_at: null }
}

/** The text beside the limit: the present figure, the older figure that it is compared with, and the value at which the rule fires. */
export function seenText(condition: Of<'statistic'>, { value, before, limit }: SeenFigure): string {
  const text = (figure: number | null) => inUnit(condition.statistic, figure)
  if (!('by' in condition) || value === null) return `now ${text(value)}`
  const ago = `${spanOf(condition.within_hours)} ago`
  if (before === null) return `now ${text(value)}; nothing to compare with ${ago}`
  const moved = change(value / before - 1)
  const end = condition.is === 'falls' ? 'less' : 'more'
  return `now ${text(value)}, ${ago} ${text(before)} (${moved}); fires at ${text(limit)} or ${end}`
}
