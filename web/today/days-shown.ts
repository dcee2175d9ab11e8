import type { View } from '../view.ts'

/** The days of the chart of earnings. Apart from the words of a period, since every page has this. */
export const daysShown = (period: View['period']): number => (period === 'month' ? 30 : 21)
