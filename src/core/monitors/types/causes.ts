import { maskedAddress } from '../../teams/access.ts'
import type { PageFault } from '../browser/page-report.ts'
import { type PageStep, targetWords } from '../browser/page-step.ts'
import { CHECK_CANCELLED, connectionFailure, cutCause, grouped } from '../cause.ts'

/*
 * The texts of `cause` of types that speak a protocol of their own, besides those that several share (`protocol-causes.ts`).
 */

const MAX_QUOTED = 200

/** The names of the codes of gRPC, by their numbers (grpc/doc/statuscodes.md). */
const GRPC_CODES = [
  ...['OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS'],
  ...['PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE'],
  ...['UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'UNAUTHENTICATED'],
]

/** Something answers, and does not speak the protocol. `protocol` as people write it: NTP. */
export function notOfProtocol(protocol: string): string {
  return `${protocol}: the answer is not as this protocol has it`
}

/** A socket of this machine that the operator does not list (DOCKER_SOCKETS). */
export function socketNotAllowed(path: string): string {
  return `socket ${cutCause(path, MAX_QUOTED)} is not allowed`
}

/** `code` is the system's: ENOENT, EACCES. */
export function socketFailure(code: string, path: string): string {
  switch (code) {
    case 'ENOENT':
      return `there is no socket ${path}`
    case 'EACCES':
    case 'EPERM':
      return `this service may not use the socket ${path}`
    default:
      return connectionFailure(code, [path])
  }
}

export function noContainer(name: string): string {
  return `there is no container ${name}`
}

/** `message` of a Docker API, in its words. */
export function dockerRefused(status: number, message: string): string {
  return `Docker: HTTP ${status} ("${cutCause(message, MAX_QUOTED)}")`
}

/** The words of a Docker API about a container that does not run. `restarts`: how often it was started again by itself. */
export type StoppedContainer = {
  status: string
  exitCode: number
  isOutOfMemory: boolean
  error: string
  restarts: number
}

export function containerStopped(
  name: string,
  { status, exitCode, isOutOfMemory, error, restarts }: StoppedContainer,
): string {
  const why = isOutOfMemory ? ' (out of memory)' : error === '' ? '' : ` ("${cutCause(error, MAX_QUOTED)}")`
  switch (status) {
    case 'exited':
    case 'dead':
      return `container ${name} has exited with ${exitCode}${why}`
    case 'restarting':
      return `container ${name} is restarting after it has exited with ${exitCode}${why}, ${restarts} times so far`
    case 'created':
      return `container ${name} was never started${why}`
    default:
      return `container ${name} is ${cutCause(status, MAX_QUOTED)}`
  }
}

/** `line` is the last one that its health check has written. */
export function containerUnhealthy(name: string, line: string): string {
  return `container ${name} is unhealthy${line === '' ? '' : ` ("${cutCause(line, MAX_QUOTED)}")`}`
}

/** A note on a check that passed. */
export function containerStarting(name: string): string {
  return `container ${name} is running, and its health is not known yet`
}

/** `status` is one of grpc.health.v1. */
export function grpcStatus(status: string): string {
  return `gRPC status ${status}`
}

export function grpcError(code: number, message: string): string {
  const name = GRPC_CODES[code] ?? 'unknown code'
  return `gRPC error ${code} ${name}${message === '' ? '' : ` ("${cutCause(message, MAX_QUOTED)}")`}`
}

export function grpcFault(why: string): string {
  return `gRPC: ${why}`
}

/** `code` is a kiss code (RFC 5905, section 7.4). */
export function ntpKiss(code: string): string {
  return `NTP: the server answers ${code} instead of the time`
}

export const NTP_UNSYNCHRONIZED = 'NTP: the server is not synchronized'

export function ntpOffset(offsetMs: number, maxMs: number): string {
  const where = offsetMs < 0 ? 'behind' : 'ahead'
  return `NTP: the clock is ${grouped(Math.abs(offsetMs))} ms ${where} (expected at most ${grouped(maxMs)} ms)`
}

export function ntpStratum(stratum: number, max: number): string {
  return `NTP: stratum is ${stratum} (expected at most ${max})`
}

export function ntpDispersion(dispersionMs: number, maxMs: number): string {
  return `NTP: root dispersion is ${grouped(dispersionMs)} ms (expected at most ${grouped(maxMs)} ms)`
}

export function snmpMissing(oid: string): string {
  return `SNMP: ${oid} does not exist`
}

/** `name` of an error of SNMP (RFC 3416, section 3). */
export function snmpError(code: number, name: string): string {
  return `SNMP: error ${code} ${name}`
}

export const RADIUS_UNSIGNED = 'RADIUS: the answer is not signed with the shared secret'

/** `line` is the status of the answer, such as `404 Not Found`. */
export function sipStatus(line: string): string {
  return `SIP: ${cutCause(line, MAX_QUOTED)} (expected 200)`
}

/** A name leads to a host out of the domain that may answer for it. */
export function memberOutside(protocol: string, host: string, target: string, parent: string): string {
  return `${protocol}: the SRV records of ${host} lead to ${cutCause(target, MAX_QUOTED)}, which is not in ${parent}`
}

/** `silent`: those before it, with the reasons. A note on a check that passed. */
export function memberAnswered(protocol: string, place: string, silent: readonly string[]): string {
  return `${protocol}: answered by ${place}, and not by ${silent.join(', ')}`
}

export function noMemberAnswers(protocol: string, silent: readonly string[]): string {
  return `${protocol}: no member answers: ${silent.join(', ')}`
}

/** Why SQL Server signs no one in, as the end of a cause. */
export function offersOnlyTls(): string {
  return 'the server takes connections over TLS alone'
}

export function routedElsewhere(host: string, port: number): string {
  return `the server sends to ${cutCause(host, MAX_QUOTED)}:${port}, which is not followed`
}

/** The cause of a check of several requests: that of one of them. `number` counts from 1. */
export function ofStep(number: number, name: string, cause: string): string {
  return `step ${number} "${name}": ${cause}`
}

export const STEP_URL_UNUSABLE = 'with the values of earlier steps its URL is none of http or https'
export const STEP_TOO_LONG = 'with the values of earlier steps the request is too long'

export function captureMissing(name: string): string {
  return `nothing to capture as "${name}"`
}

export function captureTooLong(name: string, max: number): string {
  return `what is to be captured as "${name}" is longer than ${grouped(max)} characters`
}

export const CAPTURES_BEYOND_BOUND = 'its captures could not be evaluated within their bound'

/** The name of the timing of a check in a browser that opens the page. */
export const OPENING = 'open the page'

/** The reason why no check in a browser can be made here. */
export const NO_BROWSER = 'there is no browser here: set BROWSER_PATH'

const BROWSER_TROUBLE = {
  'none free': 'no browser was free: more checks in browsers are due than run at once (BROWSER_CHECKS)',
  'does not start': 'the browser does not start here',
  'too much memory': 'the browser was ended, as it took too much memory',
  ended: 'the browser ended',
  crashed: 'the page crashed in the browser',
  cancelled: CHECK_CANCELLED,
} as const

export function browserTrouble(trouble: keyof typeof BROWSER_TROUBLE): string {
  return BROWSER_TROUBLE[trouble]
}

export function pageTooLarge(bytes: number): string {
  return `the page loads more than ${grouped(bytes / (1024 * 1024))} MiB, where a check ends`
}

/** `step`: the one that fails; null for the page that is opened first. `seconds`: the time that it had. */
export function pageFault(fault: PageFault, step: PageStep | null, seconds: number): string {
  const what = step ? targetWords(step) : ''
  switch (fault.kind) {
    case 'status':
      return `HTTP ${fault.status} (expected less than 400)`
    case 'not opened':
      return `the browser cannot open the page (${fault.code})`
    case 'download':
      return 'the page is a download'
    case 'not loaded':
      return `the page has not loaded within ${seconds} s`
    case 'not seen':
      return `${what} not seen within ${seconds} s`
    case 'no text':
      return `text "${step?.value}" not seen within ${seconds} s`
    case 'text':
      return `text "${step?.value}" still seen after ${seconds} s`
    case 'no option':
      return `${what} has no option "${step?.value}" within ${seconds} s`
    case 'other page':
      return `the page is ${maskedAddress(fault.url)} (expected to contain "${step?.value}")`
    case 'no selector':
      return `${what} is no selector`
    case 'no field':
      return `${what} is no field that can be filled in`
    case 'no key':
      return 'there is no such key'
    case 'failed':
      return cutCause(fault.message, MAX_QUOTED)
  }
}
