import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Hono } from 'hono'
import { readConfig } from '../../src/config.ts'
import { contract } from '../../src/contract/contract.ts'
import type { Services } from '../../src/operations/services.ts'
import { MAILED_LINKS } from '../../src/pages/mailed-links.ts'
import { addRoutes } from '../../src/roles/api.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'

type Limit = keyof Services['limits']
/** The limits of a route, or the reason why it needs none. */
type Row = [routes: RegExp, bound: Limit[] | string]

const FILE = 'a file in memory, the same for everybody'
const SESSION =
  'a session, of which there are few; what costs more is limited in its operation (tests, invitations, letters)'

/** One row for each kind of route; the first that fits counts. */
const ROWS: Row[] = [
  [
    /^\/(ack|agree|confirm-sign-up|report-mails|set-password|verify-email)\/[:*]/,
    ['perLink', 'perWrongSecret'],
  ],
  [/^\/mcp$/, ['perMcpUser', 'perUser']],
  [/^\/api\/v1\/(openapi\.json|metrics.*)$/, ['perUser']],
  [/^\/api\/v1\//, ['perUser']],
  [/^\/(ping|hc|manual|api\/push)\//, ['perWrongSecret', 'perAddress', 'perHeartbeat']],
  [/^\/badge\//, ['perWrongSecret', 'perBadgeAddress']],
  [/^\/calendars\//, ['perWrongSecret', 'perCalendar']],
  [/^\/maintenance\/:token\//, ['perWrongSecret', 'perSwitch']],
  [/^\/server\/:token\/install/, ['perWrongSecret', 'perInstalledServer']],
  [/^\/server\/:token/, ['perWrongSecret', 'perReportingServer']],
  [/^\/oauth\/(token|revoke)$/, ['perWrongSecret', 'perOauthGrant']],
  [/^\/oauth\/register$/, ['perRegisteringAddress', 'registrations']],
  [/^\/oauth\/authorize$/, ['perDescribingUser']],
  [/^\/auth\/oidc/, ['perOidcAddress']],
  [
    /^\/auth\/sign-in/,
    [
      'perEnteringAddress',
      'perFailingAddress',
      'perFailingPair',
      'perFailingAccount',
      'perKnownDevice',
      'perSecondFactor',
    ],
  ],
  [/^\/auth\/(sign-up|password-reset)$/, ['perSignInAddress', 'mails']],
  [/^\/auth\/invitations\//, ['perWrongSecret']],
  [/^\/auth\/teams$/, ['perSignInAddress']],
  [/^\/auth\/(password|totp.*|passkeys.*|email|account\/delete)$/, ['perProof']],
  [/^\/auth\/email-verification$/, ['mails']],
  [/^\/auth\/mail-tests$/, ['perMailTester']],
  [/^\/(auth|app)\//, SESSION],
  [/^\/setup$/, 'it works until there is an account, with a link that was printed on this machine'],
  [/^\/probe\/v1\//, ['perWrongSecret']],
  [/^\/(docs.*|icons\/.*|assets\/.*|setup\/link\.js|[\w-]+\.(svg|js|txt|webmanifest))$/, FILE],
  [/^\/\.well-known\//, FILE],
  [
    /^\/(\*|account|accounts|forgotten-password|invitations|new-team|service-settings|sign-in|signed-in|sign-up|teams\/:team(\/\*)?)?$/,
    FILE,
  ],
]

const PASSWORD = 'moonlit cactus harbor'

/** Limits that are taken by operations beside those of their route. */
const OF_OPERATIONS: Limit[] = [
  'perDiagnosedTeam',
  ...(['perTestedTeam', 'perTryingTeam', 'perConfirmedTick'] as const),
  // Status pages are answered before all routes: test/long/services/status-pages has theirs.
  ...([
    'perPageClient',
    'perPage',
    'perStrainedPageClient',
    'perSubscriptionClient',
    'perSubscription',
  ] as const),
]

describe('every route has a limit, or a reason why it needs none', () => {
  let service: AskedService
  let app: Hono
  const env = {
    incoming: { socket: { remoteAddress: '198.51.100.7' }, headers: {} },
    outgoing: { setHeader() {} },
  }

  before(async () => {
    service = await apiService()
    app = await appWith(service.services)
  })

  async function appWith(services: Services): Promise<Hono> {
    const made = new Hono({ strict: false })
    await addRoutes(made, readConfig({ SITE_URL: services.siteUrl }), services, {} as never, {} as never)
    return made
  }

  const rowOf = (path: string) => ROWS.find(([routes]) => routes.test(path))

  it('in the one table of them', () => {
    const paths = [...new Set(app.routes.map(({ path }) => path))]
    assert.ok(paths.length > Object.keys(contract).length / 2)
    assert.deepEqual(
      paths.filter((path) => rowOf(path) === undefined),
      [],
    )
    const used = new Set(paths.map(rowOf))
    // Without a provider there is no route for signing in by one.
    const unused = ROWS.filter((row) => !used.has(row)).map(([routes]) => String(routes))
    assert.deepEqual(
      unused.filter((routes) => !routes.includes('oidc')),
      [],
    )
  })

  it('which names every limit that there is', () => {
    const named = new Set([
      ...ROWS.flatMap(([, bound]) => (Array.isArray(bound) ? bound : [])),
      ...OF_OPERATIONS,
    ])
    assert.deepEqual([...named].sort(), Object.keys(service.services.limits).sort())
  })

  it('and a limit that is used up ends a request', async () => {
    const used = {
      take: async () => ({ limit: 1, remaining: 0, retryAfterSeconds: 30 }),
      giveBack: async () => {},
    }
    const { limits: real } = service.services
    const allUsed = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, used]))
    const limits = {
      ...allUsed(real),
      mails: allUsed(real.mails),
      perWrongSecret: allUsed(real.perWrongSecret),
    }
    const strained = await appWith({
      ...service.services,
      opensSignUp: true,
      limits: limits as unknown as Services['limits'],
    })
    const asked: [method: string, path: string, body?: string][] = [
      ...MAILED_LINKS.flatMap((path): [string, string][] =>
        ['GET', 'HEAD', 'POST'].map((method) => [method, path.replace(/:\w+/, 'x'.repeat(43))]),
      ),
      ['GET', '/ping/x'],
      ['POST', '/manual/x/up'],
      ['GET', '/badge/x/status.svg'],
      ['GET', '/calendars/x.ics'],
      ['POST', '/maintenance/x/start'],
      ['GET', '/server/x/install'],
      ['POST', '/oauth/token', 'grant_type=x'],
      ['POST', '/oauth/register', '{}'],
      ['GET', '/api/push/x'],
      ['POST', '/server/x', 'upbeat 1'],
      ['POST', '/server/x/v1/metrics', '{}'],
      ['POST', '/server/x/write', 'mem total=1'],
      ['GET', '/api/v1/team'],
      [
        'POST',
        '/auth/sign-up',
        JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: PASSWORD }),
      ],
      ['POST', '/auth/sign-in', JSON.stringify({ email: 'ada@example.com', password: PASSWORD })],
      ['POST', '/auth/password-reset', JSON.stringify({ email: 'ada@example.com' })],
    ]
    const team = await service.createTeam()
    const wrong: string[] = []
    for (const [method, path, body] of asked) {
      const type = body?.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
      const own = { authorization: `Bearer ${team.owner}`, origin: service.services.siteUrl }
      const init = { method, headers: { 'content-type': type, ...own }, ...(body && { body }) }
      const answer = await strained.request(path, init, env)
      if (answer.status !== 429 || answer.headers.get('retry-after') !== '30')
        wrong.push(`${method} ${path}: ${answer.status}`)
      // Documents of problems have no more members than the contract names; other answers say how long to wait in words.
      const kind = answer.headers.get('content-type') ?? ''
      const text = await answer.text()
      if (kind.includes('json') && text.includes('try again in 30 s.') === kind.includes('problem'))
        wrong.push(`${method} ${path}: ${text}`)
    }
    assert.deepEqual(wrong, [])
  })

  it('and messages of AI clients have one of their own, beside that of tool calls', async () => {
    const team = await service.createTeam()
    const taken: (string | number)[] = []
    const perMcpUser = {
      take: async (key: string | number) => {
        taken.push(key)
        return { limit: 300, remaining: 0, retryAfterSeconds: 30, endsAtMs: Date.now() + 30_000 }
      },
      giveBack: async () => {},
    }
    const { limits } = service.services
    const strained = await appWith({ ...service.services, limits: { ...limits, perMcpUser } })
    const send = (message: object | string) =>
      strained.request(
        '/mcp',
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${team.owner}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: typeof message === 'string' ? message : JSON.stringify(message),
        },
        env,
      )
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'get-team', arguments: {} } }
    assert.equal((await send(call)).status, 200)
    assert.deepEqual(taken, [])
    for (const method of [
      'tools/list',
      'initialize',
      'ping',
      'server/discover',
      'subscriptions/listen',
      'nothing',
    ]) {
      const answer = await send({ jsonrpc: '2.0', id: 7, method })
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '30'], method)
    }
    for (const odd of ['{', '[]', 'null']) assert.equal((await send(odd)).status, 429, odd)
    assert.ok(taken.length === 9 && new Set(taken).size === 1)
  })
})
