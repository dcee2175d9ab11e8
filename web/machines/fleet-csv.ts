import type { Estimate } from '../../estimates/fill-rate.ts'
import type { OwnMachine } from '../api/queries.ts'
import { csvRows } from '../files.ts'

const titles = [
  'id',
  'gpu_name',
  'num_gpus',
  'own_price',
  'verdict',
  'recommended_price',
  'end_price',
  'gain_per_day',
  'gain_low',
  'gain_high',
  'gain_basis',
  'why',
  'net_per_day',
  'net_low',
  'net_high',
  'floor',
  'minimum_bid',
  'break_even_price',
  'break_even_occupancy',
  'payback_days',
  'costs_assumed',
  'costs_unknown',
  'earned_30d',
  'earned_days',
  'grade',
  'income_per_day',
  'trial_days',
  'trial_cost',
  'wait_hours',
  'fleet_gain_per_day',
  'fleet_gain_low',
  'fleet_gain_high',
]

/**
 * The file of own machines as the API returns them: advice, net income and actual earnings. Prices in USD per GPU-hour, gains in USD. Each row has
 * the gain of all changes of the fleet together.
 */
export const fleetCsv = (machines: readonly OwnMachine[], together: Estimate | null): string =>
  csvRows([
    titles,
    ...machines.map(({ id, gpu_name, num_gpus, price, figures, marketplace }) => {
      const { verdict, price: to, end_price, gain_per_day: gain, basis, reason } = figures?.advice ?? unknown
      const { grade = null, income_per_day = null, trial = null, wait = null } = figures?.advice ?? {}
      const { net, costs } = figures ?? {}
      return [
        id,
        gpu_name,
        num_gpus,
        price,
        verdict,
        to,
        end_price,
        gain?.value ?? null,
        gain?.low ?? null,
        gain?.high ?? null,
        basis,
        reason,
        net?.value ?? null,
        net?.low ?? null,
        net?.high ?? null,
        costs?.floor ?? null,
        costs?.minimum_bid ?? null,
        costs?.break_even_price ?? null,
        costs?.break_even_occupancy ?? null,
        costs?.payback_days?.value ?? null,
        costs?.assumed.join(' ') ?? null,
        costs?.unknown.join(' ') ?? null,
        marketplace?.earned?.usd['30d'] ?? null,
        marketplace?.earned?.days['30d'] ?? null,
        grade,
        income_per_day?.value ?? null,
        trial?.days ?? null,
        trial?.cost ?? null,
        wait?.hours ?? null,
        together?.value ?? null,
        together?.low ?? null,
        together?.high ?? null,
      ]
    }),
  ])

const unknown = {
  verdict: 'unknown',
  price: null,
  end_price: null,
  gain_per_day: null,
  basis: null,
  reason: '',
}
