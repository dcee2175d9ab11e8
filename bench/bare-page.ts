import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const files: Record<string, [type: string, text: string]> = {
  '/': [
    'text/html',
    '<!doctype html><link rel=icon href="data:,"><script type=module src=script.js></script>',
  ],
  '/script.js': [
    'text/javascript',
    `const text = await (await fetch('answer')).text()
document.body.append(Object.assign(document.createElement('p'), { id: 'answer', textContent: text }))`,
  ],
  '/answer': ['text/plain', 'one figure'],
}

/** Serves a minimal page: a document, a script, and one answer that it shows as `#answer`. */
export async function openBarePage() {
  const server = createServer(({ url = '/' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type, 'content-length': text.length }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}
