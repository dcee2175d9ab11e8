import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { Queue } from 'bullmq'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { findKey } from '../platform/security/api-keys.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { type QueueOfMarket, readQueueStates } from './queue-states.ts'
import { migrateQueues, openQueues, type QueueAddress } from './queues.ts'
import { marketQueues, queueNames } from './schedule.ts'

const path = '/admin/queues'

// The page needs a <base> and inline styles. It also requests fonts from another site, which this policy blocks.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'self'; frame-ancestors 'none'; form-action 'none'"

interface BoardMarket {
  /** The name of its source; null: the first market. */
  name: string | null
  postgres: Postgres
  queues: QueueAddress
}

/**
 * A read-only page on the queues for admins, at /admin/queues. The browser requests any user name, and as the password the API
 * key of an admin. `markets`: the collected ones besides the first; `base`: the path prefix of the service behind a proxy.
 */
export async function openBoard(
  site: Omit<BoardMarket, 'name'>,
  markets: readonly BoardMarket[],
  base: string,
) {
  const opened = await Promise.all([
    openOf({ ...site, name: null }, [...queueNames, 'runs']),
    ...markets.map((market) => openOf(market, marketQueues)),
  ])
  const queues = opened.flatMap((one) => one.queues)
  const serverAdapter = new FastifyAdapter()
  serverAdapter.setBasePath(`${base}${path}`)
  createBullBoard({
    queues: queues.map(
      ({ queue, market }) =>
        new BullMQAdapter(queue as Queue, {
          readOnlyMode: true,
          prefix: market === null ? '' : `${market}: `,
        }),
    ),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'rackrate queues' } },
  })
  const plugin: FastifyPluginAsync = async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      if (await isAdmin(site.postgres, request)) return
      return reply
        .code(401)
        .header(
          'www-authenticate',
          'Basic realm="rackrate queues: any user name, and the API key of an admin as password"',
        )
        .type('text/plain; charset=utf-8')
        .send('Only admins can see the queues. Enter any user name, and your API key as password.')
    })
    app.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', policy)
    })
    await app.register(serverAdapter.registerPlugin(), { prefix: path })
  }
  return {
    plugin,
    read: (now: number) => readQueueStates(queues, now),
    close: () => Promise.all(opened.map(({ close }) => close())),
  }
}

async function openOf({ name: market, postgres, queues: address }: BoardMarket, names: readonly string[]) {
  await migrateQueues(postgres, address)
  const { queue: open, close } = openQueues(address)
  const queues = names.map((name): QueueOfMarket => ({ queue: open(name), market }))
  for (const { queue } of queues) queue.on('error', () => {}) // the page itself shows that the queues are unavailable
  return { queues, close }
}

async function isAdmin(postgres: Postgres, { headers }: FastifyRequest): Promise<boolean> {
  const given = /^Basic ([A-Za-z0-9+/=]{1,400})$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const [, key = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(given, 'base64').toString()) ?? []
  const row = await findKey(postgres, key)
  return row?.is_admin === true && row.permissions.api.machine_read !== undefined
}
