import type { StoredOAuthTokens } from '@modelcontextprotocol/client'
import type { Role } from '../../../src/core/teams/access.ts'
import type { Answer, AskedService } from '../services/asked-service.ts'
import { ask } from '../services/http.ts'
import { PASSWORD, type People, type Person, peopleOf } from '../services/people.ts'
import { type ConsentBrowser, openConsentBrowser, openProgram, type Program } from './oauth-program.ts'

/** The access that a person granted a program; `code` is the authorization code it exchanged. */
export type Grant = {
  person: Person
  teamId: number
  program: Program
  tokens: StoredOAuthTokens
  code: string
}

/** Programs that people of a service let in. */
export type Connections = {
  site: string
  people: People
  newProgram(metadata?: object): Program
  browserOf(person: Person): Promise<ConsentBrowser>
  /** The whole way, by a member of a new team; the program was registered before. */
  connect(role?: Role, access?: 'read' | 'write'): Promise<Grant>
  /** Sends a form, or what `type` says, from an address of its own: as programs do, without a browser. */
  ask(path: string, body: Record<string, string> | URLSearchParams | string, type?: string): Promise<Answer>
  statusOf(token: string, method?: string, path?: string, body?: unknown): Promise<number>
  auditOf(teamId: number, owner: Person): Promise<unknown[][]>
}

let addresses = 0

export function connectionsOf(service: AskedService): Connections {
  const people = peopleOf(service)
  const site = service.services.siteUrl
  const newProgram = (metadata = {}) => openProgram(`${site}/api/v1`, metadata)
  const browserOf = ({ email }: Person) => openConsentBrowser(service, { email, password: PASSWORD })
  let registered: Program['provider']['kept']['client']

  return {
    site,
    people,
    newProgram,
    browserOf,
    async connect(role = 'owner', access = 'write') {
      const team = await people.team()
      const person = team[role]
      const browser = await browserOf(person)
      const program = newProgram()
      if (registered) program.provider.kept.client = registered
      const page = await browser.open((await program.begin())?.href ?? '')
      registered = program.provider.kept.client
      const { location } = await browser.submit(page, { team: String(team.id), access, decision: 'allow' })
      const tokens = await program.finish(location)
      const code = codeIn(location)
      return { person, teamId: team.id, program, tokens, code }
    },
    async ask(path, body, type = 'application/x-www-form-urlencoded') {
      const told = await ask(site + path, {
        method: 'POST',
        headers: { 'content-type': type, 'x-forwarded-for': `198.51.100.${++addresses % 250}` },
        body: typeof body === 'string' ? body : new URLSearchParams(body).toString(),
      })
      const { text, ...answer } = told
      return { ...answer, body: text ? JSON.parse(text) : null }
    },
    statusOf: async (token, method = 'GET', path = '/team', body) =>
      (await service.call(token, method, path, body)).status,
    auditOf: async (teamId, owner) =>
      (await owner.data(teamId, 'GET', '/audit-log')).map((entry: Record<string, unknown>) => [
        entry.actor,
        entry.door,
        entry.action,
        entry.subject,
      ]),
  }
}

/** The code in the address at which a person came back. */
export function codeIn(location: string | null): string {
  return new URL(location ?? '').searchParams.get('code') ?? ''
}

export const exchangeForm = ({ program, code }: Grant) => ({
  grant_type: 'authorization_code',
  client_id: program.provider.kept.client?.client_id ?? '',
  code,
  code_verifier: program.provider.kept.verifier ?? '',
  redirect_uri: 'http://127.0.0.1:33418/callback',
})

export const refreshForm = ({ program, tokens }: Grant) => ({
  grant_type: 'refresh_token',
  client_id: program.provider.kept.client?.client_id ?? '',
  refresh_token: tokens.refresh_token ?? '',
})
