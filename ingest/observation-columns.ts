/** The columns of a line of the spool, in order. Types are in sql/clickhouse/fragments/observations.sql. */
export const observationColumns = [
  'slot',
  'machine_id',
  'gpu_name',
  'num_gpus',
  'gpus',
  'machines',
  'rented',
  'verified',
  'hosting_type',
  'price',
  'tflops',
  'dlperf',
  'source',
  'host_id',
  'country',
  'gpu_ram',
  'rental_type',
  'min_gpus',
  'terms',
  'specs',
  'tier',
  'carried',
] as const

export type ObservationRow = Record<(typeof observationColumns)[number], string | number | boolean | null>

/** The cells of a line after its slot. A price may be decimal text. */
export const cellsOf = (row: Omit<ObservationRow, 'slot'>): string =>
  behindSlot.map((column) => (column === 'price' ? row.price : JSON.stringify(row[column]))).join()

const behindSlot = observationColumns.slice(1) as Exclude<(typeof observationColumns)[number], 'slot'>[]
