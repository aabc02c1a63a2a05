import assert from 'node:assert/strict'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { type Browser, openBrowser } from '../sign-in/cookie-browser.ts'
import type { AskedService } from './asked-service.ts'
import { createQuickAccount } from './quick-account.ts'

const PASSWORD = 'a long password'

/** A browser in which a member of a team is signed in, and its way to that team's things. */
export type SignedIn = {
  browser: Browser
  email: string
  teamId: number
  send: (method: string, path: string, body?: unknown) => ReturnType<Browser['send']>
  /** Asks for what must be given; returns the whole body. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the operation's
  ask: (method: string, path: string, body?: unknown) => Promise<any>
}

let people = 0

/** Signs in a new member of the team, from an address of its own where the service trusts its proxy. */
export async function signIn(
  service: AskedService,
  teamId: number,
  role: 'owner' | 'admin' | 'viewer' = 'owner',
): Promise<SignedIn> {
  const email = `signed-in${++people}@example.com`
  await createQuickAccount(service.services, { email, name: `Person ${people}`, password: PASSWORD })
  await accounts.addMember(service.services, { team: teamId, email, role })
  const browser = openBrowser(service.url)
  const answer = await browser.send('POST', '/auth/sign-in', { email, password: PASSWORD })
  assert.equal(answer.status, 204, JSON.stringify(answer.body))
  const send: SignedIn['send'] = (method, path, body) =>
    browser.send(method, `/app/teams/${teamId}${path}`, body)
  return {
    browser,
    email,
    teamId,
    send,
    async ask(method, path, body) {
      const { status, body: given } = await send(method, path, body)
      assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(given)}`)
      return given
    },
  }
}
