import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** The answer to a sender, in the words of its protocol. */
export type InputAnswer = {
  status: number
  headers: Record<string, string>
  body: Uint8Array | string | null
}

/** Why a request, or a part of it, was not taken. `retryAfterSeconds`: it may be sent again then. */
export type InputRefusal = {
  status: 400 | 404 | 409 | 413 | 415 | 429 | 500 | 503
  detail: string
  retryAfterSeconds?: number
}

/** The part of a request that was not taken. */
export type Rejected = { count: number; why: string }

export function retryAfter({ retryAfterSeconds }: InputRefusal): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterSeconds)) }
}

/** The codes of version 2; version 1 reads `error` alone. */
const INFLUX_CODES: Record<InputRefusal['status'], string> = {
  400: 'invalid',
  404: 'not found',
  409: 'conflict',
  413: 'request too large',
  415: 'unsupported media type',
  429: 'too many requests',
  500: 'internal error',
  503: 'unavailable',
}

/** Senders ask whose version they talk to. */
const VERSION = { 'x-influxdb-version': '2.0.0-upbeat' }

/** As InfluxDB does, what was written stays, and the rest is a fault of the sender, which drops all of it. */
export function writeResponse(rejected: Rejected | null): InputAnswer {
  if (rejected === null) return { status: 204, headers: VERSION, body: null }
  const detail = `partial write: ${rejected.why} dropped=${rejected.count}`
  return influxRefusal({ status: 400, detail })
}

export function influxRefusal(refusal: InputRefusal): InputAnswer {
  const { status, detail } = refusal
  return influxAnswer(
    status,
    { code: INFLUX_CODES[status], message: detail, error: detail },
    retryAfter(refusal),
  )
}

/**
 * The questions of senders before they write: whether the service is well (Proxmox, clients of version 2), and which databases
 * there are (Glances wants its own one among them; Telegraf creates one).
 */
export const INFLUX_QUESTIONS: Record<string, (query: (name: string) => string | null) => InputAnswer> = {
  ping: () => ({ status: 204, headers: VERSION, body: null }),
  health: () =>
    influxAnswer(200, {
      name: 'influxdb',
      message: 'ready for queries and writes',
      status: 'pass',
      version: '2.0.0',
    }),
  query: (query) => {
    const isList = /^\s*show\s+databases/i.test(query('q') ?? '')
    const values = [[(query('db') ?? 'upbeat').slice(0, 255)]]
    const series = [{ name: 'databases', columns: ['name'], values }]
    return influxAnswer(200, { results: [{ statement_id: 0, ...(isList ? { series } : {}) }] })
  },
}

function influxAnswer(status: number, body: object, headers: Record<string, string> = {}): InputAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...VERSION, ...headers },
    body: JSON.stringify(body),
  }
}

/** The codes of google.rpc.Code, by status. */
const RPC_CODES: Record<InputRefusal['status'], number> = {
  400: 3,
  404: 5,
  409: 9,
  413: 8,
  415: 3,
  429: 8,
  500: 13,
  503: 14,
}

/** An ExportMetricsServiceResponse: empty, or with what was rejected, in the encoding of the request. */
export function exportResponse(isJson: boolean, rejected: Rejected | null): InputAnswer {
  if (isJson) {
    const partialSuccess = rejected && {
      rejectedDataPoints: String(rejected.count),
      errorMessage: rejected.why,
    }
    return json(200, partialSuccess ? { partialSuccess } : {})
  }
  const writer = new BinaryWriter()
  if (rejected) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Varint).int64(rejected.count)
    writer.tag(2, WireType.LengthDelimited).string(rejected.why)
    writer.join()
  }
  return protobuf(200, writer.finish())
}

/** A google.rpc.Status. Senders retry only what is 429 or 503. */
export function statusResponse(isJson: boolean, refusal: InputRefusal): InputAnswer {
  const { status, detail } = refusal
  const code = RPC_CODES[status]
  if (isJson) return json(status, { code, message: detail }, retryAfter(refusal))
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).int32(code)
  writer.tag(2, WireType.LengthDelimited).string(detail)
  return protobuf(status, writer.finish(), retryAfter(refusal))
}

function json(status: number, body: object, headers: Record<string, string> = {}): InputAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

function protobuf(status: number, body: Uint8Array, headers: Record<string, string> = {}): InputAnswer {
  return { status, headers: { 'content-type': 'application/x-protobuf', ...headers }, body }
}
