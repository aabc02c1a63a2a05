import type { MessageType } from './protobuf.ts'

/**
 * The part that is read of opentelemetry/proto/metrics/v1/metrics.proto and its neighbors, under the names of their JSON.
 * https://github.com/open-telemetry/opentelemetry-proto
 */
const ANY_VALUE: MessageType = {
  1: { name: 'stringValue', is: 'string' },
  2: { name: 'boolValue', is: 'bool' },
  3: { name: 'intValue', is: 'int64' },
  4: { name: 'doubleValue', is: 'double' },
}

const KEY_VALUE: MessageType = { 1: { name: 'key', is: 'string' }, 2: { name: 'value', is: () => ANY_VALUE } }

const NUMBER_DATA_POINT: MessageType = {
  2: { name: 'startTimeUnixNano', is: 'fixed64' },
  3: { name: 'timeUnixNano', is: 'fixed64' },
  4: { name: 'asDouble', is: 'double' },
  6: { name: 'asInt', is: 'sfixed64' },
  7: { name: 'attributes', is: () => KEY_VALUE, repeated: true },
}

const dataPoints = { name: 'dataPoints', is: () => NUMBER_DATA_POINT, repeated: true } as const

const METRIC: MessageType = {
  1: { name: 'name', is: 'string' },
  5: { name: 'gauge', is: () => ({ 1: dataPoints }) },
  7: { name: 'sum', is: () => ({ 1: dataPoints, 2: { name: 'aggregationTemporality', is: 'uint32' } }) },
}

const RESOURCE: MessageType = { 1: { name: 'attributes', is: () => KEY_VALUE, repeated: true } }
const SCOPE_METRICS: MessageType = { 2: { name: 'metrics', is: () => METRIC, repeated: true } }

const RESOURCE_METRICS: MessageType = {
  1: { name: 'resource', is: () => RESOURCE },
  2: { name: 'scopeMetrics', is: () => SCOPE_METRICS, repeated: true },
}

/** ExportMetricsServiceRequest. */
export const METRICS_REQUEST: MessageType = {
  1: { name: 'resourceMetrics', is: () => RESOURCE_METRICS, repeated: true },
}
