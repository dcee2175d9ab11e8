import { useTermAdvice } from './api.ts'
import { adviceSentences } from './words.ts'

/** The terms with which others like own machines earned more, added up over the machines. */
export function FleetAdvice() {
  const { data } = useTermAdvice()
  const sentences = data ? adviceSentences(data) : []
  if (sentences.length === 0) return null
  return (
    <section class="card pad" aria-labelledby="fleet-terms">
      <h2 id="fleet-terms">Other terms earned more</h2>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p class="note">
        Each machine beside others of its GPU type, memory and rig size in the last 30 published days, at the
        prices of renters. Observed: machines may differ in more than their terms. The price desk has the
        groups of each class.
      </p>
    </section>
  )
}
