import { judgesStatus } from '../core/expectations/assertion.ts'
import {
  badRedirect,
  redirectsMethod,
  speaksTls,
  tooManyRedirects,
  unexpectedStatus,
} from '../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import type { AddressKind } from '../net/address-policy.ts'
import type { Network } from '../net/network.ts'
import { publicNetworkOf } from '../net/public-network.ts'
import type { TlsTerms } from '../net/tls/tls.ts'
import type { DialWay } from '../net/way.ts'
import { answered, type ProbeAttempt, unanswered } from './attempt.ts'
import { type Connected, connect, connectSecurely, type Ended } from './connect.ts'
import { type CookieJar, createCookieJar, secretsOfCookies } from './cookie-jar.ts'
import { exchange, type HttpAnswer } from './exchange.ts'
import { keepAnswerOf } from './failing-answer.ts'
import {
  type FirstRequest,
  type Hop,
  type Next,
  nextHop,
  type WebSettings,
  withCookies,
  withHeader,
} from './hop.ts'
import { traitsOf } from './incidents/traits.ts'
import { maskOf } from './mask-secrets.ts'
import { authorizerOf } from './signing-in/sign-in.ts'
import { answersTls } from './tls-port.ts'
import { tlsTermsOf, wayOf } from './way.ts'

const UNAUTHORIZED = 401
const STRAIGHT: DialWay = {}
const HTTP_PORT = 80
const HTTPS_PORT = 443
const ALPN = ['http/1.1']

/**
 * Sends the first request of a check and has `judge` examine the answer once its status is an expected one, or no redirect where an
 * assertion judges the status. Other redirects are followed, each over a new connection to an address that is judged again, with the cookies that were set on the way.
 */
export async function followRedirects(
  current: ProbeAttempt<WebSettings>,
  {
    hop: first,
    expected,
    redirects: most,
    cookies: jar,
    kind = 'check',
    isOwn: isFirstOwn = true,
  }: FirstRequest,
  judge: (answer: HttpAnswer) => CheckResult | Promise<CheckResult>,
): Promise<CheckResult> {
  const byAssertion = judgesStatus(current.settings.options?.assertions)
  const way = current.settings.options ? await wayOf(current) : STRAIGHT
  let hop = first
  /** Whether all so far is of the monitor's own origin. */
  let isOwn = isFirstOwn
  let cookies: CookieJar | null = jar ?? null
  const auth = current.settings.options?.auth ? await authorizerOf(current) : null
  let authorized = auth && (await auth.begin())
  let led: Led = { kind, refused: ({ result }) => result }
  for (let redirects = 0; ; ) {
    if (authorized?.kind === 'ended') return authorized.result
    const connected = await open(current, hop, {
      kind: led.kind,
      way,
      terms: tlsTermsOf(current.settings, isOwn),
    })
    if (connected.kind === 'ended') return connected.isRefused ? led.refused(connected) : connected.result
    try {
      current.requested()
      const sentAt = performance.now()
      const signed = authorized && isOwn ? withHeader(hop, 'Authorization', authorized.value) : hop
      const answer = await exchange(
        connected,
        cookies ? withCookies(signed, cookies) : signed,
        current.signal,
      )
      if (answer.kind === 'failed') {
        if (answer.isOurs) return resultWithout('pending', answer.reason)
        const { url } = hop
        if (answer.isSilent && !way.tunnel)
          current.explainFailureBy((signal) => explainSilence(current, url, connected, signal))
        return unanswered(current, answer.reason)
      }
      const { response, status } = answer
      current.headersRead(status, Math.round(performance.now() - sentAt))
      if (current.settings.shows_traits) current.showed(traitsOf(response, hop.url, redirects > 0))
      current.foundOdd(answer.oddities)
      const set = setsCookies(response) ? response.headers['set-cookie'] : undefined
      if (set) {
        current.secrets.push(...secretsOfCookies(set))
        jar?.keep(hop.url, set, current.network.now())
      }
      if (auth && isOwn && status === UNAUTHORIZED) {
        const again = await auth.again(hop, response)
        if (again) {
          authorized = again
          continue
        }
      }
      if (!byAssertion && expected.includes(status)) return await judge(answer)
      const next: Next = most === 0 ? { kind: 'none' } : nextHop(hop, status, response.headers.location)
      if (byAssertion && next.kind === 'none') return await judge(answer)
      if (next.kind === 'none') return await failing(current, answer, unexpectedStatus(status, expected))
      if (next.kind === 'unusable')
        return await failing(
          current,
          answer,
          badRedirect(maskOf(current).apply(response.headers.location ?? '')),
        )
      if (next.kind === 'other origin')
        return await failing(
          current,
          answer,
          redirectsMethod(next.method, maskOf(current).apply(next.origin)),
        )
      if (redirects++ === most) return await failing(current, answer, tooManyRedirects(most))
      if (set && !jar) {
        cookies ??= createCookieJar()
        cookies.keep(hop.url, set, current.network.now())
      }
      led = leadingOn(current, answer)
      isOwn &&= next.hop.url.origin === hop.url.origin
      hop = next.hop
      if (auth?.isForOneRequest) authorized = null
    } finally {
      connected.socket.destroy()
    }
  }
}

/** The answer fails the check; its body is read to show it. */
function failing(
  current: ProbeAttempt<WebSettings>,
  answer: HttpAnswer,
  cause: string,
): Promise<CheckResult> {
  return keepAnswerOf(current, answer).reading(answered(current, cause))
}

/** The way to the next request: to the monitor's own address, or by a redirect. */
type Led = {
  kind: AddressKind
  /** The result where the address may not be dialled. */
  refused(refusal: Ended): CheckResult
}

/**
 * A server on the internet that names an address of a private network has nothing to say there, whoever its owner; one of
 * a private network names its neighbours. An address that is refused is a fault of the answer that led to it.
 */
function leadingOn(current: ProbeAttempt<WebSettings>, answer: HttpAnswer): Led {
  const { network, observed } = current
  const found = answered(current, '')
  const refused = ({ result: { errorMessage } }: Ended) =>
    keepAnswerOf(current, answer).with({ ...found, errorMessage }, null)
  return { ...namedBy(network, observed.address), refused }
}

/** The kind of an address that an answer names. `address` is the one that it came from; null if that is not known. */
export function namedBy({ privateRedirects }: Network, address: string | null): { kind: AddressKind } {
  const isStranger = address === null || publicNetworkOf(address) !== null
  if (isStranger && privateRedirects === 'deny') return { kind: 'redirect of a check' }
  return { kind: 'check' }
}

function open(
  current: ProbeAttempt,
  { url }: Hop,
  by: { kind: AddressKind; way: DialWay; terms: TlsTerms | undefined },
) {
  const place = { url, port: portOf(url), ...by }
  return url.protocol === 'https:' ? connectSecurely(current, place, ALPN) : connect(current, place)
}

/** OpenSSL servers close plain HTTP connections without a word, so we check whether the port speaks TLS. */
async function explainSilence(
  current: ProbeAttempt,
  url: URL,
  { endpoint }: Connected,
  signal: AbortSignal,
): Promise<string | null> {
  if (url.protocol !== 'http:') return null
  return (await answersTls(current, url, portOf(url), signal)) ? speaksTls(endpoint) : null
}

/** Node reads the headers into an object once that is asked for, which costs as much as an attempt's own objects together. */
function setsCookies({ rawHeaders }: HttpAnswer['response']): boolean {
  return rawHeaders.some(
    (text, i) => i % 2 === 0 && text.length === 10 && text.toLowerCase() === 'set-cookie',
  )
}

function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT))
}
