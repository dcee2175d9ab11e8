// Without zod: the page imports this, too. The first of each is the default.

export const verifiedChoices = ['yes', 'no', 'all'] as const
export const hostingChoices = ['all', 'secure_cloud', 'community'] as const

const hostings: Record<string, string> = { secure_cloud: 'secure cloud', community: 'community' }
const verifications: Record<string, string> = { yes: 'verified', no: 'unverified' }

/** The filters that have a list of values. */
export const filterChoices = { verified: verifiedChoices, hosting_type: hostingChoices } as const

/** The filter of a question or of a view, alone. */
export const filterOf = <Filter extends Record<keyof Filters, unknown>>(
  from: Filter,
): Pick<Filter, keyof Filters> =>
  Object.fromEntries(filterNames.map((name) => [name, from[name]])) as Pick<Filter, keyof Filters>

/** The filter that all machines pass. */
export const everyMachine = {
  verified: 'all',
  hosting_type: 'all',
  num_gpus: 'all',
  gpu_memory: 'all',
} as const
export const filterNames = Object.keys(everyMachine) as (keyof typeof everyMachine)[]

/**
 * The filters by which a class is widened, one after the other, beginning with the last. GPUs of one name with another size of memory are another
 * product, so the size is never left out.
 */
export const widenedNames = filterNames.filter((name) => name !== 'gpu_memory')

/** Which machines of the market count, as the API takes it. */
export type Filters = Record<keyof typeof everyMachine, string>

/** The filter of a query string, in which a filter that is missing is `all`. */
export const filtersFrom = (given: URLSearchParams): Filters => ({
  ...everyMachine,
  ...Object.fromEntries([...given].filter(([name]) => name in everyMachine)),
})

/** A filter in any form as the API takes it. All rig sizes, or sizes of memory, are 0 in a question, and missing in what an assistant asks. */
export const filterParameters = (filter: { [Name in keyof Filters]?: string | number | undefined }) =>
  Object.fromEntries(filterNames.map((name) => [name, String(filter[name] || 'all')])) as Filters

/** What filters ask of a machine. */
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

/** A class, or a wider one, as the filters of the market. That of a machine whose memory is not known has all sizes. */
export const filtersOfClass = (
  of: {
    [Name in keyof MachineClass]: MachineClass[Name] | null
  },
): Filters => Object.fromEntries(filterNames.map((name) => [name, chosenOf(of[name])])) as Filters

const chosenOf = (value: MachineClass[keyof MachineClass] | null): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value || 'all')

/** The class of a machine as a key. */
export const classKey = (machine: MachineClass): string => filterNames.map((name) => machine[name]).join()

/**
 * The rows of a GPU name that are of the product of a machine. Where the name has several sizes of memory, these are the rows with the size of the
 * machine. Where it has one only, or the size of the machine is not known, they are all rows, also those whose size is not known.
 */
export function ofProduct<Row extends Pick<MachineClass, 'gpu_memory'>>(
  { gpu_memory: own }: Pick<MachineClass, 'gpu_memory'>,
  rows: readonly Row[],
): readonly Row[] {
  const isOther = ({ gpu_memory }: Row) => gpu_memory !== 0 && gpu_memory !== own
  return own !== 0 && rows.some(isOther) ? rows.filter(({ gpu_memory }) => gpu_memory === own) : rows
}

/** Whether a machine passes a filter. */
export function passing(filter: Parameters<typeof filterParameters>[0]) {
  const asked = Object.entries(filterParameters(filter)).filter(([, chosen]) => chosen !== 'all')
  return (machine: MachineClass): boolean =>
    asked.every(([name, chosen]) => passes[name as keyof Filters](machine, chosen))
}

/** The words of each filter, in the order of a sentence; undefined: it leaves no machine out. */
const wordsOf: Record<keyof Filters, (chosen: string) => string | undefined> = {
  verified: (chosen) => verifications[chosen],
  num_gpus: (chosen) => (chosen === 'all' ? undefined : `${chosen}×`),
  gpu_memory: (chosen) => (Number(chosen) > 0 ? `${chosen} GB` : undefined),
  hosting_type: (chosen) => hostings[chosen],
}

/** The filters that leave machines out, each with its words. */
export const filtersInForce = (filters: Filters): [keyof Filters, string][] =>
  (Object.keys(wordsOf) as (keyof Filters)[]).flatMap((name): [keyof Filters, string][] => {
    const words = wordsOf[name](filters[name])
    return words ? [[name, words]] : []
  })

/** Which machines a filter lets pass, in words. */
export function machinesThat(filters: Filters): string {
  const words = filtersInForce(filters).map(([, word]) => word)
  return words.length > 0 ? `${words.join(', ')} machines` : 'all machines'
}
