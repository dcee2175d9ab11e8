import type { AlertMessage } from '../../contract/alerts.ts'
import { dateTime } from '../format.ts'

/** The messages of all rules, the newest first. */
export const Messages = ({ messages }: { messages: readonly AlertMessage[] }) => (
  <section class="card pad" aria-labelledby="said">
    <h2 id="said">Recent messages</h2>
    {messages.length === 0 && <p class="quiet">None yet.</p>}
    <ul class="said">
      {messages.map(({ id, name, slot, entries, webhook, webhook_status }) => (
        <li key={id}>
          <time dateTime={new Date(slot * 1000).toISOString()}>{dateTime(slot)}</time>
          <div>
            <strong>{name}</strong>{' '}
            {webhook && webhook !== 'delivered' && (
              <span class="quiet">
                (webhook {webhook}
                {webhook_status !== null && `, answered ${webhook_status}`})
              </span>
            )}
            {entries.map(({ what, text }) => (
              <div key={text}>
                <span class={what === 'fired' ? 'chip bad' : 'chip'}>
                  {what === 'fired' ? 'Alert' : 'Resolved'}
                </span>{' '}
                {text}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
    <p class="note">Messages are deleted after 90 days.</p>
  </section>
)
