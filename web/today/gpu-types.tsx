import { Link } from 'wouter-preact'
import type { z } from 'zod'
import type { currentAnswer } from '../../contract/current.ts'
import { pages } from '../../contract/pages.ts'
import { historyOf } from '../api/history.ts'
import { useHistory, useMarket } from '../api/queries.ts'
import { Change } from '../components/change.tsx'
import { NoMarket } from '../components/no-market.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Sparkline } from '../components/sparkline.tsx'
import { Status } from '../components/status.tsx'
import { price } from '../format.ts'
import { questionsOf } from '../market/questions.ts'
import { readView } from '../view.ts'

/** Rows of the list: own types, or the most common ones. */
const most = 8

interface GpuTypesProps {
  /** GPU names of own machines. Empty: the most common types are shown. */
  own: readonly string[]
  waiting: boolean
  /** True if the page reports already that the service is away. */
  isTold: boolean
}

/** Prices of the GPU types that matter to the visitor, and their course of a week. */
export function GpuTypes({ own, waiting, isTold }: GpuTypesProps) {
  const { current: now, history } = questionsOf(readView(''))
  const current = useMarket<z.infer<typeof currentAnswer>>('current', now)
  const { data } = current
  const asked = useHistory(history)
  const courses = asked.data
  const shown = [...(data?.gpus ?? [])]
    .filter(({ gpu_name }) => own.length === 0 || own.includes(gpu_name))
    .sort((one, other) => other.total_gpus - one.total_gpus)
    .slice(0, most)
  if (data && (data.slot === null || data.gpus.length === 0)) return <NoMarket />
  if (isTold && !data && !current.isPending) return null
  return (
    <section class="card gpu-types" aria-labelledby="gpu-types">
      <header>
        <h2 id="gpu-types">{own.length > 0 ? 'Your GPU types' : 'The market'}</h2>
        <span class="quiet end">rented median, 7 days</span>
      </header>
      {!isTold && <Status of={[current, asked]} hasData={data !== undefined} />}
      {waiting || current.isPending ? (
        <Skeleton />
      ) : (
        data && (
          <table>
            <caption class="unseen">Rented median of GPU types, and its change in 7 days</caption>
            <thead class="unseen">
              <tr>
                <th scope="col">GPU type</th>
                <th scope="col">Course</th>
                <th scope="col">Rented median</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ gpu_name, rented_median }) => {
                const course = (courses && historyOf(courses, gpu_name)?.pricing.rented_median) ?? []
                const known = course.filter((value) => value !== null)
                const [first, last] = [known[0], known.at(-1)]
                return (
                  <tr key={gpu_name}>
                    <th scope="row" title={gpu_name}>
                      <Link href={`${pages.charts}?gpu=${encodeURIComponent(gpu_name)}`}>{gpu_name}</Link>
                    </th>
                    <td>
                      <Sparkline values={course} />
                    </td>
                    <td class="lead">{price(rented_median)}</td>
                    <td>{first && last && known.length > 1 ? <Change value={last / first - 1} /> : null}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )
      )}
      <p class="pad note">
        <Link href={pages.market}>All GPU types</Link>
      </p>
    </section>
  )
}
