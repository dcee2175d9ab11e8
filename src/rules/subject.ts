import { normalName, sameName } from '../../contract/gpu-names.ts'
import { notFound } from '../../platform/errors.ts'
import type { OwnMachines } from '../hosts/machines/own-machines.ts'
import type { SeriesView } from '../market/market-query/series.ts'

/** The GPU name as the series writes it. A name that the series lacks is returned in its normal form. */
export const seriesName = async (series: SeriesView, requestedName: string): Promise<string> =>
  (await knownName(series, requestedName)) ?? normalName(requestedName)

/** The GPU name as the series writes it. undefined: the series lacks it. */
export const knownName = async (series: SeriesView, requestedName: string): Promise<string | undefined> =>
  (await series.names()).find(({ name }) => sameName(name, requestedName))?.name

/** The ids of an account's machines. Throws 404 when `machineId` is not among them. */
export async function requireMachine(
  own: OwnMachines,
  accountId: number,
  machineId: number | null,
): Promise<readonly number[]> {
  const owned = (await own.ids([accountId])).of.get(accountId) ?? []
  if (machineId !== null && !owned.includes(machineId)) throw notFound('There is no such machine')
  return owned
}
