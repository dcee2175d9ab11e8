import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

/** A message to send. `id` is the same at every attempt, so that a receiver recognizes a repeat. */
export interface Letter {
  id: string
  recipient: string
  subject: string
  text: string
}

/** Sends a letter; throws when that fails. */
export type Carrier = (letter: Letter) => Promise<void>

export interface CarriersOptions {
  smtp?: { url: string; from: string } | undefined
  sms?: { url: string; token: string | undefined } | undefined
  /** Letters of a channel that is not configured are written to this folder, for a developer to read. */
  folder: string
}

/** Longer than a mail server should take, and shorter than the time limit of a worker's job. */
const timeoutMs = 20_000

export const openCarriers = ({ smtp, sms, folder }: CarriersOptions): Record<'email' | 'sms', Carrier> => ({
  email: smtp ? bySmtp(smtp.url, smtp.from) : intoFolder(folder, 'eml'),
  sms: sms ? byHttp(sms.url, sms.token) : intoFolder(folder, 'sms'),
})

function bySmtp(url: string, from: string): Carrier {
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from },
  )
  return async ({ id, recipient, subject, text }) => {
    await transport.sendMail({
      to: { name: '', address: recipient },
      subject,
      text,
      messageId: `<${id}@rackrate>`,
    })
  }
}

/** An SMS provider that takes `{"id", "to", "text"}` by POST with a bearer token and answers 2xx. */
function byHttp(url: string, token: string | undefined): Carrier {
  return async ({ id, recipient, text }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ id, to: recipient, text }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the SMS provider answered ${response.status}`)
  }
}

function intoFolder(folder: string, extension: string): Carrier {
  const compose = createTransport({ streamTransport: true, buffer: true }, { from: 'rackrate@localhost' })
  return async ({ id, recipient, subject, text }) => {
    const { message } = await compose.sendMail({
      to: { name: '', address: recipient },
      subject,
      text,
      messageId: `<${id}@rackrate>`,
    })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, `${id}.${extension}`), message as Buffer, { mode: 0o600 })
  }
}
