import { figure, numbers, written } from './format.ts'

const compactFormat = numbers({ notation: 'compact', maximumFractionDigits: 1 })
/** 12.3K, 4.5M: for sizes where the last digit is of no interest. */
export const compact = written((value) => compactFormat().format(value))
export const bytes = written((value) => {
  const exponent = value < 1 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3))
  return `${figure(value / 1000 ** exponent)} ${['B', 'kB', 'MB', 'GB', 'TB'][exponent]}`
})
