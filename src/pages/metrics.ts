import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { Context, Hono } from 'hono'
import { Refusal } from '../core/errors.ts'
import { CONTENT_TYPES, formatFor, type MetricFamily, writeExposition } from '../core/exposition.ts'
import { inWords } from '../core/language/said.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { bearerToken } from '../operations/sign-in/authenticate.ts'

/** Headers that proxies add: with any of them, the request was not made by the peer of the connection. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * This process's metrics for Prometheus: for clients with the operator's token or, if none is set, for programs on this
 * machine. `peerOf` gives the peer's address of the connection.
 */
export function addMetrics(
  app: Hono,
  services: Pick<Services, 'docsUrl' | 'onBug'>,
  options: {
    token: string | null
    peerOf: (context: Context) => string
    read: () => Promise<MetricFamily[]>
  },
): void {
  const refuse = (error: unknown) => {
    const { body, ...answer } = refusalAnswer(services, error)
    return new Response(JSON.stringify(body), answer)
  }
  app.get('/metrics', async (context) => {
    context.set('operation', 'metrics')
    try {
      admit(context, options)
      const format = formatFor(context.req.header('accept'))
      const headers = {
        'content-type': CONTENT_TYPES[format],
        'cache-control': 'no-store',
        vary: 'accept, authorization',
      }
      return new Response(writeExposition(await options.read(), format), { headers })
    } catch (error) {
      return refuse(error)
    }
  })
  app.all('/metrics', () => refuse(new Refusal('methodNotAllowed', {}, { allow: 'GET, HEAD' })))
}

function admit(
  context: Context,
  { token, peerOf }: { token: string | null; peerOf: (context: Context) => string },
): void {
  const { req } = context
  if (token !== null) {
    const given = bearerToken(req.header('authorization'))
    if (given !== null && isSame(given, token)) return
    throw new Refusal('unauthorized', {}, { 'www-authenticate': 'Bearer' })
  }
  const isProxied = FORWARDED.some((name) => req.header(name) !== undefined)
  if (!isProxied && isLoopback(peerOf(context)) && isLoopbackName(new URL(req.url).hostname)) return
  throw new Refusal('forbidden', {
    detail: inWords(
      'Without METRICS_TOKEN, metrics are for programs on the machine of the service, which ask for localhost, without a proxy between.',
    ),
  })
}

/**
 * Whether the URL names this machine. Any other name was passed on by a proxy, or belongs to a page in a local browser
 * whose own name points here (DNS rebinding).
 */
function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
}

/** Takes the same time for any input. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one as Buffer, other as Buffer)
}

/** Also accepts IPv4-mapped addresses. */
function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
