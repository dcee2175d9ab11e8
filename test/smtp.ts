import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Mail {
  to: string[]
  /** Headers and body as they came over the wire, quoted-printable undone. */
  raw: string
}

/** A real mail server. `onMail` may throw to refuse a mail, after it has been read. */
export async function startSmtp(onMail: (mail: Mail) => void = () => {}) {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8').replaceAll('=\r\n', '')
        const mail = { to: session.envelope.rcptTo.map(({ address }) => address), raw }
        try {
          onMail(mail)
        } catch (error) {
          return done(error as Error)
        }
        mails.push(mail)
        done()
      })
    },
  })
  server.on('error', () => {}) // a sender that is killed resets its connection
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
