import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** An assistant that speaks with the tools of a service, with a key. */
export async function connectAssistant(base: string, key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }))
  return client
}
