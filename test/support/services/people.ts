import assert from 'node:assert/strict'
import type { Role } from '../../../src/core/teams/access.ts'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { openBrowser } from '../sign-in/cookie-browser.ts'
import type { Answer, AskedService } from './asked-service.ts'
import { createQuickAccount } from './quick-account.ts'

export const PASSWORD = 'a long password'

/** A signed-in person. The first request signs in, since many members never send one. */
export type Person = {
  id: number
  name: string
  email: string
  /** The address that the requests come from. */
  address: string
  /** Asks for something of the account. */
  send(method: string, path: string, body?: unknown): Promise<Answer>
  /** Asks as the dashboard does, in a team. */
  ask(teamId: number, method: string, path: string, body?: unknown): Promise<Answer>
  /** The same, which must succeed; returns the `data`. */
  data(teamId: number, method: string, path: string, body?: unknown): Promise<Answer['body']>
  signIn(): Promise<void>
  isSignedIn(): Promise<boolean>
  /** The cookies that the browser would send. */
  cookie(): string
}

export type Team = { id: number; owner: Person; admin: Person; viewer: Person }

export type People = {
  /** A person with an account and without a team. */
  person(): Promise<Person>
  member(teamId: number, role: Role): Promise<Person>
  team(): Promise<Team>
  /** A visitor with a browser and no account yet. */
  stranger(email?: string): Person
}

/** Counted over the whole process: several files may ask one service. */
let count = 0

/** People of a service that believes its proxy (`TRUST_PROXY: '1'`). */
export function peopleOf(service: AskedService): People {
  function at(email: string, hasAccount: boolean): Person {
    const browser = openBrowser(service.url)
    const enter = async () => {
      const { status } = await browser.send('POST', '/auth/sign-in', { email, password: PASSWORD })
      assert.equal(status, 204)
    }
    let entered: Promise<void> | undefined
    const send: Person['send'] = async (method, path, body) => {
      if (hasAccount) entered ??= enter()
      await entered
      return browser.send(method, path, body)
    }
    const ask: Person['ask'] = (teamId, method, path, body) =>
      send(method, `/app/teams/${teamId}${path}`, body)
    return {
      id: 0,
      name: `Person ${count}`,
      email,
      address: browser.address,
      send,
      ask,
      async data(...asked) {
        const { status, body } = await ask(...asked)
        assert.ok(status < 300, `${asked.slice(1, 3).join(' ')}: ${status} ${JSON.stringify(body)}`)
        return body?.data
      },
      async signIn() {
        entered = enter()
        await entered
      },
      isSignedIn: async () => (await send('GET', '/auth/session')).status === 200,
      cookie: browser.cookie,
    }
  }

  async function person(): Promise<Person> {
    const made = at(`person${++count}@example.com`, true)
    const { id } = await createQuickAccount(service.services, {
      email: made.email,
      name: made.name,
      password: PASSWORD,
    })
    return { ...made, id }
  }

  async function member(teamId: number, role: Role): Promise<Person> {
    const made = await person()
    await accounts.addMember(service.services, { team: teamId, email: made.email, role })
    return made
  }

  return {
    stranger: (email = `person${++count}@example.com`) => at(email, false),
    person,
    member,
    async team() {
      const owner = await person()
      const { id } = await accounts.createTeam(service.services, {
        name: `Team of ${owner.name}`,
        owner: owner.email,
        plan: 'business',
      })
      return { id, owner, admin: await member(id, 'admin'), viewer: await member(id, 'viewer') }
    },
  }
}
