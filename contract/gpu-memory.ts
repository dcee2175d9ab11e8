// Without zod: the page imports this, too.

/**
 * Sizes of memory with which GPUs are sold, GB. They include the sizes of contract/gpu-types.ts, except 180: users see 180 of the 192 GB of a B200. The
 * column gpu_memory of the observations has the same list (sql/clickhouse/migrations/026_gpu_memory_observations.sql).
 */
export const soldSizes: readonly number[] =
  '2 3 4 5 6 8 10 11 12 16 20 24 32 40 48 64 72 80 94 96 128 141 144 192 256 288'.split(' ').map(Number)

/**
 * The size, in GB, with which a GPU is sold whose driver reports `reported` MB; 0: unknown. A driver reports up to a tenth less, because error correction
 * and the system take their part. A size that no product has is rounded to whole GB.
 */
export function soldMemory(reported: number | null): number {
  if (!reported) return 0
  const sold = soldSizes.find((size) => 100 * reported <= 103_424 * size)
  if (sold !== undefined && 10 * reported > 9216 * sold) return sold
  return Math.min(65_535, Math.max(1, Math.round(reported / 1024)))
}
