import { fact, type Gathering, gathering, toldOf } from './gather.ts'
import { KNOWN_OPENTELEMETRY } from './known-opentelemetry.ts'
import { METRICS_REQUEST } from './opentelemetry-messages.ts'
import { type InputReading, MAX_POINT_LABELS, type Told } from './point.ts'
import { decode } from './protobuf.ts'

const DELTA = [1, 'AGGREGATION_TEMPORALITY_DELTA']

/** A JSON value of somebody else: anything may be missing, or be something else. */
type Loose = { readonly [key: string]: unknown }

/** Reads an ExportMetricsServiceRequest of OTLP. `isJson`: else it is protobuf. `now`: epoch seconds. */
export function readOpenTelemetry(
  body: Uint8Array,
  { now, isJson }: { now: number; isJson: boolean },
): InputReading {
  const request = isJson ? fromJson(body) : fromProtobuf(body)
  if ('fault' in request) return { fault: String(request.fault) }
  const gathered = gathering('opentelemetry', KNOWN_OPENTELEMETRY, now)
  for (const resourceMetrics of list(request.resourceMetrics)) {
    const told = toldBy(labelsOf(object(resourceMetrics.resource).attributes))
    gathered.tell(told)
    for (const { metrics } of list(resourceMetrics.scopeMetrics)) {
      for (const metric of list(metrics)) addMetric(gathered, metric, told)
    }
  }
  return { ...gathered.finish(), rejected: null }
}

function fromJson(body: Uint8Array): Loose {
  try {
    const request: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof request === 'object' && request !== null && !Array.isArray(request)) {
      const { resourceMetrics } = request as Loose
      return { resourceMetrics }
    }
  } catch {
    // Said below.
  }
  return { fault: 'the body is no JSON object of an ExportMetricsServiceRequest' }
}

function fromProtobuf(body: Uint8Array): Loose {
  try {
    return decode(body, METRICS_REQUEST)
  } catch {
    return { fault: 'the body is no ExportMetricsServiceRequest in protobuf' }
  }
}

/** Histograms and summaries are of no known series. */
function addMetric(gathered: Gathering, metric: Loose, told: Told): void {
  const name = text(metric.name) ?? ''
  const sum = object(metric.sum)
  const isDelta = DELTA.includes(sum.aggregationTemporality as never)
  const others = [metric.histogram, metric.exponentialHistogram, metric.summary]
  for (const other of others) gathered.drop(list(object(other).dataPoints).length, name)
  for (const points of [object(metric.gauge).dataPoints, sum.dataPoints]) {
    for (const point of list(points)) {
      const at = seconds(point.timeUnixNano)
      const since = seconds(point.startTimeUnixNano)
      const labels = labelsOf(point.attributes)
      const over = isDelta && at !== null && since !== null && at > since ? at - since : null
      const value = isDelta && over === null ? Number.NaN : number(point.asDouble ?? point.asInt)
      gathered.add({ name, labels, value, at, over }, told)
    }
  }
}

/** Attributes that detectors of the Collector and of SDKs give a machine, and Proxmox its node. */
function toldBy(attributes: Record<string, string>): Told {
  return toldOf({
    host_name: fact(attributes['host.name'] ?? attributes['proxmox.node']),
    machine_id: fact(attributes['host.id']),
    os: fact(attributes['os.description']),
    architecture: fact(attributes['host.arch']),
  })
}

function labelsOf(attributes: unknown): Record<string, string> {
  const pairs = list(attributes).slice(0, MAX_POINT_LABELS + 1)
  return Object.fromEntries(
    pairs.map(({ key, value }) => {
      const { stringValue, intValue, boolValue, doubleValue } = object(value)
      return [text(key) ?? '', String(stringValue ?? intValue ?? boolValue ?? doubleValue ?? '')]
    }),
  )
}

function list(value: unknown): Loose[] {
  return Array.isArray(value) ? value.map(object) : []
}

function object(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {}
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** JSON has 64-bit integers as strings, and some senders as numbers. */
function number(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN
}

/** Epoch seconds of nanoseconds; null for none. */
function seconds(nanoseconds: unknown): number | null {
  const value = number(nanoseconds)
  return Number.isFinite(value) && value > 0 ? value / 1e9 : null
}
