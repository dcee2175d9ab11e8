import { useSignal } from '@preact/signals'
import type { AutopilotRule } from '../../contract/autopilot.ts'
import type { AutopilotSuggestion } from '../../contract/autopilot-decisions.ts'
import { counted } from '../format.ts'
import { FloorHint } from './floor-hint.tsx'
import { PriceReview } from './price-review.tsx'
import { priceWords } from './words.ts'

interface SuggestionsProps {
  suggestions: readonly AutopilotSuggestion[]
  rules: readonly AutopilotRule[]
}

const keyOf = ({ source, machine_id }: AutopilotSuggestion) => `${source ?? ''} ${machine_id}`

/** The present suggestions of rules with their reasons. Chosen ones can be carried out once by hand. */
export function Suggestions({ suggestions, rules }: SuggestionsProps) {
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const nameOf = new Map(rules.map(({ id, name }) => [id, name]))
  const bare = suggestions.filter(({ refusal }) => refusal === 'no_floor')
  const shown = suggestions.filter(({ refusal }) => refusal !== 'no_floor')
  const picked = suggestions.filter((one) => one.kind === 'change' && chosen.value.has(keyOf(one)))
  function toggle(one: AutopilotSuggestion): void {
    const next = new Set(chosen.value)
    if (!next.delete(keyOf(one))) next.add(keyOf(one))
    chosen.value = next
  }
  return (
    <section aria-labelledby="suggested">
      <h2 id="suggested">Suggested now</h2>
      <FloorHint machines={bare.length}>. Enter costs, or a price at “never below” of the rule.</FloorHint>
      {shown.length === 0 ? (
        bare.length === 0 && <p class="quiet">No rule applies to a machine now.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
        <section class="rules" tabIndex={0} aria-label="Suggestions">
          <table>
            <thead>
              <tr>
                <th scope="col">
                  <span class="unseen">Choose</span>
                </th>
                <th scope="col">Machine</th>
                <th scope="col">Rule</th>
                <th scope="col">Price</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <tr key={keyOf(one)}>
                  <td>
                    {one.kind === 'change' && (
                      <input
                        type="checkbox"
                        aria-label={`Choose machine ${one.machine_id}`}
                        checked={chosen.value.has(keyOf(one))}
                        onChange={() => toggle(one)}
                      />
                    )}
                  </td>
                  <th scope="row">
                    {one.machine_id} <span class="quiet">{one.gpu_name}</span>
                  </th>
                  <td>{nameOf.get(one.rule_id)}</td>
                  <td>
                    {priceWords(one.price)}
                    {one.kind === 'change' && <strong> → {priceWords(one.new_price)}</strong>}
                  </td>
                  <td>{one.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {suggestions.some(({ kind }) => kind === 'change') && (
        <PriceReview
          label={
            picked.length === 0 ? 'Review price changes' : `Review ${counted(picked.length, 'price change')}`
          }
          changes={picked.map(({ price, new_price, ...one }) => ({
            ...one,
            from: price ?? 0,
            price: new_price ?? 0,
          }))}
          onDone={() => {
            chosen.value = new Set()
          }}
        />
      )}
    </section>
  )
}
