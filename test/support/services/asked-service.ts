import { readConfig } from '../../../src/config.ts'
import type { Role } from '../../../src/core/teams/access.ts'
import type { PlanName } from '../../../src/core/teams/plan.ts'
import { createRecorders } from '../../../src/engine/recording/recorders.ts'
import { createLog } from '../../../src/log.ts'
import type { Services } from '../../../src/operations/services.ts'
import { generateSigningSecret } from '../../../src/operations/teams/signing-secret.ts'
import { createServices } from '../../../src/roles/services.ts'
import { openSettings } from '../../../src/settings.ts'
import { insertContact } from '../../../src/store/alerting/contacts.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { insertTeam } from '../../../src/store/teams/teams.ts'
import { patientUrl } from '../postgres/patient-database.ts'
import { documentedAsk } from './documented.ts'
import { createQuickMember } from './quick-account.ts'

// Tests read answers of every shape; what they find is what they assert.
// biome-ignore lint/suspicious/noExplicitAny: an unknown body would have to be cast at every use
export type Answer = { status: number; headers: Headers; body: any }

/** A team with one member of each role, each with a token. */
export type TestTeam = { id: number; owner: string; admin: string; viewer: string }

/** A service that answers, wherever it runs, and a way into its database beside it. */
export type AskedService = Asking & {
  url: string
  /** The service's environment, for commands beside it. */
  env: Record<string, string>
  /** Operations and the store, over the service's own database, for what the API cannot do. */
  readonly services: Services
  /** Everything printed so far. */
  output(): string
  close(): Promise<void>
}

type Asking = {
  /** Sends a request to the API (`path` below /api/v1); a body that is not a string goes as JSON. */
  call(
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  createTeam(plan?: PlanName): Promise<TestTeam>
  /** Another member, with a token of its own: rate limits are per user. */
  createToken(teamId: number, role: Role): Promise<string>
  /** The same, with what names the member. */
  createMember(teamId: number, role: Role): Promise<{ id: number; email: string; token: string }>
}

export function askingAt(url: string, servicesOf: () => Services): Asking {
  let members = 0

  async function createMember(teamId: number, role: Role) {
    const email = `member${++members}@example.com`
    const made = await createQuickMember(servicesOf(), { teamId, role, email, name: `Member ${members}` })
    return { ...made, email }
  }

  async function createToken(teamId: number, role: Role) {
    return (await createMember(teamId, role)).token
  }

  return {
    async call(token, method, path, body, headers = {}) {
      const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
      const told = await documentedAsk(`${url}/api/v1${path}`, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent }),
      })
      const { status, headers: given, text } = told
      return { status, headers: given, body: text === '' ? null : JSON.parse(text) }
    },
    async createTeam(plan = 'business') {
      const { db, vault } = servicesOf()
      const number = ++members
      const owner = { email: `owner${number}@example.com`, name: `Owner ${number}` }
      const team = { name: `Team ${number}`, plan, signingSecret: generateSigningSecret() }
      const id = await insertTeam(db.query, vault, team)
      const [{ token }, admin, viewer] = await Promise.all([
        createQuickMember(servicesOf(), { teamId: id, role: 'owner', ...owner }),
        createToken(id, 'admin'),
        createToken(id, 'viewer'),
        insertContact(db.query, vault, id, {
          name: owner.name,
          type: 'email',
          config: { email: owner.email },
          notify_on_down: true,
          notify_on_recovery: true,
        }),
      ])
      return { id, owner: token, admin, viewer }
    },
    createToken,
    createMember,
  }
}

/** The operations and the store of the service with this environment, in the process of the test. */
export async function openServices(
  env: Record<string, string>,
): Promise<{ store: Store; services: Services }> {
  const { DATABASE_URL: url } = env
  const patient = url ? { DATABASE_URL: patientUrl(url) } : {}
  const config = readConfig({ ...env, ...patient, LOG_LEVEL: 'silent' })
  const store = await openStore({ ...config, now: () => new Date(), note: () => {}, onTrouble: () => {} })
  const services = createServices(
    await openSettings(config, store),
    store,
    createRecorders(store.db, () => {}),
    createLog('silent', false),
  )
  return { store, services }
}
