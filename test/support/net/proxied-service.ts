import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import { addTeam } from '../records/teams.ts'
import { PASSWORD } from '../services/people.ts'
import { createQuickAccount } from '../services/quick-account.ts'
import { startServiceHere } from '../services/service-here.ts'
import { storePage } from '../status-pages/stored-pages.ts'
import { until } from '../until.ts'
import { INSIDE, INSIDER } from './forwarded-headers.ts'

const EMAIL = 'owner@proxied.example.com'
const SITE = 'upbeat.example.com'
const PROXY = '127.0.0.1'
/** Clients come from another address of the loopback than the proxy. */
export const CLIENT = '127.0.0.5'
const NETWORKS = { inside: INSIDE, proxy: `${PROXY}/32`, client: `${CLIENT}/32` }
type PageName = keyof typeof NETWORKS

/** Where a proxy listens. */
export type ProxyDoor = { port: number; tls?: boolean } | { socketPath: string; tls?: boolean }

/** A client behind the proxy, as the service saw it. */
export type SeenClient = { pages: PageName[]; session: string; limit: string }

/** A service behind one proxy, with pages for the networks of an insider, of the proxy and of the clients. */
export async function startProxiedService() {
  const service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1', SITE_URL: `https://${SITE}` })
  const { services } = service
  const teamId = await addTeam(services.db)
  for (const [slug, network] of Object.entries(NETWORKS)) {
    await storePage(services, teamId, { slug, visibility: 'networks', networks: [network] })
  }
  await createQuickAccount(services, { email: EMAIL, name: 'Owner', password: PASSWORD })

  async function see(door: ProxyDoor, claims: string | string[] = INSIDER): Promise<SeenClient> {
    await services.db.pool.query('TRUNCATE rate_limits, sessions')
    const pages: PageName[] = []
    for (const slug of Object.keys(NETWORKS) as PageName[]) {
      const { status } = await send(door, 'GET', `/status/${slug}`, claims)
      if (status === 200) pages.push(slug)
    }
    const { status } = await send(door, 'POST', '/auth/sign-in', claims)
    if (status !== 204) throw new Error(`the sign-in was answered ${status}`)
    const { rows } = await services.db.pool.query<{ session: string; limit: string }>(
      `SELECT address AS session,
              (SELECT string_agg(substring(key, ':(.*)'), ' ') FROM rate_limits WHERE key LIKE 'entering-address:%') AS limit
       FROM sessions`,
    )
    return { pages, ...(rows[0] as { session: string; limit: string }) }
  }

  const host = new URL(service.url).host
  await until('the service knows its pages', async () => {
    const { port } = new URL(service.url)
    return (await send({ port: Number(port) }, 'GET', '/status/client', CLIENT)).status === 200
  })
  return { see, host, close: () => service.close() }
}

/** A client that claims to be others; it asks as a page of the service does. */
function send(door: ProxyDoor, method: string, path: string, claims: string | string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>()
  const { tls = false, ...place } = door
  const sent = (tls ? secureRequest : request)(
    {
      ...place,
      ...('port' in place && { host: PROXY, localAddress: CLIENT }),
      ...(tls && { rejectUnauthorized: false, servername: SITE }),
      method,
      path,
      headers: {
        host: SITE,
        origin: `https://${SITE}`,
        'content-type': 'application/json',
        'x-forwarded-for': claims,
        'x-real-ip': INSIDER,
        forwarded: `for=${INSIDER}`,
      },
    },
    (answer) => answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0 })),
  )
  sent.on('error', reject)
  sent.end(method === 'POST' ? JSON.stringify({ email: EMAIL, password: PASSWORD }) : undefined)
  return promise
}

/** Whether somebody listens there. */
export function isOpen(door: ProxyDoor): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = 'port' in door ? connect(door.port, PROXY) : connect(door.socketPath)
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** The client itself, wherever it claims to be from. */
export const SEEN_ITSELF: SeenClient = { pages: ['client'], session: CLIENT, limit: CLIENT }
/** A client whom the proxy does not name: it counts as the proxy, and is of no network. */
export const SEEN_AS_NOBODY: SeenClient = { pages: [], session: PROXY, limit: PROXY }
