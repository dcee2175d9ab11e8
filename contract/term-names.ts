/** The terms of a listing, in the order of their text in the observations (terms-text.ts) and of the table `terms`. */
export const termNames = [
  'min_bid',
  'end_date',
  'credit_discount_max',
  'reliability',
  'storage_cost',
  'inet_up_cost',
  'inet_down_cost',
] as const
export type TermName = (typeof termNames)[number]
