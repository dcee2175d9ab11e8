import { BullMQOtel } from 'bullmq-otel'

/** Makes adding a job and processing it one trace. */
export const openTelemetry = () => new BullMQOtel({ tracerName: 'rackrate' })
