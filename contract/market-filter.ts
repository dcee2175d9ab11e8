// Without zod: the page imports this, too. The first value of each list is the default.

import { keysOf, recordOf } from './records.ts'

export const verifiedChoices = ['yes', 'no', 'all'] as const

/** The tiers of hosts, most trusted first. Machines of an unknown tier are not verified, and may be deverified. */
export const tiers = ['verified', 'unverified', 'deverified', 'unknown'] as const
export type Tier = (typeof tiers)[number]

/** The tier that a value of `verified` chooses; undefined: it is yes, no or all. */
export const tierOfFilter = (verified: string): Tier | undefined => tiers.find((tier) => tier === verified)

/** The hosting types of machines, with their words. `sql/clickhouse/fragments/filters.sql` has their numbers. */
const hostings = { secure_cloud: 'secure cloud', community: 'community' }
export type HostingType = keyof typeof hostings
export const hostingTypes = keysOf(hostings)
export const hostingChoices = ['all', ...hostingTypes] as const
export const hostingWords: Readonly<Record<string, string>> = hostings

const verifications: Record<string, string> = {
  yes: 'verified',
  no: 'unverified',
  verified: 'verified',
  unverified: 'not yet verified',
  deverified: 'deverified',
  unknown: 'unverified of an unknown tier',
}

/** The filters that have a list of values. */
export const filterChoices = { verified: verifiedChoices, hosting_type: hostingChoices } as const

/** The filters of an object, without its other properties. */
export const filterOf = <Filter extends Record<keyof Filters, unknown>>(
  from: Filter,
): Pick<Filter, keyof Filters> => recordOf(filterNames, (name) => from[name])

/** The filter that all machines pass. */
export const everyMachine = {
  verified: 'all',
  hosting_type: 'all',
  num_gpus: 'all',
  gpu_memory: 'all',
} as const
export const filterNames = keysOf(everyMachine)

/**
 * The filters by which a class is widened, one after the other, beginning with the last. GPUs of one name with another size of memory are another
 * product, so the size is never left out.
 */
export const widenedNames = filterNames.filter((name) => name !== 'gpu_memory')

/** The filters of the market, in the API's form. */
export type Filters = Record<keyof typeof everyMachine, string>

/** The filters of a query string. A missing filter is `all`. */
export function filtersFrom(given: URLSearchParams): Filters {
  const filters = Object.fromEntries([...given].filter(([name]) => name in everyMachine))
  const tier = tierOfFilter(given.get('tier') ?? '')
  return { ...everyMachine, ...filters, ...(tier && { verified: tier }) }
}

/** The filters in the API's form, from any other form. All rig sizes or memory sizes are 0 in a query, and missing in an assistant's request. */
export const filterParameters = (filter: { [Name in keyof Filters]?: string | number | undefined }) =>
  recordOf(filterNames, (name) => String(filter[name] || 'all'))

/** Parameters of a request, in which a tier of hosts has a parameter of its own. */
export const askedFilters = <Asked extends object>(
  asked: Asked & { verified?: string | number | undefined },
): Asked & { tier?: Tier } => {
  const tier = tierOfFilter(String(asked.verified))
  return tier ? { ...asked, verified: undefined, tier } : asked
}

/** Filters where tiers are not known: a tier that is not verified is `no`. */
export const withoutTier = <Of extends { verified: string }>(filters: Of) => {
  const { verified } = filters
  return { ...filters, verified: verifiedChoices.find((choice) => choice === verified) ?? 'no' }
}

/** The properties of a machine that filters test. */
export interface MachineClass {
  verified: boolean
  hosting_type: string
  num_gpus: number
  /** GB per GPU, as sold (contract/gpu-memory.ts); 0: not known. */
  gpu_memory: number
}

const passes: Record<keyof Filters, (machine: MachineClass, chosen: string) => boolean> = {
  verified: ({ verified }, chosen) => verified === (chosen === 'yes'),
  hosting_type: ({ hosting_type }, chosen) => hosting_type === chosen,
  num_gpus: ({ num_gpus }, chosen) => num_gpus === Number(chosen),
  gpu_memory: ({ gpu_memory }, chosen) => gpu_memory === Number(chosen),
}

/** The filters of a class, or of a wider one. If the memory of a machine is unknown, its class has all sizes. */
export const filtersOfClass = (
  of: {
    [Name in keyof MachineClass]: MachineClass[Name] | null
  },
): Filters => recordOf(filterNames, (name) => chosenOf(of[name]))

const chosenOf = (value: MachineClass[keyof MachineClass] | null): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value || 'all')

/** The class of a machine as a key. */
export const classKey = (machine: MachineClass): string => filterNames.map((name) => machine[name]).join()

/**
 * The rows of a machine's product. If its GPU name has several sizes of memory, these are the rows with the machine's size. If the name has one
 * size, or the machine's size is unknown, these are all rows, including rows of unknown size.
 */
export function ofProduct<Row extends Pick<MachineClass, 'gpu_memory'>>(
  { gpu_memory: own }: Pick<MachineClass, 'gpu_memory'>,
  rows: readonly Row[],
): readonly Row[] {
  const isOther = ({ gpu_memory }: Row) => gpu_memory !== 0 && gpu_memory !== own
  return own !== 0 && rows.some(isOther) ? rows.filter(({ gpu_memory }) => gpu_memory === own) : rows
}

/** A function that tests if a machine passes the filter. */
export function passing(filter: Parameters<typeof filterParameters>[0]) {
  const chosen = filterParameters(filter)
  const inForce = filterNames.filter((name) => chosen[name] !== 'all')
  return (machine: MachineClass): boolean => inForce.every((name) => passes[name](machine, chosen[name]))
}

/** The words of each filter, in the order of a sentence; undefined: it excludes no machine. */
const wordsOf: Record<keyof Filters, (chosen: string) => string | undefined> = {
  verified: (chosen) => verifications[chosen],
  num_gpus: (chosen) => (chosen === 'all' ? undefined : `${chosen}×`),
  gpu_memory: (chosen) => (Number(chosen) > 0 ? `${chosen} GB` : undefined),
  hosting_type: (chosen) => hostingWords[chosen],
}

/** The filters that exclude machines, each with its words. */
export const filtersInForce = (filters: Filters): [keyof Filters, string][] =>
  keysOf(wordsOf).flatMap((name): [keyof Filters, string][] => {
    const words = wordsOf[name](filters[name])
    return words ? [[name, words]] : []
  })

/** Words for the machines that pass the filters. */
export function machinesThat(filters: Filters): string {
  const words = filtersInForce(filters).map(([, word]) => word)
  return words.length > 0 ? `${words.join(', ')} machines` : 'all machines'
}
