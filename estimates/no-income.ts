// Without zod: the page imports this, too.

/** The reason why there is no estimate at a price. */
type NoIncome =
  | 'not_listed'
  | 'not_on_market'
  | 'few_as_dear'
  | 'few_rentals'
  | 'little_exposure'
  | 'no_returns'
  | 'no_rentals_known'

/** The same reason as a sentence. */
export const noIncomeWords: Record<NoIncome, string> = {
  not_listed: 'The machine is not listed.',
  not_on_market: 'The machine is offline.',
  few_rentals:
    'Fewer than 5 GPUs like this were rented in this price decile in 7 days: too few for an estimate.',
  little_exposure:
    'GPUs like this were hardly offered in this price decile in 7 days: too few for an estimate.',
  few_as_dear: 'Fewer than one in twenty of the GPUs on offer cost as much: too few for an estimate.',
  no_returns: 'No rental of GPUs like this ended in 7 days, so it is not known how long one lasts.',
  no_rentals_known: 'The source of this market does not show which GPUs are rented.',
}
