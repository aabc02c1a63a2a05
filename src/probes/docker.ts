import { judgesAnswer } from '../core/expectations/assertion.ts'
import { NO_HOST, speaksTls, unexpectedStatus } from '../core/monitors/cause.ts'
import { daysRemaining, warnOfExpiry } from '../core/monitors/certificate.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import { readDockerHost } from '../core/monitors/options/protocols/docker.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import {
  containerStarting,
  containerStopped,
  containerUnhealthy,
  dockerRefused,
  noContainer,
  notOfProtocol,
} from '../core/monitors/types/causes.ts'
import { type InspectedContainer, readContainer, readRefusal } from '../core/monitors/types/container.ts'
import type { Network } from '../net/network.ts'
import { codeOf, ownTrouble } from '../net/own-trouble.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from './attempt.ts'
import { readBody } from './bodies/body.ts'
import { type Connected, connect, connectLocally, connectSecurely, type Ended } from './connect.ts'
import { answerFailure, exchange } from './exchange.ts'
import { maskOf } from './mask-secrets.ts'
import { meetAssertions } from './meet-assertions.ts'
import type { Probe } from './probe.ts'
import { tlsTermsOf, wayOf } from './way.ts'

const NAME = 'Docker'
const OK = 200
const BAD_REQUEST = 400
const NOT_FOUND = 404
const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }
const ALPN = ['http/1.1']
/** The name that a server behind a socket is asked by, which none reads. */
const LOCAL = 'http://localhost'
/** A server of Go says so where its port is one of TLS (net/http). */
const ASKED_WITHOUT_TLS = /client sent an HTTP request to an HTTPS server/i
type Current = ProbeAttempt<ProbeSettings<'docker'>>
type Place = { connected: Connected | Ended; url: URL }

/**
 * Up when a Docker API says that the container runs, and is healthy where it has a health check. Asked without a version in the path: each
 * release of Docker knows other ones, and answers by its newest then.
 */
export function createDockerProbe(network: Network, now: () => Date): Probe<'docker'> {
  return async (settings, signal) => {
    const result = await attempt(network, settings, signal, check)
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}

async function check(current: Current): Promise<CheckResult> {
  const name = nameIn(current.settings.url)
  const place = name === '' ? null : await open(current, `/containers/${encodeURIComponent(name)}/json`)
  if (place === null) return unanswered(current, NO_HOST)
  const { connected, url } = place
  if (connected.kind === 'ended') return connected.result
  try {
    current.requested()
    const sentAt = performance.now()
    const headers = { Accept: 'application/json' }
    const answer = await exchange(connected, { url, method: 'GET', headers }, current.signal)
    if (answer.kind === 'failed')
      return answer.isOurs ? resultWithout('pending', answer.reason) : unanswered(current, answer.reason)
    current.greeted(Math.round(performance.now() - sentAt))
    const body = await readBody(answer.response, () => current.progress())
    if (body.kind === 'undecodable') return answered(current, notOfProtocol(NAME))
    if (body.kind === 'broken') {
      const error = answer.brokenBy() ?? body.error
      const own = ownTrouble(codeOf(error))
      return own
        ? resultWithout('pending', own)
        : unanswered(current, answerFailure(error, connected.endpoint))
    }
    const text = body.bytes.toString()
    if (answer.status !== OK)
      return answered(current, masked(current, refusalOf(name, answer.status, text, connected.endpoint)))
    const inspected = readContainer(text)
    if (inspected === null) return answered(current, notOfProtocol(NAME))
    return await judge(current, name, inspected)
  } finally {
    connected.socket.destroy()
  }
}

/** The name or ID of the container as it is written: a URL parser would change its case. */
function nameIn(url: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
}

async function open(current: Current, path: string): Promise<Place | null> {
  const { settings } = current
  const host = readDockerHost(settings.options?.docker_host ?? '')
  if (host === null) return null
  if (host.kind === 'socket')
    return { connected: await connectLocally(current, host.path), url: new URL(path, LOCAL) }
  const url = new URL(path, host.url)
  const port = Number(url.port) || (PORTS[url.protocol] ?? 0)
  const way = await wayOf(current)
  const place = { kind: 'check', url, port, way, terms: tlsTermsOf(settings) } as const
  const connected = await (url.protocol === 'https:'
    ? connectSecurely(current, place, ALPN)
    : connect(current, place))
  return { connected, url }
}

/** The cause of an answer with another status than 200, in whose words there are some. */
function refusalOf(name: string, status: number, text: string, endpoint: string): string {
  if (status === BAD_REQUEST && ASKED_WITHOUT_TLS.test(text)) return speaksTls(endpoint)
  const refused = readRefusal(text)
  if (refused === null) return unexpectedStatus(status, [OK])
  const { words, saysMissing } = refused
  return status === NOT_FOUND && saysMissing ? noContainer(name) : dockerRefused(status, words)
}

/** An assertion about the answer judges the state in place of the usual rule, as one about a status of HTTP does. */
async function judge(current: Current, name: string, inspected: InspectedContainer): Promise<CheckResult> {
  const { State: state } = inspected
  const byAssertion = judgesAnswer(current.settings.options?.assertions)
  const fault = faultOf(name, inspected, byAssertion)
  if (fault !== null) return answered(current, masked(current, fault))
  const found = answered(current, null)
  const isStarting = state.Status === 'running' && state.Health?.Status === 'starting'
  const passing = isStarting ? { ...found, note: containerStarting(name) } : found
  const { certificate } = passing
  return meetAssertions(current, passing, {
    answer: state.Status,
    body: JSON.stringify(inspected),
    certificateDays: certificate && daysRemaining(certificate.expiresAt, current.network.now()),
  })
}

function faultOf(
  name: string,
  { State: state, RestartCount }: InspectedContainer,
  byAssertion: boolean,
): string | null {
  const { Status: status, Health: health } = state
  if (status === 'running')
    return health?.Status === 'unhealthy' ? containerUnhealthy(name, lastLineOf(health.Log ?? [])) : null
  if (byAssertion) return null
  return containerStopped(name, {
    status,
    exitCode: state.ExitCode ?? 0,
    isOutOfMemory: state.OOMKilled === true,
    error: state.Error ?? '',
    restarts: RestartCount ?? 0,
  })
}

/** The last line that has something in it, of the last run of a health check. */
function lastLineOf(log: readonly { Output?: string | undefined }[]): string {
  const lines = (log.at(-1)?.Output ?? '').split(/[\r\n]+/).map((line) => line.trim())
  return lines.findLast((line) => line !== '') ?? ''
}

/** A server may repeat what it was sent. */
function masked(current: Current, cause: string): string {
  return maskOf(current).apply(cause)
}
