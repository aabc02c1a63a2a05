import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import type { Role } from '../../../src/core/teams/access.ts'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import type { Answer, AskedService } from '../services/asked-service.ts'
import { createQuickAccount } from '../services/quick-account.ts'
import { clientAddress, openBrowser } from '../sign-in/cookie-browser.ts'

export const PASSWORD = 'correct horse battery'

export type Person = { email: string; name: string }

/** Makes a member of a team who can sign in with `PASSWORD`. */
export async function createPerson(
  { services }: AskedService,
  team: number,
  role: Role,
  name: string,
): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}@example.com`
  await createQuickAccount(services, { email, name, password: PASSWORD })
  await accounts.addMember(services, { team, email, role })
  return { email, name }
}

/**
 * Signs a browser in without the page that does, for tests that are about other screens. Where the service believes
 * its proxy, the limit of an address is not used up by all files together.
 */
export async function signInQuietly({ request }: BrowserContext, { email }: Person): Promise<void> {
  const answer = await request.post('/auth/sign-in', {
    data: { email, password: PASSWORD, code: null },
    headers: { 'x-forwarded-for': clientAddress() },
  })
  if (!answer.ok()) throw new Error(`signing in ${email}: ${answer.status()} ${await answer.text()}`)
}

/** Another member of a team, who works at a browser of their own while the test looks at a screen. */
export type Colleague = {
  /** Asks for something of their account. */
  send(method: string, path: string, body?: unknown): Promise<Answer>
  /** Asks as the dashboard does, in the team; returns the `data`. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the operation's
  ask(method: string, path: string, body?: unknown): Promise<any>
}

export async function colleagueOf(service: AskedService, team: number, name: string): Promise<Colleague> {
  const { email } = await createPerson(service, team, 'admin', name)
  const { send } = openBrowser(service.url)
  const { status } = await send('POST', '/auth/sign-in', { email, password: PASSWORD })
  assert.equal(status, 204)
  return {
    send,
    async ask(method, path, body) {
      const answer = await send(method, `/app/teams/${team}${path}`, body)
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body?.data
    },
  }
}

/** Makes a team, and its only owner. */
export async function createTeamOf(
  { services }: AskedService,
  owner: string,
  name: string,
): Promise<{ id: number; owner: Person }> {
  const email = `${owner.toLowerCase()}@example.com`
  await createQuickAccount(services, { email, name: owner, password: PASSWORD })
  const { id } = await accounts.createTeam(services, { name, owner: email, plan: 'business' })
  return { id, owner: { email, name: owner } }
}
