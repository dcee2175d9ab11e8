import type { ComponentChildren } from 'preact'
import type { AlertRule } from '../../contract/alerts.ts'
import { chatTitles } from '../../contract/chat-services.ts'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { counted } from '../format.ts'
import { Feed } from './feed.tsx'
import { receiverOf } from './rule-row.tsx'

interface DeliveryProps {
  rules: readonly AlertRule[]
  /** The address to which alerts can be mailed; null: there is none. */
  address: string | null
}

/** The ways that messages take: mail, chats and webhooks, the feed. */
export function Delivery({ rules, address }: DeliveryProps) {
  const mailed = rules.filter(({ email }) => email).length
  const silent = rules.filter(({ email, webhook_url }) => !email && !webhook_url).length
  const hooked = rules.filter(({ webhook_url }) => webhook_url !== null)
  const receivers = [...new Set(hooked.map(({ webhook_url }) => webhook_url ?? ''))].map((url) => ({
    url,
    of: hooked.filter(({ webhook_url }) => webhook_url === url),
  }))
  return (
    <section class="card ways" aria-label="Delivery">
      <Way icon={outlines.mail} title="Mail">
        {address === null ? (
          <p>This account has no address. Alerts reach chats, webhooks and the feed.</p>
        ) : (
          <p>
            <strong>{address}</strong>, from {counted(mailed, 'rule')}. New alerts are mailed, unless another
            way is chosen.
          </p>
        )}
      </Way>
      <Way icon={outlines.bell} title="Chats and webhooks">
        {receivers.length === 0 ? (
          <p>None yet. An address of {chatTitles}, or of a program, is set under “More” of an alert.</p>
        ) : (
          <ul>
            {receivers.map(({ url, of }) => (
              <li key={url}>
                <strong>{receiverOf(url)}</strong>, from {counted(of.length, 'rule')}
                {of.some(({ webhook_gone }) => webhook_gone) && (
                  <>
                    {' '}
                    <span class="chip bad">Gone</span>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        {silent > 0 && (
          <p class="warn">
            {counted(silent, 'rule')} {silent === 1 ? 'goes' : 'go'} to the feed only: no message is sent.
          </p>
        )}
      </Way>
      <Way icon={outlines.feed} title="Feed">
        <Feed />
      </Way>
    </section>
  )
}

const Way = ({ icon, title, children }: { icon: string; title: string; children: ComponentChildren }) => (
  <div class="way">
    <span class="badge">
      <Icon outline={icon} />
    </span>
    <div>
      <h2>{title}</h2>
      {children}
    </div>
  </div>
)
