/** An answer without rounding noise in quotients and sums of prices, such as 0.13900000000000004 for 0.139. */
export function plain<Value>(value: Value): Value
export function plain(value: unknown): unknown {
  if (typeof value === 'number') return plainNumber(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = { ...value }
  for (const name of Object.keys(copy)) copy[name] = plain(copy[name])
  return copy
}

function plainNumber(value: number): number {
  // Most values are counts and prices, which have at most nine decimals.
  if (Math.round(value * 1e9) / 1e9 === value) return value
  // Noise is far below the 13th digit. So a value with more digits needs no text conversion, which takes ten times as long.
  const digits = Math.abs(value) * 10 ** (12 - Math.floor(Math.log10(Math.abs(value))))
  if (Math.abs(digits - Math.round(digits)) > 0.1) return value
  const short = Number(value.toPrecision(13))
  // Repeating decimals such as 1/3 do not get shorter at 13 digits, and stay unchanged.
  return `${short}`.length <= `${value}`.length - 7 ? short : value
}
