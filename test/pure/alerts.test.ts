import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AlertCondition, alertCondition } from '../../contract/alert-conditions.ts'
import { alertBody } from '../../contract/alerts.ts'
import { chatServiceOf } from '../../contract/chat-services.ts'
import { evaluate } from '../../src/alerts/evaluate.ts'
import { atomOf } from '../../src/alerts/feed/atom.ts'
import { mailOf } from '../../src/alerts/mail.ts'
import type { MachineFigure, SlotFigures } from '../../src/alerts/slot-figures.ts'
import { hookRequest } from '../../src/alerts/webhook/request.ts'
import { signedHeaders } from '../../src/rules/webhook/sign.ts'
import { at, figure, interval, machine, start, told } from '../alert-slots.ts'
import { expectedMessages } from '../oracle/alerts.ts'

const below = alertCondition.parse({
  kind: 'statistic',
  gpu_name: 'rtx_4090',
  statistic: 'avail_median',
  is: 'below',
  limit: 0.3,
})

const medians = (...values: (number | null)[]) =>
  values.map((avail_median, n) => at(start + n * interval, { market: () => figure({ avail_median }) }))

it('a rule on the end of a listing speaks once, and once when the listing was prolonged', () => {
  const condition = alertCondition.parse({ kind: 'listing_ends', days: 7 })
  const day = 86_400
  const ends = [8, 7, 6.5, null, 6, 30, undefined].map((days, n) => {
    const slot = start + n * interval
    return at(slot, {
      machine: () =>
        days === undefined ? undefined : machine({ ends: days === null ? null : slot + days * day }),
    })
  })
  expect(told(condition, ends)).toEqual([
    '1 fired: The listing of machine 7 ends in 7 days. After that it cannot be rented.',
    '5 resolved: The listing of machine 7 ends in 30 days, which is again more than 7 days away.',
  ])
})

describe('a rule on a figure', () => {
  it('speaks once when it is so for two slots in a row, and once when it is over', () => {
    expect(told(below, medians(0.31, 0.29, 0.31, 0.29, 0.28, 0.27, 0.26, 0.3, 0.31, 0.32))).toEqual([
      '4 fired: rtx 4090 (verified): the available median is $0.28, below $0.3.',
      '8 resolved: rtx 4090 (verified): the available median is $0.31, no longer below $0.3.',
    ])
  })

  it('stays as it is between the limit and where it clears', () => {
    const wide = { ...below, clears_at: 0.35, slots: 1 } as AlertCondition
    expect(
      told(wide, medians(0.29, 0.31, 0.34, 0.29, 0.35, 0.31, 0.29)).map((line) => line.slice(0, 10)),
    ).toEqual(['0 fired: r', '4 resolved', '6 fired: r'])
  })

  it('ignores a slot without the figure, and begins to count again after a gap', () => {
    expect(told(below, medians(0.2, null, null, 0.2)).map((line) => line[0])).toEqual(['3'])
    expect(told(below, medians(0.2, null, null, null, 0.2))).toEqual([])
    const gone = [at(start), at(start + interval)]
    expect(told(below, gone)).toEqual([])
  })

  it('reports after its silence ends, if it still fires', () => {
    const slots = medians(0.2, 0.2, 0.2, 0.2, 0.2)
    expect(told(below, slots, start + 3 * interval).map((line) => line.slice(0, 7))).toEqual(['3 fired'])
    expect(told(below, medians(0.2, 0.2, 0.4, 0.4, 0.4), start + 4 * interval)).toEqual([])
  })

  it.each([
    ['occupancy', { is: 'above', limit: 0.4 }, 'the occupancy is 50 %, above 40 %'],
    ['available_gpus', { is: 'below', limit: 60 }, 'the number of available GPUs is 50, below 60'],
    ['rented_p90', { is: 'above', limit: 0.1 }, 'p90 of the rented prices is $0.4, above $0.1'],
    ['fill_rate', { is: 'below', limit: 0.5 }, 'the fill rate is 0.125 rentals per GPU-hour, below 0.5'],
    ['list_price', { is: 'below', limit: 2 }, 'the lowest list price of a cloud is $1.5, below $2'],
  ])('watches %s', (statistic, changes, text) => {
    const condition = alertCondition.parse({ ...below, ...changes, statistic, slots: 1, verified: 'all' })
    const slots = [at(start, { market: () => figure(), fillRate: () => 0.125, listPrice: () => 1.5 })]
    expect(told(condition, slots)[0]).toContain(text)
  })

  it('rests after an alert, and reports afterwards if it still fires', () => {
    const resting = alertCondition.parse({ ...below, slots: 1, rest_hours: 1 })
    // A slot is 5 minutes, so the rule rests for 12 slots.
    const noisy = medians(0.2, 0.4, 0.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.2, 0.2, 0.2, 0.2, 0.2, 0.4, 0.2)
    expect(told(resting, noisy).map((line) => line.split(':')[0])).toEqual([
      '0 fired',
      '1 resolved',
      '12 fired',
      '14 resolved',
    ])
    expect(told(alertCondition.parse({ ...below, slots: 1 }), noisy)).toHaveLength(7)
  })

  it('keeps its state as it is when a slot changes nothing', () => {
    const state = { '': { since: start, value: 0.2, limit: 0.3, told: true } }
    const rule = { account_id: 1, condition: below, silenced_until: null, state }
    expect(evaluate(rule, at(start, { market: () => figure({ avail_median: 0.2 }) })).state).toBe(state)
    expect(evaluate({ ...rule, state: {} }, at(start, { market: () => figure() })).state).toEqual({})
  })

  it('always equals the plain definition', () => {
    const values = fc.array(
      fc.record({
        pause: fc.constantFrom(1, 1, 1, 1, 2, 3, 4, 5),
        value: fc.option(fc.integer({ min: 1, max: 5 })),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(
        values,
        fc.constantFrom('above' as const, 'below' as const),
        fc.tuple(
          fc.integer({ min: 1, max: 5 }),
          fc.integer({ min: 0, max: 2 }),
          fc.integer({ min: 1, max: 4 }),
        ),
        fc.option(fc.nat(100)),
        (given, is, [limit, apart, slots], silent) => {
          const clears_at = is === 'above' ? limit - apart : limit + apart
          const condition = alertCondition.parse({
            ...below,
            is,
            limit,
            clears_at: Math.max(0, clears_at),
            slots,
          })
          let slot = start
          const series = given.map(({ pause, value }) => {
            slot += pause * interval
            return { slot, value }
          })
          const silentUntil = silent === null ? 0 : start + silent * interval
          const expected = expectedMessages(series, {
            isMet: (value) => (is === 'above' ? value > limit : value < limit),
            isClear: (value) => (is === 'above' ? value <= Math.max(0, clears_at) : value >= clears_at),
            slots,
            interval,
            silentUntil,
          })
          const found = told(
            condition,
            series.map(({ slot, value }) => at(slot, { market: () => figure({ avail_median: value }) })),
            silent === null ? null : silentUntil,
          )
          expect(found.map((line) => line.split(':')[0])).toEqual(
            expected.map((line) => {
              const [when, what] = line.split(' ')
              return `${(Number(when) - start) / interval} ${what}`
            }),
          )
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('a rule on the wait of own machines', () => {
  const waits = alertCondition.parse({ kind: 'machine_waits' })
  const hours = (count: number, changes: Partial<SlotFigures>) =>
    Array.from({ length: count }, (_, n) =>
      at(start + n * interval, { machine: () => machine(), ...changes }),
    )
  // Half of such machines wait for longer than 0.25 hours, one in five for longer than half an hour, and one in 20 for longer than 0.88.
  const waitOf = () => ({ hours: 0.25, long_hours: 0.5 })

  it('fires when the machine has waited longer than 19 of 20, and ends with a rental', () => {
    const slots = hours(14, { waitOf })
    const rented = at(start + 14 * interval, { machine: () => machine({ rented: 1 }) })
    expect(told(waits, [...slots, rented])).toEqual([
      '11 fired: Machine 7 has been idle for 0.917 hours: only 1 in 20 such machines waits longer than 0.878 hours at its price.',
      '14 resolved: Machine 7 is rented again.',
    ])
  })

  it('does not fire without an estimate of the wait', () => {
    expect(told(waits, hours(50, {}))).toEqual([])
  })
})

describe('a rule on own machines', () => {
  const idle = alertCondition.parse({ kind: 'machine_idle', hours: 1 })
  const hour = Array.from({ length: 13 }, (_, n) => n)
  const seen = (states: readonly (Partial<MachineFigure> | null)[], more: Partial<SlotFigures> = {}) =>
    states.map((state, n) =>
      at(start + n * interval, { machine: () => (state === null ? undefined : machine(state)), ...more }),
    )

  it('counts from the last rental, and ends with the next one', () => {
    const states = [{ rented: 1 }, ...hour.map(() => ({})), {}, { rented: 2 }, {}]
    expect(told(idle, seen(states))).toEqual([
      '13 fired: Machine 7 has been idle for 1 hours.',
      '15 resolved: Machine 7 is rented again.',
    ])
  })

  it('knows of an idle machine at its first slot since when it is idle', () => {
    const idleSince = () => start - 7200
    expect(told(idle, seen([{}, {}], { idleSince }))).toEqual([
      '0 fired: Machine 7 has been idle for 2 hours.',
    ])
  })

  it('ignores a machine that is off the market, and forgets a removed one', () => {
    const idleSince = () => start - 7200
    const gone = seen([{}, {}], { idleSince, ownedBy: () => [] })
    expect(told(idle, [...seen([{}, null, null], { idleSince }), ...gone])).toHaveLength(1)
    const rule = {
      account_id: 1,
      condition: idle,
      silenced_until: null,
      state: { '7': { since: 1, told: true } },
    }
    expect(evaluate(rule, at(start, { ownedBy: () => [] }))).toEqual({ state: {}, entries: [] })
  })

  it('watches only the machine that it names', () => {
    const one = { ...idle, machine_id: 8 } as AlertCondition
    const slots = seen([{}, {}], { idleSince: () => 0, ownedBy: () => [7] })
    expect(told(one, slots)).toEqual([])
  })

  it('compares the price with p10 to p90 of the class, where there is one', () => {
    const price = alertCondition.parse({ kind: 'machine_price', slots: 1 })
    const market = () => figure()
    expect(
      told(price, seen([{ price: 0.5 }, { price: 0.3 }, { price: 0.1 }, { price: null }], { market })),
    ).toEqual([
      '0 fired: Machine 7 asks $0.5, which is above p90 of its class ($0.4).',
      '1 resolved: Machine 7 asks $0.3, which is within p10 to p90 of its class again.',
      '2 fired: Machine 7 asks $0.1, which is below p10 of its class ($0.2).',
    ])
    expect(told(price, seen([{ price: 0.5 }], { market: () => figure({ available: 4 }) }))).toEqual([])
  })
})

it('a rule on events reports each once, and a rule on old data once until new data arrives', () => {
  const event = {
    at: start,
    gpu_name: 'RTX 4090',
    kind: 'supply_drop',
    value: 8,
    reference: 12,
    limit: 9.6,
    sample: 1,
  } as const
  const condition = alertCondition.parse({
    kind: 'event',
    gpu_name: 'RTX 4090',
    event: 'supply_drop',
    verified: 'all',
  })
  const slots = [at(start, { eventsOf: () => [event] }), at(start + interval)]
  expect(told(condition, slots)).toEqual([
    '0 fired: RTX 4090: 8 GPUs are on the market, after 12 an hour before.',
  ])
  expect(told(condition, slots, start + 1)).toEqual([])
  const often = [0, 6, 11, 12].map((n) => at(start + n * interval, { eventsOf: () => [event] }))
  const resting = alertCondition.parse({ ...condition, rest_hours: 1 })
  expect(told(resting, often).map((line) => line.split(' ')[0])).toEqual(['0', '12'])
  const age = alertCondition.parse({ kind: 'data_age', minutes: 10 })
  const ages = [0, 0, 0, 0, 0, 5, 6].map((newest, n) =>
    at(start + n * interval, { newest: start + newest * interval }),
  )
  expect(told(age, ages)).toEqual([
    '3 fired: The newest market data is 15 minutes old.',
    '5 resolved: New market data has arrived.',
  ])
})

describe('the fields of a rule', () => {
  const body = { name: 'x', condition: { kind: 'data_age', minutes: 30 } }
  it.each([
    { name: '' },
    { name: 'x'.repeat(101) },
    { name: 'a\r\nBcc: b@c.de' },
    { condition: { kind: 'nothing' } },
    { condition: { kind: 'data_age', minutes: 9 } },
    { condition: { kind: 'data_age', minutes: 1e9 } },
    { condition: { kind: 'machine_idle', hours: 0 } },
    { condition: { kind: 'machine_idle', hours: 721 } },
    { condition: { ...below, limit: Number.NaN } },
    { condition: { ...below, limit: -1 } },
    { condition: { ...below, limit: 1e300 } },
    { condition: { ...below, slots: 289 } },
    { condition: { ...below, slots: 1.5 } },
    { condition: { ...below, statistic: 'constructor' } },
    { condition: { ...below, gpu_name: '' } },
    { condition: { ...below, gpu_name: "'; DROP TABLE x" } },
    { condition: { ...below, clears_at: 0.2 } },
    { webhook_url: 'file:///etc/passwd' },
    { webhook_url: 'https://user:pass@example.com/' },
    { webhook_url: 'https://example.com/#x' },
    { webhook_url: `https://example.com/${'x'.repeat(2000)}` },
    { webhook_url: 'example.com' },
  ])('not %j', (wrong) => {
    expect(alertBody.safeParse({ ...body, ...wrong }).success).toBe(false)
  })

  it('a name that no GPU has, and a rule that always fires', () => {
    const condition = { ...below, gpu_name: 'no_such gpu', is: 'above', limit: 0 }
    expect(alertBody.safeParse({ ...body, condition }).success).toBe(true)
  })
})

it('a mail names the market of each rule on another one, and a fill rate by its unit', () => {
  const slow = alertCondition.parse({
    kind: 'statistic',
    gpu_name: 'rtx_4090',
    verified: 'yes',
    statistic: 'fill_rate',
    is: 'below',
    limit: 0.5,
    slots: 1,
  })
  const entriesOf = (condition: AlertCondition) => {
    const rule = { account_id: 1, condition, silenced_until: null, state: {} }
    const changes = { fillRate: () => 0.125, market: () => figure({ avail_median: 0.2 }) }
    return evaluate(rule, at(start, changes)).entries
  }
  const { subject, text } = mailOf(
    [
      { name: 'Slow to rent', source: 'vast', entries: entriesOf(slow) },
      { name: 'Cheap', source: null, entries: entriesOf({ ...below, slots: 1 } as AlertCondition) },
    ],
    start,
    'https://market.example',
  )
  expect(subject).toBe('rackrate: 2 alerts')
  expect(text.split('\n').slice(2, 8)).toEqual([
    'Slow to rent (vast)',
    '  Alert: rtx 4090 (verified): the fill rate is 0.125 rentals per GPU-hour, below 0.5 rentals per GPU-hour.',
    '',
    'Cheap',
    '  Alert: rtx 4090 (verified): the available median is $0.2, below $0.3.',
    '',
  ])
  expect(text).toContain('at https://market.example/alerts')
})

it('a webhook is signed as Standard Webhooks requires', () => {
  // An example of the reference libraries.
  const headers = signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  })
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

describe('a chat service gets an alert as text', () => {
  const message = {
    rule_id: 1,
    name: 'cheap <!channel>',
    source: 'asia',
    slot: start,
    entries: [{ what: 'fired' as const, machine_id: null, since: 1, value: 1, limit: 2, text: '1 & 2' }],
  }
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const bodyAt = (url: string, given = message) => {
    const { headers, body } = hookRequest(given, { url, secret, id: 'x', timestamp: start })
    expect(headers).toEqual({})
    return body
  }
  const text = 'cheap <!channel> (asia)\n  Alert: 1 & 2'

  it.each([
    ['Discord', 'https://discord.com/api/webhooks/1/x', { content: text, allowed_mentions: { parse: [] } }],
    [
      'Slack',
      'https://hooks.slack.com/services/T/B/x',
      { text: 'cheap &lt;!channel&gt; (asia)\n  Alert: 1 &amp; 2' },
    ],
    ['Telegram', 'https://api.telegram.org/bot1:x/sendMessage?chat_id=2', { text }],
  ])('%s in its JSON', (_, url, body) => expect(JSON.parse(bodyAt(url))).toEqual(body))

  it('ntfy as the body', () => expect(bodyAt('https://ntfy.sh/topic')).toBe(text))

  it('cut to the length that the service accepts', () => {
    const long = { ...message, name: '€'.repeat(100_000) }
    expect(JSON.parse(bodyAt('https://discord.com/api/webhooks/1/x', long)).content).toHaveLength(2000)
    expect(Buffer.byteLength(bodyAt('https://ntfy.sh/topic', long))).toBeLessThanOrEqual(4096)
  })

  it('at no address that only begins like its host', () => {
    for (const url of ['https://discord.com.example/api/webhooks/1', 'http://ntfy.sh/topic'])
      expect(chatServiceOf(url)).toBeUndefined()
  })
})

it('a feed holds any text', () => {
  const entries = [
    { what: 'fired', machine_id: null, since: 1, value: 1, limit: 1, text: '<a & "b"\u0001>' },
  ] as const
  const message = { id: 'x', rule_id: 1, name: ']]>', source: null, slot: start, entries: [...entries] }
  const text = atomOf([{ ...message, webhook: null, attempts: 0, webhook_status: null }], {
    id: 'urn:x',
    self: '/?a&b',
  })
  expect(text).toContain('<title>Alert: &lt;a &amp; &quot;b&quot;&gt;</title>')
  expect(text).toContain('term="]]&gt;"')
  expect(text).toContain('href="/?a&amp;b"')
})
