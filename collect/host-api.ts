import { z } from 'zod'
import { hasPrivateHost } from '../platform/security/private-network.ts'
import { callHost, HostApiError, type HostApiOptions, withoutKey } from './host-call.ts'

const price = z.number().nonnegative().nullish()

/** A machine as the marketplace shows it to its host. null or absent: the marketplace does not report it. */
const hostMachine = z.object({
  id: z.int().positive(),
  host_id: z.int().nullish(),
  num_gpus: z.int().positive(),
  gpu_name: z.string(),
  listed: z.boolean().nullish(),
  /** USD per GPU-hour */
  listed_gpu_cost: price,
  /** Lowest price of an interruptible rental, USD per GPU-hour */
  min_bid_price: price,
  /** USD per GB and month */
  listed_storage_cost: price,
  /** USD per GB */
  listed_inet_up_cost: price,
  listed_inet_down_cost: price,
  listed_min_gpu_count: z.int().nullish(),
  credit_discount_max: z.number().nullish(),
  /** Unix seconds: when the listing ends */
  end_date: z.number().nullish(),
  duration: z.number().nullish(),
  /** GB of disk that are offered as volumes, and USD per GB and month */
  volume_total_size: z.number().nullish(),
  listed_volume_cost: price,
  reliability2: z.number().nullish(),
  /** One letter for each GPU: D on demand, R reserved, I interruptible, x or - free; with spaces between them */
  gpu_occupancy: z.string().nullish(),
  /** Seconds since it was last seen; 0: online */
  timeout: z.number().nullish(),
  current_rentals_running: z.int().nullish(),
  /** Unix seconds: when the last running contract of a renter ends */
  client_end_date: z.number().nullish(),
  /** USD per hour that the machine earns now */
  earn_hour: price,
})
export type HostMachine = z.infer<typeof hostMachine>

const mostMachines = 5000
const machinesAnswer = z.object({
  machines: z.array(hostMachine).max(mostMachines),
  total_machines: z.int().nullish(),
})

const earned = z.object({
  gpu_earn: z.number().nullish(),
  sto_earn: z.number().nullish(),
  bwu_earn: z.number().nullish(),
  bwd_earn: z.number().nullish(),
})
const earningsAnswer = z.object({
  per_machine: z.array(earned.extend({ machine_id: z.int() })).max(mostMachines),
  per_day: z.array(earned.extend({ day: z.int() })).max(4000),
})

/** A range of days since 1970 (UTC), both inclusive, and the machine whose earnings are requested. */
export interface EarningsRange {
  machine: number
  from: number
  to: number
}

/** USD that a machine earned on a day, in days since 1970. */
export interface DayEarned {
  day: number
  gpu: number
  storage: number
  traffic: number
}

const keysAnswer = z.union([z.array(z.unknown()), z.object({ apikeys: z.array(z.unknown()) })])

const changed = z.object({ success: z.boolean(), msg: z.string().nullish() })

export interface HostApi {
  /**
   * True if the key can do more than read machines and earnings. The test: such a key must not be able to list the account's
   * keys. null: the marketplace did not answer this.
   */
  canDoMore(): Promise<boolean | null>
  /** The machines of the key's account. */
  readOwnMachines(): Promise<HostMachine[]>
  /** Earnings of a machine by day. A day without an entry earned nothing. */
  readEarnings(range: EarningsRange): Promise<DayEarned[]>
  /**
   * Lists the machine again at `price`, USD per GPU-hour, with the other terms of `machine`. A minimum bid above the price is
   * lowered to it.
   */
  relist(machine: HostMachine, price: number): Promise<void>
}

/**
 * Calls a Vast-style marketplace with a host's own key. It follows no redirect, so the key goes only to the address that the
 * operator configured.
 */
export function openHostApi(options: HostApiOptions): HostApi {
  const base = baseOf(options.url)
  const ask = <T>(schema: z.ZodType<T>, path: string, body?: object): Promise<T> =>
    callHost(schema, new URL(`${base}${path}`), options, body)
  const change = async (path: string, body: object) => {
    const { success, msg } = await ask(changed, path, body)
    if (!success)
      throw new HostApiError('refused', `The marketplace refused it: ${withoutKey(msg ?? '', options)}`)
  }

  return {
    async canDoMore() {
      try {
        await ask(keysAnswer, 'auth/apikeys/')
        return true
      } catch (error) {
        if (!(error instanceof HostApiError)) throw error
        return error.failure === 'key' ? false : null
      }
    },
    async readOwnMachines() {
      const { machines, total_machines } = await ask(machinesAnswer, 'machines?owner=me')
      if ((total_machines ?? machines.length) !== machines.length)
        throw new HostApiError(
          'unreadable',
          `The marketplace announces ${total_machines} machines but lists ${machines.length}.`,
        )
      return machines
    },
    async readEarnings({ machine, from, to }) {
      const query = new URLSearchParams({
        owner: 'me',
        sday: `${from}`,
        eday: `${to}`,
        machid: `${machine}`,
      })
      const { per_machine, per_day } = await ask(earningsAnswer, `users/me/machine-earnings?${query}`)
      if (per_machine.some(({ machine_id }) => machine_id !== machine))
        throw new HostApiError('unreadable', 'The answer has earnings of other machines.')
      return per_day
        .filter(({ day }) => day >= from && day <= to)
        .map(({ day, gpu_earn, sto_earn, bwu_earn, bwd_earn }) => ({
          day,
          gpu: gpu_earn ?? 0,
          storage: sto_earn ?? 0,
          traffic: (bwu_earn ?? 0) + (bwd_earn ?? 0),
        }))
    },
    relist: async (machine, price) => {
      const { price_min_bid = null, ...terms } = termsOf(machine)
      const least = price_min_bid === null ? null : Math.min(price_min_bid, price)
      await change('machines/create_asks/', { ...terms, price_gpu: price, price_min_bid: least })
    },
  }
}

/** The terms of a listing. Listing a machine sets all of its terms, so an unknown one would be lost. Throws HostApiError then. */
export function termsOf(machine: HostMachine): Record<string, number | null> {
  const needed = [
    ...(['listed_storage_cost', 'listed_inet_up_cost', 'listed_inet_down_cost'] as const),
    'listed_min_gpu_count',
  ] as const
  const unknown = needed.filter((field) => typeof machine[field] !== 'number')
  if (unknown.length > 0)
    throw new HostApiError(
      'refused',
      `The marketplace does not show ${unknown.join(', ')} of machine ${machine.id}. Listing it again would lose them, so its price stays.`,
    )
  return {
    machine: machine.id,
    price_gpu: machine.listed_gpu_cost ?? null,
    price_disk: machine.listed_storage_cost ?? null,
    price_inetu: machine.listed_inet_up_cost ?? null,
    price_inetd: machine.listed_inet_down_cost ?? null,
    price_min_bid: machine.min_bid_price ?? null,
    min_chunk: machine.listed_min_gpu_count ?? null,
    end_date: machine.end_date ?? null,
    credit_discount_max: machine.credit_discount_max ?? null,
    duration: machine.duration ?? null,
    vol_size: machine.volume_total_size ?? null,
    vol_price: machine.listed_volume_cost ?? null,
  }
}

/** True if a GPU of the machine is rented, or its letter is not known. A higher price may then be a request to the renter. */
export const hasRental = ({ gpu_occupancy, current_rentals_running }: HostMachine): boolean =>
  (current_rentals_running ?? 0) > 0 || /[^x\s-]/.test(gpu_occupancy ?? '')

/** The reason why a key cannot be used with a source; undefined: it can be used. */
export function hostApiProblem(source: string): string | undefined {
  const [, kind = '', url = ''] = /^(\w+)=(.*)$/s.exec(source) ?? []
  if (kind !== 'vast') return `a key works only with a source of the kind vast, but this one is ${kind}`
  if (!url.startsWith('https:') && !hasPrivateHost(url))
    return 'the address of the source is not https, so a key would be readable on its way'
  return undefined
}

/** The API address in the name of a source. */
export const hostApiUrl = (source: string): string => source.replace(/^\w+=/, '').replace(/#.*$/s, '')

/** The folder of the API that a URL belongs to. */
export function baseOf(text: string): string {
  const url = new URL(text)
  const [, folder = ''] = /^(.*)\/api\/v0(\/|$)/.exec(url.pathname) ?? []
  return `${url.origin}${folder}/api/v0/`
}
