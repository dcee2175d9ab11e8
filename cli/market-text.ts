import type { MarketBook, MarketRow } from '../src/market/market-tables.ts'
import { table } from './table.ts'

const figure = (value: number | null, digits: number): string =>
  value === null ? '-' : value.toFixed(digits)

/** The market, one line for each GPU name. */
export const marketText = (rows: readonly MarketRow[]): string =>
  table(
    ['GPU', 'rented', 'available', 'occupancy', 'free GPUs', 'hours to rent'],
    rows.map((row) => [
      row.gpu_name,
      figure(row.rented_median, 2),
      figure(row.avail_median, 2),
      `${figure(100 * row.occupancy, 0)} %`,
      `${row.available_gpus}`,
      figure(row.hours_to_rent, 1),
    ]),
  )

const most = 20

/** The cheapest prices of the book, and the revenue of the last days. */
export function bookText({ gpu_name, book, days }: MarketBook): string {
  const prices = table(
    ['price', 'available', 'rented'],
    book
      .slice(0, most)
      .map((level) => [figure(level.price, 4), `${level.available}`, `${level.rented_gpus}`]),
  )
  const more = book.length > most ? `\n… and ${book.length - most} higher prices (--json lists them)` : ''
  const revenue = table(
    ['day', 'RevPAG', 'ADR', 'occupancy'],
    days.map((day) => [
      new Date(day.start * 1000).toISOString().slice(0, 10),
      figure(day.revpag, 3),
      figure(day.adr, 3),
      `${figure(100 * day.occupancy, 0)} %`,
    ]),
  )
  return `${gpu_name}\n\n${prices}${more}\n\n${revenue}`
}
