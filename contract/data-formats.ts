// Without zod: the command line imports this, too.

/**
 * The statistics of open data: the market by the day and by the hour, rentals by the hour, the price index, list prices of clouds, all
 * prices, specs of machines, and terms of listings.
 */
export const dataStatistics = [
  'daily',
  'flows',
  'hourly',
  'index',
  'list_prices',
  'prices',
  'specs',
  'terms',
] as const
export type DataStatistic = (typeof dataStatistics)[number]

/** Formats of the files, which are also their extensions. */
export const dataFormats = ['parquet', 'csv.gz'] as const
export type DataFormat = (typeof dataFormats)[number]
