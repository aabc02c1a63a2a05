import type { InputSource } from '../machine-report.ts'
import { MAX_INPUT_BYTES } from '../server.ts'
import {
  exportResponse,
  type InputAnswer,
  type InputRefusal,
  influxRefusal,
  type Rejected,
  retryAfter,
  statusResponse,
  writeResponse,
} from './answer.ts'
import { readInfluxLines } from './influx-line.ts'
import { readOpenTelemetry } from './opentelemetry.ts'
import type { InputReading } from './point.ts'
import { readRemoteWrite } from './remote-write.ts'
import { unpackSnappy } from './snappy.ts'

/** The headers of a request about its body. */
export type InputRequest = {
  contentType: string | null
  query: (name: string) => string | null
}

/**
 * A protocol in which senders report what they know of a machine. `encodings`: of Content-Encoding, besides none at all;
 * `gzip` is unpacked before the body is read here.
 */
export type StandardInput = {
  source: InputSource
  encodings: readonly ('gzip' | 'snappy')[]
  /** Why the body is not even read, or null. */
  refuse(request: InputRequest): InputRefusal | null
  /** `now`: epoch seconds. */
  read(body: Uint8Array, request: InputRequest, now: number): InputReading
  taken(request: InputRequest, rejected: Rejected | null): InputAnswer
  refused(request: InputRequest, refusal: InputRefusal): InputAnswer
}

function mediaTypeOf({ contentType }: InputRequest): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function notOfType(request: InputRequest, wanted: string): InputRefusal {
  const got = mediaTypeOf(request) || 'no type'
  return { status: 415, detail: `the body must have the Content-Type ${wanted}; it has ${got.slice(0, 100)}` }
}

const isJson = (request: InputRequest) => mediaTypeOf(request) === 'application/json'

/** https://opentelemetry.io/docs/specs/otlp/#otlphttp */
const OPENTELEMETRY: StandardInput = {
  source: 'opentelemetry',
  encodings: ['gzip'],
  refuse(request) {
    const isKnown = isJson(request) || mediaTypeOf(request) === 'application/x-protobuf'
    return isKnown ? null : notOfType(request, 'application/x-protobuf or application/json')
  },
  read: (body, request, now) => readOpenTelemetry(body, { now, isJson: isJson(request) }),
  taken: (request, rejected) => exportResponse(isJson(request), rejected),
  refused: (request, refusal) => statusResponse(isJson(request), refusal),
}

const INFLUX: StandardInput = {
  source: 'influx',
  encodings: ['gzip'],
  refuse: () => null,
  read: (body, { query }, now) => readInfluxLines(body, { now, precision: query('precision') }),
  taken: (_request, rejected) => writeResponse(rejected),
  refused: (_request, refusal) => influxRefusal(refusal),
}

/** The message of version 1, which is meant where the type does not say. */
const WRITE_REQUEST = 'prometheus.WriteRequest'

/** https://prometheus.io/docs/specs/prw/remote_write_spec/: senders of version 2 go on with version 1 after a 415. */
const REMOTE_WRITE: StandardInput = {
  source: 'prometheus',
  encodings: ['snappy'],
  refuse(request) {
    const message = /;\s*proto=([^;\s]+)/.exec(request.contentType ?? '')?.[1] ?? WRITE_REQUEST
    const isKnown = mediaTypeOf(request) === 'application/x-protobuf' && message === WRITE_REQUEST
    return isKnown ? null : notOfType(request, `application/x-protobuf;proto=${WRITE_REQUEST}`)
  },
  read(body, _request, now) {
    const unpacked = unpackSnappy(body, MAX_INPUT_BYTES)
    return 'fault' in unpacked ? unpacked : readRemoteWrite(unpacked, { now })
  },
  taken: (_request, rejected) =>
    rejected === null
      ? { status: 204, headers: {}, body: null }
      : plain({ status: 400, detail: rejected.why }),
  refused: (_request, refusal) => plain(refusal),
}

/** Prometheus logs the first line. */
function plain(refusal: InputRefusal): InputAnswer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...retryAfter(refusal) }
  return { status: refusal.status, headers, body: `${refusal.detail}\n` }
}

/** The inputs by their paths below the address of a server. */
export const STANDARD_INPUTS: Readonly<Record<string, StandardInput>> = {
  'v1/metrics': OPENTELEMETRY,
  write: INFLUX,
  'api/v2/write': INFLUX,
  'api/v1/write': REMOTE_WRITE,
}

/** The answer about machines whose reports were not kept, since the address is another one's. */
export function rejectedMachines(names: readonly (string | null)[]): Rejected {
  const said = names.map((name) => name ?? 'a machine without a name').join(', ')
  const why = `this address belongs to another machine, whose reports are kept; those of ${said} are not: add a server for each`
  return { count: names.length, why }
}
