import { keysOf } from '../src/core/shape.ts'
import type { Database } from '../src/postgres/database.ts'
import { PLAIN_SETTINGS } from '../test/support/monitor-settings.ts'
import type { TestService } from '../test/support/services/service.ts'
import { requestText } from './support/keep-alive-client.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import { type SeededMonitor, seedMonitors } from './support/seed.ts'

const MONITORS = 1_000
/** 300 pings a minute are allowed to each of so many. */
const ADDRESSES = 65_536
/** 60 requests a minute are allowed to each user: so many of a fast machine's requests in one round. */
const USERS_PER_ROUND_SECOND = 400
const CREATED_AT_ONCE = 10
const CREATED_PER_PROGRESS = 120
const PAUSED = { is_active: false, url: 'http://127.0.0.1/' }
const HEARTBEAT = { type: 'heartbeat' as const }

export type Endpoint = {
  name: string
  method: string
  body: string | null
  /** The next request, by the next user: no limit is ever reached. */
  request: () => string
  status: number
  /** Requests to the bare server, in turn. */
  reference: { request: () => string; status: number }
}

const COLUMNS = `m.*, s.status, s.status_since, s.last_checked_at, s.ssl_expires_at`
const FROM = 'monitors m JOIN monitor_state s ON s.monitor_id = m.id'

/** The statements of the bare server, in the order of the endpoints: the rows alone, with nothing asked or judged. */
export async function prepareReference({ pool }: Database): Promise<string[]> {
  for (const table of ['monitors', 'pings']) {
    await pool.query(`CREATE TABLE bench_${table} (LIKE ${table} INCLUDING ALL)`)
  }
  const settings = keysOf(PLAIN_SETTINGS).join(', ')
  return [
    `SELECT ${COLUMNS} FROM ${FROM} WHERE m.id = ANY(ARRAY(
       SELECT id FROM monitors WHERE team_id = (SELECT min(id) FROM teams) AND deleted_at IS NULL
       ORDER BY lower(name) COLLATE "C", id LIMIT 25 OFFSET $1::int)) ORDER BY lower(m.name) COLLATE "C", m.id`,
    `SELECT ${COLUMNS} FROM ${FROM} WHERE m.id = $1`,
    `INSERT INTO bench_monitors (id, team_id, slot, badge_id, ${settings})
     SELECT nextval('monitor_revisions'), team_id, slot, gen_random_uuid(), ${settings} FROM monitors WHERE id = $1 RETURNING *`,
    `INSERT INTO bench_pings (received_at, monitor_id, kind) VALUES (now(), $1, 'success')`,
  ]
}

/** The requests that are measured, over a team with 1,000 monitors and another with 1,000 heartbeats. */
export async function createEndpoints(service: TestService, options: Options): Promise<Endpoint[]> {
  const { services } = service
  const team = await service.createTeam()
  const other = await service.createTeam()
  progress('API: creating monitors')
  const monitors = await seedMonitors(services, team.id, MONITORS, () => PAUSED)
  const heartbeats = await seedMonitors(services, other.id, MONITORS, () => HEARTBEAT)
  const tokens = await createTokens(service, team.id, usersFor(options))
  const nextToken = inTurn(tokens)
  const nextMonitor = inTurn(monitors)
  const nextHeartbeat = inTurn(heartbeats)
  const byUser = () => ({ authorization: `Bearer ${nextToken()}` })
  const api = (method: string, path: () => string, status: number, body: string | null = null) => ({
    method,
    body,
    status,
    request: () => requestText(method, `/api/v1${path()}`, byUser(), body),
  })
  const nextPage = inTurn(Array.from({ length: MONITORS / 25 }, (_, index) => index + 1))
  const bare = (statement: number, parameter: () => number) => ({
    reference: { request: () => requestText('GET', `/${statement}/${parameter()}`, {}), status: 200 },
  })
  return [
    {
      name: 'GET /monitors (25 of 1,000)',
      ...api('GET', () => `/monitors?page=${nextPage()}`, 200),
      ...bare(0, () => (nextPage() - 1) * 25),
    },
    {
      name: 'GET /monitors/{id}',
      ...api('GET', () => `/monitors/${nextMonitor().id}`, 200),
      ...bare(1, () => nextMonitor().id),
    },
    {
      name: 'POST /monitors',
      ...api('POST', () => '/monitors', 201, NEW_MONITOR),
      ...bare(2, () => nextMonitor().id),
    },
    {
      name: 'GET /ping/{token}',
      method: 'GET',
      body: null,
      status: 204,
      request: () => pingText(nextHeartbeat()),
      ...bare(3, () => nextHeartbeat().id),
    },
  ]
}

/** Paused, so that what is measured is the request and not the check that it would start. */
const NEW_MONITOR = JSON.stringify({
  name: 'Shop',
  type: 'http',
  url: 'http://127.0.0.1/',
  check_interval_minutes: 5,
  is_active: false,
})

let pings = 0

function pingText({ heartbeatToken }: SeededMonitor): string {
  const address = pings++ % ADDRESSES
  const client = `10.1.${address >> 8}.${address & 255}`
  return requestText('GET', `/ping/${heartbeatToken}`, { 'x-forwarded-for': client })
}

function usersFor({ rounds, roundSeconds }: Options): number {
  return USERS_PER_ROUND_SECOND * (rounds * roundSeconds + 1)
}

async function createTokens(service: TestService, teamId: number, count: number): Promise<string[]> {
  const tokens: string[] = []
  while (tokens.length < count) {
    if (tokens.length % CREATED_PER_PROGRESS === 0) {
      progress(`API: creating users, ${tokens.length} of ${count}`)
    }
    const more = Array.from({ length: CREATED_AT_ONCE }, () => service.createToken(teamId, 'admin'))
    tokens.push(...(await Promise.all(more)))
  }
  return tokens
}

function inTurn<T>(values: readonly T[]): () => T {
  let next = 0
  return () => values[next++ % values.length] as T
}
