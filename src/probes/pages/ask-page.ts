import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { addressAndPort, NO_HOST, noAnswer, TOO_BUSY, type WaitingFor } from '../../core/monitors/cause.ts'
import { REDIRECTS, redirectTarget } from '../../core/monitors/redirect.ts'
import { targetHost } from '../../core/monitors/target.ts'
import {
  type AddressAnswer,
  type AddressRequest,
  type AskPage,
  retryAfterMs,
  type SeenOfHost,
  type Turn,
} from '../../core/sites/crawl/asking.ts'
import { type Asked, MAX_REDIRECTS } from '../../core/sites/crawl/judge-answer.ts'
import { ROBOT_NAME } from '../../core/sites/crawl/robots.ts'
import { type Deadline, startDeadline } from '../../net/deadline.ts'
import type { Network } from '../../net/network.ts'
import { secure } from '../../net/tls/tls.ts'
import { charsetOf, DECLARED_WITHIN_BYTES } from '../bodies/charset.ts'
import { decodeContent } from '../bodies/content-encoding.ts'
import type { Connected } from '../connect.ts'
import { exchange } from '../exchange.ts'
import { type CrawlDial, createCrawlDial } from './given-host.ts'

/** One request takes no longer, from the look-up of the name to the last byte. */
const LIMIT_MS = 10_000
const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

type Settings = { network: Network; userAgent: string; dial: CrawlDial; turn: Turn }

/** A hop's view of its host, filled in while it runs. */
type Seen = { answeredAtMs: number | null; retryAfterMs: number | null }

/** The header by which sites know us; its page explains what the crawler does. */
export function crawlerAgent(siteUrl: string): string {
  return `Mozilla/5.0 (compatible; ${ROBOT_NAME}/1.0; +${siteUrl}/docs/crawler)`
}

/** The asking of a crawl of the site at `home`. */
export function openAsking(deps: Pick<Settings, 'network' | 'userAgent'>, home: URL): AskPage {
  const dial = createCrawlDial(deps.network, home)
  return (request, turn, signal) => askPage({ ...deps, dial, turn }, request, signal)
}

/**
 * Asks for an address as a crawl does: redirects are followed, each over a new connection to an address that is judged
 * again; no cookies, no credentials, no referrer. Throws only when the turn does.
 */
async function askPage(
  settings: Settings,
  request: AddressRequest,
  signal: AbortSignal,
): Promise<AddressAnswer> {
  const visited = new Set<string>()
  const redirects: number[] = []
  let url = new URL(request.address)
  let setsCookies = false
  for (;;) {
    if (visited.has(url.href)) return without({ kind: 'loop', finalAddress: url.href, setsCookies })
    visited.add(url.href)
    const giveBack = await settings.turn(url.host, signal)
    const seen: Seen = { answeredAtMs: null, retryAfterMs: null }
    const hop = await askOnce(settings, url, request, seen, signal).finally(() =>
      giveBack(seenUntilNow(seen)),
    )
    if (hop.kind === 'failed') return without(hop.asked)
    const { statusCode, headers } = hop
    setsCookies ||= headers['set-cookie'] !== undefined
    const next = nextAddress(statusCode, headers.location, url)
    if (next === null) {
      const { body, cut, contentType } = hop
      const finalAddress = url.href
      return {
        asked: { kind: 'answered', statusCode, headers, finalAddress, redirects, title: null },
        contentType,
        body,
        cut,
        text: () => textOf(contentType, body),
      }
    }
    redirects.push(statusCode)
    if (redirects.length > MAX_REDIRECTS)
      return without({ kind: 'too_many_redirects', finalAddress: next.href, setsCookies })
    url = next
  }
}

function without(asked: AddressAnswer['asked']): AddressAnswer {
  return { asked, contentType: '', body: Buffer.alloc(0), cut: null, text: () => '' }
}

function textOf(contentType: string, body: Buffer): string {
  return new TextDecoder(charsetOf(contentType, body.subarray(0, DECLARED_WITHIN_BYTES))).decode(body)
}

/** A host that did not answer has rested until now at the latest. */
function seenUntilNow({ answeredAtMs, retryAfterMs }: Seen): SeenOfHost {
  return { answeredAgoMs: answeredAtMs === null ? 0 : performance.now() - answeredAtMs, retryAfterMs }
}

/** Null for an answer that leads nowhere else. */
function nextAddress(statusCode: number, location: string | undefined, from: URL): URL | null {
  if (!REDIRECTS.includes(statusCode) || location === undefined) return null
  const next = redirectTarget(location, from)
  if (next) next.hash = ''
  return next
}

type Hop =
  | {
      kind: 'answered'
      statusCode: number
      headers: Record<string, string | undefined>
      contentType: string
      body: Buffer
      cut: AddressAnswer['cut']
    }
  | { kind: 'failed'; asked: AddressAnswer['asked'] }

async function askOnce(
  { network, userAgent, dial }: Settings,
  url: URL,
  { method, maxBytes, isWanted = () => true }: AddressRequest,
  seen: Seen,
  signal: AbortSignal,
): Promise<Hop> {
  const deadline = startDeadline(LIMIT_MS, signal, network.loop)
  try {
    const opened = await open({ network, dial }, url, deadline)
    if (opened.kind === 'failed') return opened
    deadline.progress()
    try {
      const answer = await exchange(opened, { url, method, headers: headersOf(userAgent) }, deadline.signal)
      if (answer.kind === 'failed' && answer.isOurs) return inconclusive(answer.reason)
      if (answer.kind === 'failed')
        return noAnswerBecause(answer.reason, deadline, 'connected, waiting for the first byte')
      deadline.progress()
      const { response, status } = answer
      const headers = singleHeaders(response)
      const contentType = headers['content-type'] ?? ''
      seen.answeredAtMs = performance.now()
      seen.retryAfterMs = retryAfterMs(status, headers, network.now())
      const isRead = maxBytes > 0 && !REDIRECTS.includes(status) && isWanted(contentType)
      const read = isRead ? await readBody(response, maxBytes) : { body: Buffer.alloc(0), cut: null }
      return { kind: 'answered', statusCode: status, headers, contentType, ...read }
    } finally {
      opened.socket.destroy()
    }
  } finally {
    deadline.stop()
  }
}

function headersOf(userAgent: string): Record<string, string> {
  return { 'User-Agent': userAgent, Accept: '*/*', 'Accept-Encoding': 'gzip, deflate, br' }
}

async function open(
  { network, dial }: Pick<Settings, 'network' | 'dial'>,
  url: URL,
  deadline: Deadline,
): Promise<Connected | (Hop & { kind: 'failed' })> {
  const host = targetHost(url)
  const port = Number(url.port) || (PORTS[url.protocol] ?? 0)
  if (host === null) return failed('no_answer', NO_HOST)
  const { dialed, kind } = await dial(url, { host, port }, deadline.signal)
  if (dialed.kind === 'inconclusive') return inconclusive(dialed.reason)
  if (dialed.kind === 'failed') {
    if (deadline.end() !== null) return noAnswerBecause(dialed.reason, deadline, dialed.phase)
    if (dialed.isRefused) return failed('private_address', dialed.reason)
    return failed(dialed.phase === 'looking up the name' ? 'no_such_host' : 'no_answer', dialed.reason)
  }
  const endpoint = addressAndPort(dialed.address, port)
  if (url.protocol === 'http:') return { kind: 'connected', socket: dialed.socket, endpoint }
  const secured = await secure(network, dialed.socket, { kind, host, alpn: ['http/1.1'] }, deadline.signal)
  if (secured.kind === 'inconclusive') return inconclusive(secured.reason)
  if (secured.kind === 'failed') return noAnswerBecause(secured.reason, deadline, 'TLS handshake')
  if (secured.refusal === null) return { kind: 'connected', socket: secured.socket, endpoint }
  secured.socket.destroy()
  return failed('bad_certificate', secured.refusal)
}

/** An expired deadline explains a failure better than the error it caused; one of ours explains nothing. */
function noAnswerBecause(reason: string, deadline: Deadline, phase: WaitingFor) {
  const end = deadline.end()
  if (end === 'stalled' || end === 'cancelled' || (end === null && deadline.isOvertaken()))
    return inconclusive(TOO_BUSY)
  return failed('no_answer', end === 'expired' ? noAnswer(LIMIT_MS / 1_000, phase) : reason)
}

function failed(kind: Exclude<Asked['kind'], 'answered' | 'loop' | 'too_many_redirects'>, reason: string) {
  return { kind: 'failed', asked: { kind, reason } } as const
}

function inconclusive(reason: string) {
  return { kind: 'failed', asked: { kind: 'inconclusive', reason } } as const
}

function singleHeaders({ headers }: IncomingMessage): Record<string, string | undefined> {
  const entries = Object.entries(headers)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

type Body = { body: Buffer; cut: AddressAnswer['cut'] }

/** A body that breaks off, or that nothing can decode, ends there. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const kept: Buffer[] = []
  const encoding = response.headers['content-encoding'] ?? ''
  let isLarge = false
  let isBroken = false
  const noteLarge = () => {
    isLarge = true
  }
  try {
    const raw = Readable.from(atMost(response, maxBytes, noteLarge), { objectMode: false })
    const decoded = await decodeContent(raw, encoding, true)
    if (decoded) for await (const chunk of atMost(decoded, maxBytes, noteLarge)) kept.push(chunk)
    else isBroken = true
  } catch (error) {
    if (!(error instanceof Error)) throw error
    isBroken = true
  }
  const body = Buffer.concat(kept)
  // A body that was cut on purpose cannot be whole.
  if (isLarge) return { body, cut: 'large' }
  return { body, cut: isBroken || !response.complete ? 'broken_off' : null }
}

async function* atMost(source: Readable, limit: number, onMore: () => void): AsyncGenerator<Buffer> {
  let left = limit
  for await (const chunk of source) {
    if (chunk.length > left) {
      onMore()
      if (left > 0) yield chunk.subarray(0, left)
      return
    }
    left -= chunk.length
    yield chunk
  }
}
