import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { createAccountApi } from '../api/account.ts'
import { createApi } from '../api/app.ts'
import { createDashboardApi } from '../api/dashboard.ts'
import { createLiveApi } from '../api/live.ts'
import { createMcpApi } from '../api/mcp.ts'
import { createOauthApi } from '../api/oauth.ts'
import { refuseForeignOrigins } from '../api/own-origin.ts'
import { createProbesApi } from '../api/remote-probes.ts'
import { toResponse } from '../api/respond.ts'
import type { Config } from '../config.ts'
import { clientNetwork } from '../core/client-address.ts'
import { Refusal } from '../core/errors.ts'
import { visitorLanguage } from '../core/language/service.ts'
import { OAUTH_PATHS } from '../core/sign-in/oauth-metadata.ts'
import { ownFile } from '../files/own-files.ts'
import { type Log, troubleOf } from '../log.ts'
import type { LiveStreams } from '../operations/live-streams.ts'
import type { RemoteProbeNews } from '../operations/probing/remote-probe-news.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import type { Services } from '../operations/services.ts'
import { forClient } from '../operations/sign-in/throttle.ts'
import { addAcknowledge } from '../pages/acknowledge.ts'
import { addAgree } from '../pages/agree.ts'
import { addAuthorize } from '../pages/authorize.ts'
import { addConfirmSignUp } from '../pages/confirm-sign-up.ts'
import { addDashboard } from '../pages/dashboard.ts'
import { addDocs } from '../pages/docs/docs.ts'
import { addHome } from '../pages/home.ts'
import { limitMailedLinks, MAILED_LINKS } from '../pages/mailed-links.ts'
import { notFoundPage } from '../pages/not-found.ts'
import { addOidc } from '../pages/oidc.ts'
import { addReportMails } from '../pages/report-mails.ts'
import { addSecurityText } from '../pages/security-txt.ts'
import { addSetPassword } from '../pages/set-password.ts'
import { addSetup } from '../pages/setup.ts'
import { addVerifyEmail } from '../pages/verify-email.ts'
import { createClientReader } from './http-server.ts'

const DASHBOARD = ownFile('dashboard/dist')

/** Wires the role `api`: adds the routes that people and programs use. */
export async function addRoutes(
  app: Hono,
  config: Config,
  services: Services,
  live: LiveStreams,
  probeNews: RemoteProbeNews,
): Promise<void> {
  const docsPath = docsPathOf(config)
  const docsAddress = docsPath ?? config.docsUrl
  const clientOf = createClientReader(config.trustedProxies)
  const clientAddress = (context: Context) => clientOf((context.env as HttpBindings).incoming).address
  const visitorOf = (context: Context) => ({
    address: clientAddress(context),
    userAgent: context.req.header('user-agent') ?? '',
    language: visitorLanguage(context.req.header('accept-language')),
  })
  app.use((context, next) =>
    forClient(() => {
      const { incoming } = context.env as HttpBindings
      const { address } = clientOf(incoming)
      const origin = { address, userAgent: incoming.headers['user-agent'] ?? '' }
      return { network: clientNetwork(address), origin }
    }, next),
  )
  for (const path of ['/setup', '/confirm-sign-up/*', OAUTH_PATHS.authorize]) {
    app.use(path, refuseForeignOrigins(services))
  }
  const isBuilt = addDashboard(app, DASHBOARD)
  if (!isBuilt) addHome(app, services, docsAddress)
  if (docsPath !== null) await addDocs(app, docsPath, services)
  addSecurityText(app, services, config.securityContact)
  const limitsLinks = limitMailedLinks(services, clientAddress, docsAddress)
  for (const path of MAILED_LINKS) app.use(path, limitsLinks)
  addSetPassword(app, services, visitorOf, docsAddress)
  addSetup(app, services, visitorOf, docsAddress)
  addConfirmSignUp(app, services, visitorOf, docsAddress)
  addVerifyEmail(app, services, visitorOf, docsAddress)
  addAgree(app, services, docsAddress)
  addReportMails(app, services, docsAddress)
  addAcknowledge(app, services, docsAddress)
  addOidc(app, services, visitorOf, docsAddress)
  addAuthorize(app, services, docsAddress)
  app.route('/', createOauthApi(services, clientAddress))
  app.route('/', createAccountApi(services, visitorOf))
  app.route('/', createDashboardApi(services))
  app.route('/', createLiveApi(services, live, clientAddress, cutOff))
  app.route('/', createApi(services, clientAddress))
  app.route('/', createMcpApi(services))
  app.route('/', createProbesApi(services, probeNews, clientAddress))
}

/** Adds the answers to unknown paths and to our own faults. */
export function addRefusals(app: Hono, config: Config, services: Services, log: Log): void {
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

function cutOff(context: Context): void {
  const { outgoing } = context.env as HttpBindings
  outgoing.destroy()
}

/** The path at which this service serves the documentation; null when it is hosted elsewhere. */
function docsPathOf({ docsUrl, siteUrl }: Config): string | null {
  const docs = new URL(docsUrl)
  if (docs.origin !== new URL(siteUrl).origin) return null
  return docs.pathname.replace(/\/$/, '')
}
