import { useMemo } from 'preact/hooks'
import type { AlertTried } from '../../contract/alerts.ts'
import { hour } from '../../contract/durations.ts'
import { priceFigures } from '../../contract/history-figures.ts'
import { filterParameters } from '../../contract/market-filter.ts'
import { simulated } from '../api/freshness.ts'
import { historyOf } from '../api/history.ts'
import { useHistory } from '../api/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { drawPeriods } from '../charts/periods.ts'
import { type ChartSpec, fileName } from '../charts/spec.ts'
import { dateTime } from '../format.ts'
import { periodsOf } from './periods.ts'
import { useSourceOf } from './use-tried.ts'
import { inUnit, type Of, statistics } from './words.ts'

interface FigureChartProps {
  /** The market of the rule; null: the first one. */
  source: string | null
  condition: Of<'statistic'>
  tried: AlertTried
}

const step = 6 * hour

/** The price that a rule watches over its trial, with a dot for each alert. Nothing for other figures. */
export function FigureChart({ source, condition, tried }: FigureChartProps) {
  const { statistic, gpu_name } = condition
  const figure = priceFigures.find((name) => name === statistic)
  const { data } = useHistory(
    {
      ...filterParameters(condition),
      ...useSourceOf(source),
      gpu_name,
      start: tried.from,
      end: tried.to,
      step,
    },
    figure !== undefined,
  )
  const title = `${gpu_name}: ${statistics.find(([name]) => name === statistic)?.[1]}`
  const color = statistic.startsWith('rented') ? 'rented' : 'available'
  const spec = useMemo((): ChartSpec => {
    const periods = periodsOf(tried)
    const pricing = data && historyOf(data, gpu_name)?.pricing
    const group = color === 'rented' ? 'Rented' : 'Available'
    return {
      name: fileName(title, simulated.value),
      title,
      unit: 'USD per GPU-hour',
      zone: 'local',
      simulated: simulated.value,
      daily: false,
      places: pricing?.timestamps ?? [],
      series: [
        {
          label: group,
          group,
          color,
          role: 'line',
          values: (figure && pricing?.[figure]) ?? [],
        },
      ],
      areWarnings: true,
      behind: (plot) => drawPeriods(plot, periods),
      marks: tried.entries
        .filter(({ what }) => what === 'fired')
        .map(({ slot, value }) => ({
          label: `Alert at ${inUnit(statistic, value)}, ${dateTime(slot)}`,
          place: slot,
          color,
          isEvent: true,
        })),
    }
  }, [data, tried, title, figure, color, gpu_name, statistic, simulated.value])
  if (!figure) return null
  return <Chart spec={spec} from={tried.from} to={tried.to} height={200} waiting={!data} />
}
