import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('rackrate')

/** Sends a statement in a span for who traces; values are parameters and not in its text. */
export const inSpan = <T>(
  database: 'clickhouse' | 'postgresql',
  text: string,
  send: () => Promise<T>,
): Promise<T> => {
  const attributes = { 'db.system.name': database, 'db.query.text': text }
  return tracer.startActiveSpan(database, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await send()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message })
      throw error
    } finally {
      span.end()
    }
  })
}
