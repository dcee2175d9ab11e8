import { toError } from '../../contract/failure.ts'

type Traced = <T>(database: 'clickhouse' | 'postgresql', text: string, send: () => Promise<T>) => Promise<T>

let trace: Traced = (_database, _text, send) => send()

/** Sends a statement, in a span if the process is traced. Parameter values are not part of `text`, so they never reach a collector. */
export const inSpan: Traced = (database, text, send) => trace(database, text, send)

/**
 * Opens a span for each statement from now on. Only this loads OpenTelemetry, which a process without a collector does not need.
 */
export async function traceStatements(): Promise<void> {
  const api = await import('@opentelemetry/api')
  const tracer = api.trace.getTracer('rackrate')
  trace = (database, text, send) => {
    const attributes = { 'db.system.name': database, 'db.query.text': text }
    return tracer.startActiveSpan(database, { kind: api.SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return await send()
      } catch (error) {
        span.setStatus({ code: api.SpanStatusCode.ERROR, message: toError(error).message })
        throw error
      } finally {
        span.end()
      }
    })
  }
}
