import { Bars } from './bars.tsx'
import type { ResultPicture } from './chart-of.ts'
import { LineChart } from './line-chart.tsx'

/** A drawn result, or the reason for a missing drawing. */
export function PictureOf({ picture, height = 260 }: { picture: ResultPicture; height?: number }) {
  if ('problem' in picture)
    return (
      <p class="no-data" role="status">
        {picture.problem}
      </p>
    )
  return 'spec' in picture ? <LineChart spec={picture.spec} height={height} /> : <Bars bars={picture.bars} />
}
