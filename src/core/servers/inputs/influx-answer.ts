import { type InputAnswer, type InputRefusal, type Rejected, retryAfter } from './answer.ts'

/** The codes of version 2; version 1 reads `error` alone. */
const CODES: Record<InputRefusal['status'], string> = {
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
  return answer(status, { code: CODES[status], message: detail, error: detail }, retryAfter(refusal))
}

/**
 * The questions of senders before they write: whether the service is well (Proxmox, clients of version 2), and which databases
 * there are (Glances wants its own one among them; Telegraf creates one).
 */
export const INFLUX_QUESTIONS: Record<string, (query: (name: string) => string | null) => InputAnswer> = {
  ping: () => ({ status: 204, headers: VERSION, body: null }),
  health: () =>
    answer(200, {
      name: 'influxdb',
      message: 'ready for queries and writes',
      status: 'pass',
      version: '2.0.0',
    }),
  query: (query) => {
    const isList = /^\s*show\s+databases/i.test(query('q') ?? '')
    const values = [[(query('db') ?? 'upbeat').slice(0, 255)]]
    const series = [{ name: 'databases', columns: ['name'], values }]
    return answer(200, { results: [{ statement_id: 0, ...(isList ? { series } : {}) }] })
  },
}

function answer(status: number, body: object, headers: Record<string, string> = {}): InputAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...VERSION, ...headers },
    body: JSON.stringify(body),
  }
}
