import { bytes } from '../sizes.ts'
import type { ApiResponse } from './request.ts'

/** The response: status, time, headers and body. */
export const AnswerView = ({ answer }: { answer: ApiResponse }) => (
  <>
    <p>
      <strong class={answer.status < 400 ? undefined : 'trouble'}>
        {answer.status} {answer.statusText}
      </strong>{' '}
      <span class="quiet">
        {answer.ms} ms, {bytes(answer.text.length)}
        {answer.isCut && ' shown: the answer is longer or still running'}
      </span>
    </p>
    <details class="example">
      <summary>Headers</summary>
      <pre>{answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
    </details>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
    <section class="body" tabIndex={0} aria-label="Body of the answer">
      <pre>{answer.text || '(no body)'}</pre>
    </section>
  </>
)
