import { invalidArgs } from '../../platform/errors.ts'
import type { Stores } from '../../platform/stores/stores.ts'
import { type CostBook, openCostBook } from '../hosts/costs/stored.ts'
import { openComparables } from '../hosts/machines/comparables.ts'
import { openFleetAdvice } from '../hosts/machines/fleet-advice.ts'
import { type FiguresOf, openFigures } from '../hosts/machines/own-figures.ts'
import { type OwnMachines, openOwnMachines } from '../hosts/machines/own-machines.ts'
import { openFits } from '../hosts/machines/pooled/known-market.ts'
import { openRatesByDay, type RatesByDay } from '../hosts/replay/rates-by-day.ts'
import { type SeriesView, watchSeries } from '../market/market-query/series.ts'

/** A market that rules can watch, and the machines that accounts have in it. */
export interface RuleMarket extends Stores {
  /** The name of its source; null: the first one, or the site's own market. */
  source: string | null
  series: SeriesView
  own: OwnMachines
  /** The main databases of the site, which have data of no single market, such as list prices. */
  site: Stores
  costs: CostBook
  figuresOf: FiguresOf
  /** Rates of machines by day, for replays. */
  ratesByDay: RatesByDay
}

/** `main`: the site's main databases, which have accounts and rules. */
export function openRuleMarket(
  main: Stores,
  { postgres, clickhouse, source, series = watchSeries(postgres, clickhouse) }: Opening,
): RuleMarket {
  const site = main.postgres
  const of = { site, clickhouse, series, source: source ?? undefined }
  const own = openOwnMachines(of)
  const [costs, ratesByDay] = [openCostBook({ ...of, own }), openRatesByDay(clickhouse)]
  const adviseFleet = openFleetAdvice(openFits({ postgres, clickhouse }), own)
  const figuresOf = openFigures({ clickhouse, adviseFleet }, openComparables({ postgres, clickhouse }))
  return { postgres, clickhouse, source, series, own, site: main, costs, figuresOf, ratesByDay }
}

type Opening = Stores & Pick<RuleMarket, 'source'> & { series?: SeriesView }

/** The databases of a site. */
export interface SiteStores extends Stores {
  /** The markets of all sources except the first. */
  markets?: readonly (Stores & { name: string })[] | undefined
}

/** Opens the markets of a site, the first one first. */
export function openMarkets({ postgres, clickhouse, markets = [] }: SiteStores): RuleMarket[] {
  const others = markets.map(({ name, ...of }) => ({ ...of, source: name }))
  const main = { postgres, clickhouse }
  return [{ ...main, source: null }, ...others].map((of) => openRuleMarket(main, of))
}

/** The markets of a site, the first one first, and the names that their sources have now. */
export interface RuleMarkets {
  all: readonly RuleMarket[]
  known(): Promise<readonly string[]>
}

/** The market of a source; null: the first one. Throws 400 for a name that the site does not have. */
export async function marketOf({ all, known }: RuleMarkets, given: string | null): Promise<RuleMarket> {
  const found = all.find(({ source }) => source === given)
  if (found) return found
  const names = await known()
  const [first] = all
  if (first && given === names[0]) return first
  throw invalidArgs(
    names.length > 0
      ? `source must be ${names.join(' or ')}`
      : 'This site has one market. Omit source, or set it to null',
  )
}
