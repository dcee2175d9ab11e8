import type { Wait } from '../../estimates/pooled/wait.ts'
import type { RuleMarket } from '../rules/markets.ts'

/** The market of own machines whose waits are read. */
export type WaitMarket = Pick<RuleMarket, 'series' | 'own' | 'costs' | 'figuresOf'>

/** The usual wait of a machine for its next rental at its present price; undefined: there is no estimate. */
export type WaitOf = (id: number) => Pick<Wait, 'hours' | 'long_hours'> | undefined

/** Reads the waits of some machines of accounts, as the figures of own machines have them. */
export async function readWaits(
  market: WaitMarket,
  wanted: ReadonlyMap<number, readonly number[]>,
  interval: number,
): Promise<WaitOf> {
  const found = new Map<number, Wait>()
  for (const [account, ids] of wanted)
    if (ids.length > 0)
      for (const [id, wait] of await waitsOfAccount(market, { account, ids: new Set(ids), interval }))
        found.set(id, wait)
  return (id) => found.get(id)
}

async function waitsOfAccount(
  { series, own, costs: costBook, figuresOf }: WaitMarket,
  { account, ids, interval }: { account: number; ids: ReadonlySet<number>; interval: number },
): Promise<Map<number, Wait>> {
  const costs = await costBook.read(account)
  const found = new Map<number, Wait>()
  for await (const { source, machines } of own.pages(account)) {
    const waiting = machines.filter(({ id }) => ids.has(id))
    if (waiting.length === 0) continue
    const recorded = await series.recorded()
    const market = { state: await series.state(), slots: await series.slots() }
    const figures = await figuresOf(waiting, { account, source, recorded, market, interval, costs })
    for (const [id, { advice }] of figures) if (advice.wait_now) found.set(id, advice.wait_now)
  }
  return found
}
