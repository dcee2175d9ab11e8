import type { AlertMessage } from '../../../contract/alerts.ts'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text of XML 1.0, without the characters that it cannot hold. */
const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, '').replace(/[&<>"']/g, (c) => escapes[c] ?? c)

const time = (seconds: number): string => new Date(seconds * 1000).toISOString()

/**
 * The messages as an Atom feed (RFC 4287), with titles of plain text: the library `feed` writes titles as HTML, and keeps characters that XML cannot
 * hold. `self`: its URL.
 */
export function atomOf(
  messages: readonly AlertMessage[],
  { id, self }: { id: string; self: string },
): string {
  const entries = messages.map(({ id, name, slot, entries }) => {
    const lines = entries.map(({ what, text }) => `${what === 'fired' ? 'Alert' : 'Resolved'}: ${text}`)
    const title = lines.length === 1 ? (lines[0] ?? '') : `${name}: ${lines.length} alerts`
    return `  <entry>
    <id>urn:uuid:${escaped(id)}</id>
    <title>${escaped(title)}</title>
    <updated>${time(slot)}</updated>
    <category term="${escaped(name)}"/>
    <content type="text">${escaped(lines.join('\n'))}</content>
  </entry>`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(id)}</id>
  <title>Alerts of rackrate</title>
  <author><name>rackrate</name></author>
  <updated>${time(messages[0]?.slot ?? 0)}</updated>
  <link rel="self" href="${escaped(self)}"/>
${entries.join('\n')}
</feed>
`
}
