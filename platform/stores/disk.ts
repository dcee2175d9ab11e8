import { type ClickHouse, selectRows } from './clickhouse.ts'

/** The room on ClickHouse's disk, in bytes. */
export interface DiskRoom {
  /** Bytes that ClickHouse may still write. */
  room: number
  /** Bytes that ClickHouse keeps free in addition; 0: it has no reserve. */
  reserve: number
}

const mebi = 2 ** 20
/** Bytes for an hour of snapshots and its merges, so that a server without a reserve does not run full. */
const roomWithoutReserve = 1024 * mebi
/** ClickHouse itself refuses an insert below this. */
const roomAboveReserve = 16 * mebi

/** The room on the fullest disk; undefined: the tables are on no local disk. */
export async function readDiskRoom(clickhouse: ClickHouse): Promise<DiskRoom | undefined> {
  const [found] = await selectRows<DiskRoom>(clickhouse, 'health/disk')
  return found
}

/** The sentence about a disk that is nearly full; undefined: it has room. */
export function describeFullDisk(disk: DiskRoom | undefined): string | undefined {
  if (!disk || disk.room >= (disk.reserve > 0 ? roomAboveReserve : roomWithoutReserve)) return undefined
  const left = Math.floor((disk.room + disk.reserve) / mebi)
  const free =
    disk.reserve > 0 && disk.room === 0
      ? `less than its reserve of ${Math.floor(disk.reserve / mebi)} MB is free`
      : `${left} MB are free`
  return `ClickHouse's disk is nearly full: ${free}. New snapshots wait in PostgreSQL, and answers stay as they are. Make room on the disk.`
}

/** Throws while ClickHouse's disk is nearly full. */
export async function requireRoom(clickhouse: ClickHouse): Promise<void> {
  const full = describeFullDisk(await readDiskRoom(clickhouse))
  if (full) throw new Error(full)
}

/** The advice for a ClickHouse server that keeps no reserve; undefined: it keeps one. */
export const adviseReserve = (disk: DiskRoom | undefined): string | undefined =>
  disk?.reserve === 0
    ? 'ClickHouse keeps no disk free: merges may fill it. Set keep_free_space_bytes of its disk (docs/operations.md#a-full-disk).'
    : undefined
