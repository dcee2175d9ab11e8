import type { Example } from './examples.ts'

/** A query over the markets of all sources, if the site has several. Except for the first source, names of tables have their database as a prefix. */
export function exampleOfSources(tables: readonly { name: string }[]): Example[] {
  const others = tables.map(({ name }) => name).filter((name) => name.endsWith('.observations'))
  if (others.length === 0) return []
  const part = (market: string, table: string) =>
    `  SELECT '${market}' AS market, slot, gpu_name, price, gpus, rented FROM ${table}`
  const parts = [
    part('first', 'observations'),
    ...others.map((table) => part(table.replace(/\.observations$/, ''), table)),
  ]
  const query = `SELECT
  gpu_name,
  market,
  quantileExactWeightedIf(0.5)(price, gpus, NOT rented) AS available_median,
  quantileExactWeightedIf(0.5)(price, gpus, rented) AS rented_median
FROM (
${parts.join('\n  UNION ALL\n')}
)
WHERE slot > now() - INTERVAL 1 DAY
GROUP BY gpu_name, market
ORDER BY gpu_name, market`
  return [{ title: 'Sources side by side', about: 'GPU prices in each market.', query }]
}
