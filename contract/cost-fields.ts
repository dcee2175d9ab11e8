// Without zod: the page imports this, too.

/** The parts of a machine's costs, in the order of the form. */
export const costFields = [
  'kwh_price',
  'watts_idle',
  'watts_load',
  'fee_percent',
  'other_per_month',
  'purchase_price',
  'months',
] as const

export type CostField = (typeof costFields)[number]

/** Null: unknown, which is not 0. */
export type Costs = Record<CostField, number | null>

export const noCosts: Costs = {
  kwh_price: null,
  watts_idle: null,
  watts_load: null,
  fee_percent: null,
  other_per_month: null,
  purchase_price: null,
  months: null,
}

/** The fields in a few words, and their units. */
export const costWords: Record<CostField, readonly [name: string, unit: string]> = {
  kwh_price: ['Price of power', 'USD per kWh'],
  watts_idle: ['Power when idle', 'W'],
  watts_load: ['Power under load', 'W'],
  fee_percent: ['Marketplace fee', '%'],
  other_per_month: ['Other costs', 'USD a month'],
  purchase_price: ['Purchase price', 'USD'],
  months: ['Time of use for payback', 'months'],
}
