// Without zod: the command line imports this, too.

/** What files of open data hold: the market by the day, by the hour, and the prices of each hour. */
export const dataStatistics = ['daily', 'hourly', 'prices'] as const
export type DataStatistic = (typeof dataStatistics)[number]

/** Formats of the files, which are also their extensions. */
export const dataFormats = ['parquet', 'csv.gz'] as const
export type DataFormat = (typeof dataFormats)[number]
