import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostMachine } from '../collect/host-api.ts'

/** The fault of the next calls, until it is `undefined` again. */
type AccountFault =
  | 'busy' // 429, without a time
  | 'busy for a while' // 429 with Retry-After: 120
  | 'error' // 500
  | 'down' // closes the connection before it reads
  | 'html' // 200 with a page for people
  | 'half a list' // JSON that is valid, with half of the machines
  | 'cut' // half of the bytes
  | 'deaf' // answers 200 with success, and does nothing
  | 'lost answer' // does it, and closes the connection
  | 'no answer' // does it, and never answers
  | 'refused' // 200 with success false
  | 'redirect'

interface Call {
  method: string
  path: string
  query: Record<string, string>
  key: string
  body: Record<string, unknown>
}

/** A machine with all of its terms. */
export const hostMachine = (id: number, given: Partial<HostMachine> = {}): HostMachine => {
  const gpus = given.num_gpus ?? 4
  return {
    id,
    host_id: 50,
    num_gpus: gpus,
    gpu_name: 'RTX 4090',
    listed: true,
    listed_gpu_cost: 0.4,
    min_bid_price: 0.2,
    listed_storage_cost: 0.15,
    listed_inet_up_cost: 0.002,
    listed_inet_down_cost: 0.001,
    listed_min_gpu_count: 1,
    credit_discount_max: 0.3,
    end_date: 1_798_734_448.5,
    duration: null,
    volume_total_size: 200,
    listed_volume_cost: 0.12,
    reliability2: 0.9913,
    gpu_occupancy: Array(gpus).fill('x').join(' '),
    timeout: 0,
    current_rentals_running: 0,
    ...given,
  }
}

/** A request to a renter to accept a higher price for a running rental. */
export interface PriceIncrease {
  machine: number
  old_price: number
  new_price: number
  state: 'pending' | 'accepted' | 'refused'
}

const isRented = ({ gpu_occupancy }: HostMachine): boolean => /[DRI]/.test(gpu_occupancy ?? '')

interface HostAccount {
  key: string
  machines: HostMachine[]
  /** True if the key may also list the keys of the account. */
  canDoMore: boolean
  /** USD by machine and day since 1970; a quarter of it is for storage and traffic. */
  earned: Map<number, Map<number, number>>
}

/** The accounts of hosts at a stand-in for a marketplace: their machines with all terms, their keys and what they earned. */
export function openHostAccounts({ onPrice }: { onPrice?: (machine: number, price: number) => void } = {}) {
  const accounts = {
    list: [] as HostAccount[],
    /** The requests that listing a rented machine at a higher price has made. */
    increases: [] as PriceIncrease[],
    /** The renters of a machine decide: the price of their contracts changes only when they accept. */
    decide(machine: HostMachine, state: 'accepted' | 'refused') {
      for (const increase of accounts.increases) {
        if (increase.machine !== machine.id || increase.state !== 'pending') continue
        increase.state = state
        const gpus = machine.gpu_occupancy?.match(/[DRI]/g)?.length ?? 0
        if (state === 'accepted') machine.earn_hour = increase.new_price * gpus
      }
    },
    /** All calls, including failed ones. */
    calls: [] as Call[],
    /** The faults by the part of the path that they apply to; `''`: any path. */
    fault: undefined as AccountFault | undefined,
    faultPath: '',
    add(key: string, machines: HostMachine[]): HostAccount {
      const account = { key, machines, canDoMore: false, earned: new Map() }
      accounts.list.push(account)
      return account
    },
    revoke(key: string) {
      accounts.list = accounts.list.filter((one) => one.key !== key)
    },
    /** True if the path is one of these calls. */
    has: (path: string) => /^\/api\/v0\/(machines|users|auth)(\/|$)/.test(path),
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const url = new URL(request.url ?? '', 'http://x')
      const fault = url.pathname.includes(accounts.faultPath) ? accounts.fault : undefined
      const text = await textOf(request)
      const call = {
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        key: `${request.headers.authorization}`.replace(/^Bearer /, ''),
        body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
      }
      accounts.calls.push(call)
      if (fault === 'down') return void response.destroy()
      if (fault === 'busy') return void response.writeHead(429).end('API requests too frequent')
      if (fault === 'busy for a while') return void response.writeHead(429, { 'retry-after': '120' }).end()
      if (fault === 'error') return void response.writeHead(500).end('oops')
      if (fault === 'html')
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Please sign in</h1>')
      if (fault === 'redirect') return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
      const account = accounts.list.find((one) => one.key === call.key)
      if (!account) return send(response, 401, { success: false, msg: 'Invalid user key' })
      if (fault === 'refused')
        return send(response, 200, { success: false, msg: `not with the key ${call.key}` })
      if (fault === 'deaf') return send(response, 200, { success: true })
      if (call.path.startsWith('/api/v0/auth/') && !account.canDoMore)
        return send(response, 403, { success: false, msg: 'not with this key' })
      const body = perform(account, call)
      if (fault === 'lost answer') return void response.destroy()
      if (fault === 'no answer') return
      if (fault === 'half a list' && Array.isArray(body?.machines))
        body.machines = body.machines.slice(0, Math.floor(body.machines.length / 2))
      if (fault === 'cut') return void response.end(JSON.stringify(body).slice(0, 20))
      return body ? send(response, 200, body) : send(response, 404, { success: false, msg: 'Not found' })
    },
  }

  function perform(
    account: HostAccount,
    { method, path, query, body }: Call,
  ): Record<string, unknown> | undefined {
    const route = `${method} ${path.replace(/\/$/, '')}`
    if (route === 'GET /api/v0/machines')
      return { machines: account.machines, total_machines: account.machines.length }
    if (route === 'GET /api/v0/auth/apikeys') return { apikeys: [{ id: 1, key: null, name: 'main' }] }
    if (route === 'GET /api/v0/users/me/machine-earnings') return earningsOf(account, query)
    const machine = account.machines.find(({ id }) => id === Number(body.machine))
    if (!machine || route !== 'PUT /api/v0/machines/create_asks') return undefined
    list(machine, body)
    return { success: true }
  }

  // As in the marketplace, a term that is not sent back is missing in the new listing.
  function list(machine: HostMachine, body: Record<string, unknown>): void {
    const term = (name: string) => (typeof body[name] === 'number' ? (body[name] as number) : null)
    const [old_price, new_price] = [machine.listed_gpu_cost ?? 0, term('price_gpu') ?? 0]
    if (isRented(machine) && new_price > old_price)
      accounts.increases.push({ machine: machine.id, old_price, new_price, state: 'pending' })
    Object.assign(machine, {
      listed: true,
      listed_gpu_cost: term('price_gpu'),
      listed_storage_cost: term('price_disk'),
      listed_inet_up_cost: term('price_inetu'),
      listed_inet_down_cost: term('price_inetd'),
      min_bid_price: term('price_min_bid'),
      listed_min_gpu_count: term('min_chunk'),
      end_date: term('end_date'),
      credit_discount_max: term('credit_discount_max'),
      duration: term('duration'),
      volume_total_size: term('vol_size'),
      listed_volume_cost: term('vol_price'),
    })
    onPrice?.(machine.id, term('price_gpu') ?? 0)
  }

  return accounts
}

const partsOf = (usd: number) => ({
  gpu_earn: usd * 0.75,
  sto_earn: usd * 0.125,
  bwu_earn: usd * 0.0625,
  bwd_earn: usd * 0.0625,
})

function earningsOf({ machines, earned }: HostAccount, query: Record<string, string>) {
  const [from, to] = [Number(query.sday), Number(query.eday)]
  const ids = machines.map(({ id }) => id).filter((id) => !query.machid || id === Number(query.machid))
  const days = new Map<number, number>()
  const perMachine = ids.map((machine_id) => {
    const own = [...(earned.get(machine_id) ?? [])].filter(([day]) => day >= from && day <= to)
    for (const [day, usd] of own) days.set(day, (days.get(day) ?? 0) + usd)
    return { machine_id, ...partsOf(own.reduce((sum, [, usd]) => sum + usd, 0)) }
  })
  return {
    summary: {},
    current: { balance: 12.5, service_fee: 0, total: 12.5, credit: 0 },
    per_machine: perMachine,
    per_day: [...days].map(([day, usd]) => ({ day, ...partsOf(usd) })),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
