import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { traceStatements } from '../platform/stores/trace-spans.ts'

/**
 * Sends traces of requests, jobs and database statements to an OpenTelemetry collector (OTLP over HTTP). `stop` resolves when the
 * remaining spans were sent or could not be sent.
 */
export async function startTracing(collector: string, service: string): Promise<{ stop(): Promise<void> }> {
  const exporter = new OTLPTraceExporter({ url: `${collector.replace(/\/+$/, '')}/v1/traces` })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `rackrate-${service}` }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  })
  provider.register()
  await traceStatements()
  return { stop: () => provider.shutdown().catch(() => {}) }
}
