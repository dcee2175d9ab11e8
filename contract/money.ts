// Without Intl: its first use takes a browser 25 to 60 ms, before the first figures are seen.

/** A number with the given decimals, and a comma between thousands. */
export function fixed(value: number, decimals: number): string {
  const [whole = '', rest] = value.toFixed(decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return rest === undefined ? grouped : `${grouped}.${rest}`
}

/** A number with at most the given significant digits. */
export function significant(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits))
  const size = rounded === 0 ? 0 : Math.floor(Math.log10(Math.abs(rounded)))
  const text = fixed(rounded, Math.min(100, Math.max(0, digits - 1 - size)))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

const usd = (value: number, write: (size: number) => string): string =>
  `${value < 0 ? '−' : ''}$${write(Math.abs(value))}`

/** USD with the given decimals. */
export const money =
  (decimals: number) =>
  (value: number): string =>
    usd(value, (size) => fixed(size, decimals))
const cents = money(2)

/** USD with at most the given significant digits, so that the shown value is the exact one. */
export const exactly =
  (digits: number) =>
  (value: number): string =>
    usd(value, (size) => significant(size, digits))

/** Earned USD; below a hundred with cents. */
export const earnedWords = (value: number): string => (Math.abs(value) < 100 ? cents : money(0))(value)
