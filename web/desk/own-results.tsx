import type { OwnMachine } from '../api/queries.ts'
import { earned, moment, percent, price, tenth, type Zone } from '../format.ts'
import { setReasons } from './words.ts'

/** What the machine really did, beside what is to be expected. Its place is kept while it is on its way. */
export const OwnResults = ({ machine, zone }: { machine: OwnMachine | undefined; zone: Zone }) => (
  <p class="own-results">{machine && resultsOf(machine, zone)}</p>
)

function resultsOf({ id, figures, num_gpus, rented_gpus, rented_price, price: own }: OwnMachine, zone: Zone) {
  const now = [
    `Machine ${id} now: ${rented_gpus} of ${num_gpus} GPUs rented`,
    rented_price !== null && ` at ${price(rented_price)}`,
    own === null ? ', not listed' : `, listed at ${price(own)}`,
  ]
  const parts = figures && [
    ...(figures.idle_since === null ? [] : [`idle since ${moment(figures.idle_since, zone)}`]),
    `rented ${percent(figures.occupancy_7d)} of the last 7 days and ${percent(figures.occupancy_30d)} of the last 30`,
    `income ${earned(figures.income_7d)} and ${earned(figures.income_30d)}`,
    figures.comp_set.reason
      ? `no RGI: ${setReasons[figures.comp_set.reason]}`
      : `RGI ${tenth(figures.comp_set.rgi)}, its revenue per GPU in percent of that of machines like it`,
  ]
  return `${[now.filter(Boolean).join(''), ...(parts ?? [])].join('; ')}.`
}
