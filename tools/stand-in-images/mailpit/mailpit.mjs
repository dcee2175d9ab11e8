// Catches mail: SMTP on 1025; GET /api/v1/messages and GET / on 8025.
import { createServer } from 'node:http'
import { SMTPServer } from 'smtp-server'

const mails = []
new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const chunks = []
    stream.on('data', (chunk) => chunks.push(chunk))
    stream.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8')
      const [head] = raw.split('\r\n\r\n', 1)
      mails.unshift({
        ID: `${mails.length + 1}`,
        From: { Address: session.envelope.mailFrom.address },
        To: session.envelope.rcptTo.map(({ address }) => ({ Address: address })),
        Subject: /^subject: (.*)$/im.exec(head)?.[1] ?? '',
        Text: raw.replaceAll('=\r\n', ''),
      })
      mails.length = Math.min(mails.length, 500)
      done()
    })
  },
}).listen(1025, '0.0.0.0')
createServer(({ url }, response) => {
  if (/^\/(readyz|livez)$/.test(url)) return response.end('ok')
  if (url.startsWith('/api/v1/messages'))
    return response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ total: mails.length, messages: mails }))
  response
    .setHeader('content-type', 'text/plain; charset=utf-8')
    .end(mails.map(({ Text }) => Text).join('\n\n----\n\n'))
}).listen(8025, '0.0.0.0')
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
