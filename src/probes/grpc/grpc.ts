import { NO_HOST, UNSENDABLE, unexpectedStatus } from '../../core/monitors/cause.ts'
import { daysRemaining, warnOfExpiry } from '../../core/monitors/certificate.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import { securityOf } from '../../core/monitors/options/security.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { parseTarget, portOf } from '../../core/monitors/target.ts'
import { grpcError, grpcFault, grpcStatus } from '../../core/monitors/types/causes.ts'
import { hungUpBefore, saidTooMuch } from '../../core/monitors/types/protocol-causes.ts'
import { decode } from '../../core/servers/inputs/protobuf.ts'
import type { Network } from '../../net/network.ts'
import { codeOf, ownTrouble } from '../../net/own-trouble.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from '../attempt.ts'
import { type CheckedPlace, type Connected, connect, connectSecurely } from '../connect.ts'
import { cutOff } from '../lines/cut-off.ts'
import { TalkEnded } from '../lines/talk.ts'
import { maskOf } from '../mask-secrets.ts'
import { meetAssertions } from '../meet-assertions.ts'
import type { Probe } from '../probe.ts'
import { tlsTermsOf, wayOf } from '../way.ts'
import type { CallEnded, Calls, GrpcAnswer } from './call.ts'

const NAME = 'gRPC'
const OK = 200
const HEALTH_CHECK = '/grpc.health.v1.Health/Check'
/** grpc.health.v1.HealthCheckResponse.ServingStatus, by its numbers. */
const STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN']
const SERVING = 'SERVING'
const FIRST_FIELD_OF_TEXT = 0x0a
const MORE = 0x80
const BITS = 7

type Current = ProbeAttempt<ProbeSettings<'grpc'>>
type Modules = typeof import('./call.ts')
/** The answer to a call: why it is a failure, if it is one, and its message as JSON. */
type Said = { fault: string | null; json: string | null }

/** Up when a server says by grpc.health.v1 that it serves, or answers a call as the monitor wants it. */
export function createGrpcProbe(network: Network, now: () => Date): Probe<'grpc'> {
  return async (settings, signal) => {
    // HTTP/2 is loaded for the first check of the type, before that is timed.
    const modules = await import('./call.ts')
    const result = await attempt(network, settings, signal, (current) => check(current, modules))
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}

async function check(current: Current, modules: Modules): Promise<CheckResult> {
  const { settings, network, signal } = current
  const url = parseTarget(settings.url)
  const port = portOf(settings)
  if (port === null || url === null) return unanswered(current, NO_HOST)
  const isSecure = securityOf(settings) === 'implicit'
  const place: CheckedPlace = {
    ...{ kind: 'check', url, port },
    ...{ way: await wayOf(current), terms: tlsTermsOf(settings) },
  }
  const connected = await (isSecure ? connectSecurely(current, place, ['h2']) : connect(current, place))
  if (connected.kind === 'ended') return connected.result
  current.requested()
  const askedAt = performance.now()
  let isFirst = true
  const calls = modules.openCalls(connected.socket, {
    origin: `${isSecure ? 'https' : 'http'}://${url.hostname}:${port}`,
    metadata: settings.request_headers ?? {},
    signal,
    onHeaders: () => {
      if (isFirst) current.greeted(Math.round(performance.now() - askedAt))
      isFirst = false
    },
    onRead: () => current.progress(),
  })
  try {
    const said = await (settings.options?.method ? callMethod(calls, settings) : checkHealth(calls, settings))
    if (said.fault !== null) return answered(current, maskOf(current).apply(said.fault))
    const passing = answered(current, null)
    const { certificate } = passing
    const certificateDays = certificate && daysRemaining(certificate.expiresAt, network.now())
    return await meetAssertions(current, passing, { body: said.json, certificateDays })
  } catch (error) {
    if (!(error instanceof modules.CallEnded)) throw error
    return ended(current, { connected, port, hasBegun: calls.hasBegun() }, error)
  } finally {
    calls.close()
  }
}

async function checkHealth(calls: Calls, { options }: ProbeSettings<'grpc'>): Promise<Said> {
  const answer = await calls.call(HEALTH_CHECK, healthRequest(options?.service ?? ''))
  const fault = faultOf(answer)
  if (fault !== null) return { fault, json: null }
  const status = STATUSES[statusIn(answer.messages[0])] ?? 'UNKNOWN'
  return { fault: status === SERVING ? null : grpcStatus(status), json: JSON.stringify({ status }) }
}

/** A message whose first field is the name of the service. */
function healthRequest(service: string): Buffer {
  const name = Buffer.from(service)
  if (name.length === 0) return name
  const length: number[] = []
  let left = name.length
  for (; left >= MORE; left >>= BITS) length.push((left % MORE) | MORE)
  return Buffer.concat([Buffer.from([FIRST_FIELD_OF_TEXT, ...length, left]), name])
}

function statusIn(message: Buffer | undefined): number {
  try {
    const { status = 0 } = decode(message ?? Buffer.alloc(0), { 1: { name: 'status', is: 'uint32' } })
    return Number(status)
  } catch {
    return 0
  }
}

async function callMethod(calls: Calls, { options }: ProbeSettings<'grpc'>): Promise<Said> {
  const { describeMethod } = await import('./reflection.ts')
  const described = await describeMethod(calls, options?.method ?? '', faultOf)
  if ('fault' in described) return { fault: described.fault, json: null }
  const { path, encode, read } = described
  const message = encode(options?.request ?? '{}')
  if ('fault' in message) return { fault: message.fault, json: null }
  const answer = await calls.call(path, message.bytes)
  const fault = faultOf(answer)
  if (fault !== null) return { fault, json: null }
  const json = read(answer.messages[0] ?? Buffer.alloc(0))
  return json === null
    ? { fault: grpcFault('the answer cannot be read as its description says'), json }
    : { fault: null, json }
}

/** Why an answer is none that is wanted; null for one. */
function faultOf({ httpStatus, isGrpc, code, message }: GrpcAnswer): string | null {
  if (httpStatus !== OK && code === null) return unexpectedStatus(httpStatus, [OK])
  if (!isGrpc) return grpcFault('the answer is not one of gRPC')
  if (code === null) return grpcFault('the answer has no status')
  return code === 0 ? null : grpcError(code, message)
}

function ended(
  current: Current,
  { connected, port, hasBegun }: { connected: Connected; port: number; hasBegun: boolean },
  { how, error }: CallEnded,
): CheckResult {
  switch (how) {
    case 'given up':
      return unanswered(current, 'gave up')
    case 'too much':
      return answered(current, saidTooMuch(NAME))
    case 'compressed':
      return answered(current, grpcFault('the answer is compressed, though it was asked for as it is'))
    case 'unsendable':
      return answered(current, UNSENDABLE)
    case 'closed': {
      const own = error && ownTrouble(codeOf(error))
      if (own) return resultWithout('pending', own)
      const place = { name: NAME, port, connected, awaited: 'answer' }
      const isOfHttp2 = error !== null && codeOf(error).startsWith('ERR_HTTP2')
      if (!isOfHttp2) return cutOff(current, place, new TalkEnded('closed', error))
      if (!hasBegun) return unanswered(current, grpcFault(`${connected.endpoint} does not speak HTTP/2`))
      const [code] = /NGHTTP2_\w+/.exec(error.message) ?? []
      if (code === undefined) return unanswered(current, hungUpBefore(NAME, connected.endpoint, 'answer'))
      return unanswered(
        current,
        grpcFault(`the server broke the call off (${code.slice('NGHTTP2_'.length)})`),
      )
    }
  }
}
