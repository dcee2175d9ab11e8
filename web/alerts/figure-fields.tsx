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
import { TypedNumber } from '../components/typed-number.tsx'
import { change, nothing } from '../format.ts'
import { GpuField, MemoryField, NumberField, VerifiedField } from './fields.tsx'
import { type SeenFigure, useFigureNow } from './figure-now.ts'
import { inUnit, type Of, presets, statistics } from './words.ts'

const ways = [
  ['falls', 'falls by'],
  ['rises', 'rises by'],
  ['below', 'below'],
  ['above', 'above'],
] as const

interface FigureProps<Condition> {
  condition: Condition
  onChange: (condition: Of<'statistic'>) => void
}

/** The fields of a rule on a figure of the market. */
export function FigureFields({
  source,
  condition,
  onChange,
}: FigureProps<Of<'statistic'>> & { source: string | null }) {
  const now = useFigureNow(source, condition)
  const isOwn = condition.statistic !== 'list_price'
  return (
    <>
      <GpuField name={condition.gpu_name} onChange={(gpu_name) => onChange({ ...condition, gpu_name })} />
      <Select
        label="Figure"
        value={condition.statistic}
        options={statistics}
        onChange={(statistic) => onChange({ ...condition, statistic })}
      />
      <Select
        label="Is"
        value={condition.is}
        options={ways}
        onChange={(is) => onChange(turned(condition, is, now))}
      />
      {'by' in condition ? (
        <ChangeFields condition={condition} onChange={onChange} />
      ) : (
        <LevelFields condition={condition} onChange={onChange} />
      )}
      <p class="quiet now">{now ? seenText(condition, now) : nothing}</p>
      <TypedNumber
        label={'by' in condition ? 'Resolved at (%)' : 'Resolved at'}
        min={0}
        step="any"
        placeholder={'by' in condition ? `under ${condition.by}` : 'the limit'}
        value={condition.clears_at ?? ''}
        onChange={(text) => onChange({ ...condition, clears_at: text === '' ? null : Number(text) })}
      />
      {isOwn && (
        <VerifiedField
          value={condition.verified}
          onChange={(verified) => onChange({ ...condition, verified })}
        />
      )}
      <MemoryField
        value={condition.gpu_memory}
        onChange={(gpu_memory) => onChange({ ...condition, gpu_memory })}
      />
      <NumberField
        label="Snapshots in a row"
        value={condition.slots}
        least={1}
        onChange={(slots) => onChange({ ...condition, slots })}
      />
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
      onChange={(by) => onChange({ ...condition, by })}
    />
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

const LevelFields = ({ condition, onChange }: FigureProps<LevelCondition>) => (
  <NumberField
    label={`Limit (${units[unitOf(condition.statistic)]})`}
    value={condition.limit}
    least={0}
    onChange={(limit) => onChange({ ...condition, limit })}
  />
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
  const { gpu_name, statistic, slots } = condition
  const watched = { kind: 'statistic', gpu_name, statistic, ...filterOf(condition), slots } as const
  if (is === 'falls' || is === 'rises') {
    const { by, within_hours, clears_at } = 'by' in condition ? condition : presets.statistic
    return { ...watched, is, by: Math.min(by, mostPercent[is]), within_hours, clears_at }
  }
  const limit = 'limit' in condition ? condition.limit : Number((now?.value ?? 0).toPrecision(3))
  return { ...watched, is, limit, clears_at: null }
}

/** The text beside the limit: the present figure, the older figure that it is compared with, and the value at which the rule fires. */
function seenText(condition: Of<'statistic'>, { value, before, limit }: SeenFigure): string {
  const text = (figure: number | null) => inUnit(condition.statistic, figure)
  if (!('by' in condition) || value === null) return `now ${text(value)}`
  const ago = `${spanOf(condition.within_hours)} ago`
  if (before === null) return `now ${text(value)}; nothing to compare with ${ago}`
  const moved = change(value / before - 1)
  const end = condition.is === 'falls' ? 'less' : 'more'
  return `now ${text(value)}, ${ago} ${text(before)} (${moved}); fires at ${text(limit)} or ${end}`
}
