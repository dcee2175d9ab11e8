import type { ClassReturns } from '../../contract/returns.ts'
import { earnedAfter } from '../../estimates/returns.ts'
import { useWidth } from '../components/use-width.ts'
import { change, earned, oneDecimal } from '../format.ts'
import { rigName } from './classes.ts'

const height = 320
const edge = { left: 64, right: 40, top: 12, bottom: 40 }

interface PaybackChartProps {
  of: ClassReturns
  /** The income of the shown days, USD per GPU and day. */
  income: number | null
  /** Share of the income. */
  fee: number
}

/** The money that a GPU has brought back by month, with its interval, and if prices go on falling. */
export function PaybackChart({ of, income, fee }: PaybackChartProps) {
  const [frame, width] = useWidth(526)
  const { payback, net, price_change } = of
  const bought = payback.purchase_price ?? 0
  const months = Math.min(60, Math.max(12, Math.ceil(1.6 * (payback.months ?? 36))))
  const after = (daily: number | null, month: number) => ((daily ?? 0) * 365 * month) / 12 - bought
  const steps = Array.from({ length: months + 1 }, (_, month) => month)
  const top = Math.max(after(net.high, months), bought / 4)
  const x = (month: number) => edge.left + ((width - edge.left - edge.right) * month) / months
  const y = (money: number) => edge.top + ((height - edge.top - edge.bottom) * (top - money)) / (top + bought)
  const path = (money: (month: number) => number) =>
    steps.map((month) => `${x(month)},${y(Math.max(-bought, money(month)))}`)
  const band = [
    ...path((month) => after(net.high, month)),
    ...path((month) => after(net.low, month)).reverse(),
  ]
  const falls = price_change.days_90 !== null && price_change.days_90 < 0 ? price_change.days_90 : null
  // Power does not fall with prices, as income and fee do.
  const power = Math.max(0, (income ?? 0) * (1 - fee) - (net.value ?? 0))
  return (
    <section class="card" aria-labelledby="payback-title">
      <header>
        <h2 id="payback-title">Payback of a {rigName(of)}</h2>
        <span class="quiet">money back by month, per GPU</span>
      </header>
      <div class="plot" ref={frame}>
        <svg width={width} height={height} role="img" aria-label={`Payback of a ${rigName(of)}`}>
          {[-bought, 0, top].map((money) => (
            <g key={money}>
              <line class="grid" x1={edge.left} x2={width - edge.right} y1={y(money)} y2={y(money)} />
              <text x={edge.left - 6} y={y(money)} class="left">
                {earned(money)}
              </text>
            </g>
          ))}
          {[0, 0.5, 1].map((share) => (
            <text key={share} x={x(share * months)} y={height - edge.bottom + 16} class="below">
              {share === 0 ? 'now' : `${oneDecimal(share * months).replace('.0', '')} months`}
            </text>
          ))}
          <polygon points={band.join(' ')} />
          <polyline class="paid" points={path((month) => after(net.value, month)).join(' ')} />
          {falls !== null && (
            <polyline
              class="falling"
              points={path(
                (month) =>
                  earnedAfter(month, { net: net.value ?? 0, power, change: Math.log1p(falls) }) - bought,
              ).join(' ')}
            />
          )}
          {payback.months !== null && payback.months <= months && (
            <circle class="point" cx={x(payback.months)} cy={y(0)} r={5} />
          )}
        </svg>
        {falls !== null && (
          <p class="quiet">Dotted: prices go on falling, {change(falls)} in 90 days as in the last 90.</p>
        )}
      </div>
    </section>
  )
}
