import { once } from 'node:events'
import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { createAccountApi } from './api/account.ts'
import { createApi } from './api/app.ts'
import { createClientAddress } from './api/client-address.ts'
import { countRequests } from './api/count-requests.ts'
import { createDashboardApi } from './api/dashboard.ts'
import { createLiveApi } from './api/live.ts'
import { createMcpApi } from './api/mcp.ts'
import { createOauthApi } from './api/oauth.ts'
import { refuseForeignOrigins } from './api/own-origin.ts'
import { toResponse } from './api/respond.ts'
import { createServices, type Engine, openLiveStreams, openStoreOf, startEngine } from './compose.ts'
import type { Config } from './config.ts'
import { Refusal } from './core/errors.ts'
import { OAUTH_PATHS } from './core/oauth-metadata.ts'
import { countRequest } from './counting.ts'
import { type Log, troubleOf } from './log.ts'
import { startMetering } from './metering.ts'
import { createMeter } from './metrics/meter.ts'
import type { LiveStreams } from './operations/live-streams.ts'
import { refusalAnswer } from './operations/refusal.ts'
import type { Services } from './operations/services.ts'
import { createSetupLink } from './operations/setup.ts'
import { addAuthorize } from './pages/authorize.ts'
import { addConfirmSignUp } from './pages/confirm-sign-up.ts'
import { addDashboard } from './pages/dashboard.ts'
import { addDocs } from './pages/docs.ts'
import { addHealth, type Health } from './pages/health.ts'
import { addHome } from './pages/home.ts'
import { addMetrics } from './pages/metrics.ts'
import { notFoundPage } from './pages/not-found.ts'
import { addOidc } from './pages/oidc.ts'
import { addSetPassword } from './pages/set-password.ts'
import { addSetup } from './pages/setup.ts'
import { addVerifyEmail } from './pages/verify-email.ts'
import { reachable } from './store/database.ts'
import { anyLeaseHeld } from './store/leases.ts'
import { resealStale } from './store/reseal.ts'
import type { Store } from './store/store.ts'

const DASHBOARD = fileURLToPath(new URL('../dashboard/dist', import.meta.url))
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
const KEEP_ALIVE_MS = 65_000
const MAX_HEADER_BYTES = 32 * 1_024
const HEALTH_TIMEOUT_MS = 2_000
/** Requests under way get this long when the service stops. */
const DRAIN_MS = 5_000
const PORT_TAKEN_TRIES = 20
const PORT_TAKEN_WAIT_MS = 250

export type Service = {
  /** The port it really listens on. */
  port: number
  close(): Promise<void>
}

/** Starts everything that the configuration asks for; resolves when it answers. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const meter = createMeter()
  const store = await openStoreOf(config, log, meter)
  const live = openLiveStreams(store, log)
  const engine = startEngine(config, store, log, live, meter)
  const services = createServices(config, store, engine.recorder, log, meter)
  const metering = startMetering(meter, store, engine, live, troubleOf(log, 'metrics'))
  try {
    const app = new Hono({ strict: false })
    app.use(countRequests(countRequest(meter.tally)))
    addHealth(app, healthOf(store, engine))
    addMetrics(app, services, { token: config.metricsToken, peerOf, read: metering.read })
    await addRest(app, config, services, live, log)
    const server = await listen(app, config)
    const { port } = server.address() as { port: number }
    if (config.previousSecretKeys.length > 0) sealAnew(store, log)
    await announce(config, services, port, log)
    return {
      port,
      async close() {
        live.close()
        await stopListening(server)
        metering.close()
        await engine.close()
        await store.close()
      },
    }
  } catch (error) {
    metering.close()
    await engine.close()
    await store.close()
    throw error
  }
}

async function addRest(
  app: Hono,
  config: Config,
  services: Services,
  live: LiveStreams,
  log: Log,
): Promise<void> {
  if (config.roles.has('api')) {
    const docsPath = docsPathOf(config)
    const clientAddress = createClientAddress(config.trustedProxies, peerOf)
    const visitorOf = (context: Context) => ({
      address: clientAddress(context),
      userAgent: context.req.header('user-agent') ?? '',
    })
    for (const path of ['/setup', '/confirm-sign-up/*', OAUTH_PATHS.authorize]) {
      app.use(path, refuseForeignOrigins(services))
    }
    const isBuilt = await addDashboard(app, DASHBOARD)
    if (!isBuilt) addHome(app, services, docsPath ?? config.docsUrl)
    if (docsPath !== null) await addDocs(app, docsPath, services)
    addSetPassword(app, services, docsPath ?? config.docsUrl)
    addSetup(app, services, visitorOf, docsPath ?? config.docsUrl)
    addConfirmSignUp(app, services, visitorOf, docsPath ?? config.docsUrl)
    addVerifyEmail(app, services, docsPath ?? config.docsUrl)
    addOidc(app, services, visitorOf, docsPath ?? config.docsUrl)
    addAuthorize(app, services, docsPath ?? config.docsUrl)
    app.route('/', createOauthApi(services, clientAddress))
    app.route('/', createAccountApi(services, visitorOf))
    app.route('/', createDashboardApi(services))
    app.route('/', createLiveApi(services, live, cutOff))
    app.route('/', createApi(services, clientAddress))
    app.route('/', createMcpApi(services))
  }
  app.notFound(
    async (context) =>
      (await notFoundPage(context, docsPathOf(config) ?? config.docsUrl)) ??
      toResponse(refusalAnswer(services, new Refusal('notFound'))),
  )
  app.onError((error) => {
    troubleOf(log, 'request')(error)
    return toResponse(refusalAnswer(services, new Refusal('internal')))
  })
}

/** The address at the other end of the connection. */
function peerOf(context: Context): string {
  const { incoming } = context.env as HttpBindings
  return incoming.socket.remoteAddress ?? ''
}

function cutOff(context: Context): void {
  const { outgoing } = context.env as HttpBindings
  outgoing.destroy()
}

/** Where this service itself serves the documentation; null when it lives elsewhere. */
function docsPathOf({ docsUrl, siteUrl }: Config): string | null {
  const docs = new URL(docsUrl)
  if (docs.origin !== new URL(siteUrl).origin) return null
  return docs.pathname.replace(/\/$/, '')
}

function healthOf({ db }: Store, engine: Engine): Health {
  return async () => {
    if (!(await reachable(db, HEALTH_TIMEOUT_MS))) return 'database'
    if (engine.prober && !engine.prober.current) return 'probe'
    if (!engine.leader || engine.leader.leading) return null
    return (await anyLeaseHeld(db)) ? null : 'scheduler'
  }
}

async function listen(app: Hono, { port, host }: Config): Promise<Server> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
  }) as Server
  for (let tries = 1; ; tries++) {
    try {
      server.listen(port, host)
      await once(server, 'listening')
      return server
    } catch (error) {
      // A service that was told to stop may still be draining.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === PORT_TAKEN_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, PORT_TAKEN_WAIT_MS))
    }
  }
}

async function stopListening(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const impatient = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(impatient)
}

/** After a rotation: what the older keys sealed is sealed with the current one, while the service works. */
function sealAnew({ db, vault }: Store, log: Log): void {
  resealStale(db, vault, (message) => log.info(message)).catch(troubleOf(log, 'secret key'))
}

/** The ready message: where it is, and what to do next. */
async function announce(config: Config, services: Services, port: number, log: Log): Promise<void> {
  log.info({ port }, `Upbeat is ready at ${config.siteUrl} (listening on ${config.host}:${port})`)
  const setupLink = config.roles.has('api') ? await createSetupLink(services) : null
  if (setupLink === null) return
  log.info(
    [
      'There is no account yet. Make the first one, once, with this link:',
      `  ${setupLink}`,
      'or in a second terminal, in this folder:',
      '  npx upbeat user create --email you@example.com --name "You" --password "a long password"',
      '  npx upbeat team create --name "My team" --owner you@example.com',
      '  npx upbeat token create --team 1 --email you@example.com --name laptop',
      `Then create a monitor: see ${config.docsUrl}`,
    ].join('\n'),
  )
}
