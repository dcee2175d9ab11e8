import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Span {
  service: string
  traceId: string
  name: string
  attributes: Record<string, unknown>
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: { traceId: string; name: string; attributes?: Attribute[] }[] }[]
  }[]
}
interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

/** Takes traces as an OpenTelemetry collector does (OTLP over HTTP, JSON) and keeps them. */
export async function openCollector() {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const { resourceSpans }: Export = JSON.parse(Buffer.concat(chunks).toString())
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name'])
      for (const { traceId, name, attributes = [] } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ service, traceId, name, attributes: valuesOf(attributes) })
    }
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    spans,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
