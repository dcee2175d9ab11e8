import { type Format, stableId } from './formats.ts'
import {
  type Fields,
  nameOf,
  numberOf,
  type Observation,
  pricePerGpu,
  Rejected,
  textOf,
  timeOf,
} from './observation.ts'

/** A mapping that can't be understood; the message is for whoever wrote it. */
export class MappingError extends Error {}

const required = ['slot', 'machine_id', 'gpu_name'] as const
const known = [
  ...required,
  'num_gpus',
  'gpus',
  'rented',
  'verified',
  'hosting_type',
  'price',
  'price_total',
  'tflops',
  'dlperf',
] as const
type Target = (typeof known)[number]

export const mappingHelp = `field=column pairs separated by commas; field==value gives every row that value.
Fields: slot (unix seconds or ISO 8601), machine_id (other text than a number is hashed), gpu_name, num_gpus (of the rig; 1),
gpus (in this state; num_gpus), rented, verified (1/0, true/false, yes/no; no), hosting_type (community, secure_cloud),
price (USD per GPU-hour) or price_total (of those GPUs together), tflops, dlperf (per GPU).
Example: slot=ts,machine_id=id,gpu_name=gpu,num_gpus=n,price_total=usd_hr,verified==yes`

/** A format out of `--map`. Throws MappingError. */
export function mappedFormat(text: string, source: string): Format {
  const columns = new Map<Target, string>()
  const constants: Record<string, string> = {}
  for (const pair of text.split(',')) {
    const [, field = '', value = ''] = /^\s*(\w+)=(.+?)\s*$/.exec(pair) ?? []
    if (!(known as readonly string[]).includes(field))
      throw new MappingError(`--map: not a field=column pair: ${pair.trim() || '(empty)'}`)
    if (columns.has(field as Target)) throw new MappingError(`--map: ${field} is given twice`)
    columns.set(field as Target, value.startsWith('=') ? `=${field}` : value)
    if (value.startsWith('=')) constants[`=${field}`] = value.slice(1)
  }
  for (const field of required) if (!columns.has(field)) throw new MappingError(`--map: ${field} is missing`)
  if (columns.has('price') === columns.has('price_total'))
    throw new MappingError('--map: give either price or price_total')
  return {
    source,
    columns: [...columns.values()].filter((column) => !column.startsWith('=')),
    observe: (fields) => observe({ ...fields, ...constants }, columns),
  }
}

function observe(fields: Fields, columns: ReadonlyMap<Target, string>): Observation {
  const given = (target: Target): string | undefined => {
    const column = columns.get(target)
    return column !== undefined && (fields[column] ?? '') !== '' ? column : undefined
  }
  const column = (target: Target): string => columns.get(target) ?? target
  const number = (target: Target, otherwise: number) =>
    given(target) ? numberOf(fields, column(target)) : otherwise
  const measure = (target: Target) => (given(target) ? numberOf(fields, column(target)) : null)
  const yes = (target: Target) => given(target) !== undefined && truth(textOf(fields, column(target)), target)
  const num_gpus = number('num_gpus', 1)
  const gpus = number('gpus', num_gpus)
  return {
    slot: timeOf(fields, column('slot')),
    machine_id: machineId(textOf(fields, column('machine_id'))),
    gpu_name: nameOf(fields, column('gpu_name')),
    num_gpus,
    gpus,
    rented: yes('rented'),
    verified: yes('verified'),
    hosting_type: hostingType(given('hosting_type') ? textOf(fields, column('hosting_type')) : ''),
    price: columns.has('price')
      ? pricePerGpu(fields, column('price'), 1)
      : pricePerGpu(fields, column('price_total'), Math.max(1, gpus)),
    tflops: measure('tflops'),
    dlperf: measure('dlperf'),
  }
}

const machineId = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : stableId(text))

const hostingType = (text: string): Observation['hosting_type'] => {
  if (text === 'community' || text === 'secure_cloud') return text
  if (text === '' || text === 'unknown') return 'unknown'
  throw new Rejected(`hosting_type is neither community nor secure_cloud: ${text.slice(0, 40)}`)
}

// Unknown verification is unverified; a word that isn't one of these is for `verified` such an unknown (`deverified`, `pending`).
function truth(text: string, target: Target): boolean {
  if (/^(1|true|yes|y|t|verified|rented)$/i.test(text)) return true
  if (/^(0|false|no|n|f|available)$/i.test(text) || target === 'verified') return false
  throw new Rejected(`${target} is neither yes nor no: ${text.slice(0, 40)}`)
}
