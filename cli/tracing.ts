import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

/**
 * Sends traces of requests, jobs and the databases' statements to an OpenTelemetry collector (OTLP over HTTP). Without this call the spans
 * that the code opens cost nothing. Resolves `stop` when what is left has been sent, or couldn't be.
 */
export function startTracing(endpoint: string, service: string): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `rackrate-${service}` }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  })
  provider.register()
  return { stop: () => provider.shutdown().catch(() => {}) }
}
