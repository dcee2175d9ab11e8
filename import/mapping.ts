import { termNames } from '../contract/listing-terms.ts'
import { hostingTypes } from '../contract/market-filter.ts'
import { specNames } from '../contract/spec-names.ts'
import { specsText } from '../contract/specs-text.ts'
import { termsText } from '../contract/terms-text.ts'
import { UsageError } from '../platform/usage-error.ts'
import {
  countryOf,
  type Format,
  gpuNameOf,
  gpusOf,
  isEmpty,
  machineIdOf,
  measureOf,
  type Observation,
  pricePerGpu,
  Rejected,
  ramOf,
  textOf,
  tierOf,
} from './observation.ts'
import type { Fields } from './record.ts'
import { slotOf } from './times.ts'

/** An invalid column mapping. */
export class MappingError extends UsageError {}

const required = ['slot', 'machine_id', 'gpu_name'] as const
const states = ['num_gpus', 'gpus', 'rented', 'verified', 'hosting_type', 'rental_type', 'min_gpus'] as const
const facts = ['tflops', 'dlperf', 'host_id', 'country', 'gpu_ram'] as const
const prices = ['price', 'price_total'] as const
const targets = [...required, ...states, ...facts, ...termNames, ...specNames, ...prices]
type Target = (typeof targets)[number]

/** Sources that are reserved for the marketplace's own snapshots. */
const reserved = ['market', 'simulated']

/** The format of `--map` and `--source`. Throws MappingError. */
export function mappedFormat(mapping: string, source: string): Format {
  if (!/^[\w.:-]{1,64}$/.test(source) || reserved.includes(source))
    throw new MappingError(
      `--source must be a word of letters, digits, and . : _ -, and neither of ${reserved.join(', ')}.`,
    )
  const { columns, constants } = parseMapping(mapping)
  const value = (fields: Fields, target: Target): unknown => {
    const column = columns.get(target)
    return column === undefined ? constants.get(target) : fields[column]
  }
  const total = columns.has('price_total') || constants.has('price_total')
  return {
    source,
    readWith: { map: mapping, source },
    columns: [...columns.values()],
    overlapping: false,
    hasRentals: columns.has('rented') || constants.has('rented'),
    observe: (fields, leaveOut) => observe((target) => value(fields, target), total, leaveOut),
  }
}

interface Mapping {
  columns: Map<Target, string>
  constants: Map<Target, string>
}

/** `target=column,target=:value`. Throws MappingError. */
export function parseMapping(mapping: string): Mapping {
  const columns = new Map<Target, string>()
  const constants = new Map<Target, string>()
  for (const pair of mapping.split(',')) {
    const [, target = '', colon = '', value = ''] = /^\s*([^=]*?)\s*=\s*(:?)(.+?)\s*$/.exec(pair) ?? []
    if (value === '')
      throw new MappingError(
        `--map: ${pair.trim() || 'an empty part'} is not target=column or target=:value.`,
      )
    if (!isTarget(target))
      throw new MappingError(`--map: ${target || 'nothing'} is not one of ${targets.join(', ')}.`)
    if (columns.has(target) || constants.has(target))
      throw new MappingError(`--map: ${target} is given twice.`)
    if (colon) constants.set(target, value)
    else columns.set(target, value)
  }
  const given = (target: Target) => columns.has(target) || constants.has(target)
  const missing = required.filter((target) => !given(target))
  if (missing.length > 0) throw new MappingError(`--map: ${missing.join(', ')} must be given.`)
  if (given('price') === given('price_total'))
    throw new MappingError('--map: either price or price_total must be given.')
  return { columns, constants }
}

const isTarget = (text: string): text is Target => (targets as readonly string[]).includes(text)

function observe(
  value: (target: Target) => unknown,
  total: boolean,
  leaveOut?: (reason: string) => void,
): Observation {
  const gpusOr = (target: Target, otherwise: number) =>
    isEmpty(value(target)) ? otherwise : gpusOf(value(target), target)
  const num_gpus = gpusOr('num_gpus', 1)
  const gpus = gpusOr('gpus', num_gpus)
  const verified = !isEmpty(value('verified')) && yes.test(textOf(value('verified'), 'verified'))
  return {
    slot: slotOf(value('slot'), 'slot'),
    machine_id: machineIdOf(value('machine_id'), 'machine_id'),
    gpu_name: gpuNameOf(value('gpu_name'), 'gpu_name'),
    num_gpus,
    gpus,
    rented: isRented(value('rented')),
    verified,
    hosting_type: hostingType(value('hosting_type')),
    price: total
      ? pricePerGpu(value('price_total'), 'price_total', gpus)
      : pricePerGpu(value('price'), 'price', 1),
    tflops: measureOf(value('tflops'), 'tflops'),
    dlperf: measureOf(value('dlperf'), 'dlperf'),
    host_id: isEmpty(value('host_id')) ? null : machineIdOf(value('host_id'), 'host_id'),
    country: country(value('country')),
    gpu_ram: ramOf(value('gpu_ram'), 'gpu_ram'),
    rental_type: rentalType(value('rental_type')),
    min_gpus: isEmpty(value('min_gpus')) ? null : gpusOf(value('min_gpus'), 'min_gpus'),
    terms: termsText(Object.fromEntries(termNames.map((name) => [name, value(name)]))),
    specs: specsText(Object.fromEntries(specNames.map((name) => [name, value(name)])), leaveOut),
    tier: tierOf(value('verified'), verified),
  }
}

const yes = /^(1|true|t|yes|y|verified|rented)$/i
const no = /^(0|false|f|no|n|available)$/i

// Every statistic depends on this value, so unknown words are rejected.
function isRented(value: unknown): boolean {
  if (isEmpty(value)) return false
  const text = textOf(value, 'rented')
  if (!yes.test(text) && !no.test(text))
    throw new Rejected(`rented is neither yes nor no: ${text.slice(0, 40)}`)
  return yes.test(text)
}

function hostingType(value: unknown): Observation['hosting_type'] {
  if (isEmpty(value)) return 'unknown'
  const text = textOf(value, 'hosting_type')
  const known = hostingTypes.find((type) => type === text)
  if (known === undefined && text !== 'unknown')
    throw new Rejected(`hosting_type is none of ${hostingTypes.join(', ')}: ${text.slice(0, 40)}`)
  return known ?? 'unknown'
}

function country(value: unknown): string {
  if (isEmpty(value)) return ''
  const text = textOf(value, 'country')
  const found = countryOf(text)
  if (found === '') throw new Rejected(`country does not end with an ISO 3166 code: ${text.slice(0, 40)}`)
  return found
}

function rentalType(value: unknown): Observation['rental_type'] {
  if (isEmpty(value)) return 'unknown'
  const text = textOf(value, 'rental_type')
  if (text === 'unknown' || text === 'on_demand' || text === 'reserved' || text === 'interruptible')
    return text
  throw new Rejected(`rental_type is none of on_demand, reserved, interruptible: ${text.slice(0, 40)}`)
}
