import type { GpuForecast } from '../../contract/forecast.ts'
import { counted, percent, price } from '../format.ts'

type Available = GpuForecast['available']

const ends = ['tomorrow', 'in 7 days'] as const

/** The forecast of the rented price, otherwise of the available one, in a sentence. */
export function outlookWords(name: string, { rented_median, avail_median }: GpuForecast): string {
  const isRented = rented_median.some(({ value }) => value !== null)
  const [day, week] = isRented ? rented_median : avail_median
  if (!day || day.value === null) return 'A forecast begins once seven days of the market are recorded.'
  const verb = isRented ? 'is probably rented for' : 'probably costs'
  const range = ({ low, high }: typeof day) => `${price(low)} to ${price(high)}`
  const later = week && week.value !== null ? `, in 7 days ${range(week)}` : ''
  return `Tomorrow ${/^[AEFHILMNORSX]/.test(name) ? 'an' : 'a'} ${name} ${verb} ${price(day.value)}: in 8 of 10 cases ${range(day)}${later}.`
}

/** A probability in words. */
function chanceWords(probability: number): string {
  if (probability >= 0.99) return 'practically certain'
  if (probability >= 0.9) return 'very likely'
  if (probability >= 0.66) return 'likely'
  if (probability >= 0.34) return 'as likely as not'
  return probability >= 0.1 ? 'unlikely' : 'very unlikely'
}

/** The probability that enough GPUs are available. */
export function enoughWords({ gpus, price: most, figures }: Available): string {
  const told = figures.flatMap(({ probability }, index) =>
    probability === null ? [] : [`${ends[index]} ${chanceWords(probability)} (${percent(probability)})`],
  )
  if (told.length === 0 || most === null) return ''
  return `${counted(gpus, 'GPU')} at ${price(most)} or less: ${told.join(', ')}.`
}
