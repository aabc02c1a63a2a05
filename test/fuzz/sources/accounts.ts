import { randomUUID } from 'node:crypto'
import {
  type AccountContract,
  type AccountOperationId,
  accountContract,
} from '../../../src/contract/accounts.ts'
import { setOperator } from '../../../src/operations/accounts/operator-accounts.ts'
import type { Make } from '../../support/access/team-records.ts'
import { PASSWORD, type Person } from '../../support/services/people.ts'
import { createAuthenticator } from '../../support/sign-in/passkey-authenticator.ts'
import { codeOf } from '../../support/sign-in/totp.ts'
import type { Living, Source } from '../living.ts'
import { newPassword } from './links.ts'
import { mailedLink } from './mailed-link.ts'

/** The record and the body that a person asks with. */
type Asked = { id?: number; body?: unknown }
type Scene = (person: Person, ours: Make) => Promise<Asked>
type WithBody = {
  [Id in AccountOperationId]: AccountContract[Id] extends { body: unknown } ? Id : never
}[AccountOperationId]

const password = PASSWORD
const emailOf = () => `${randomUUID()}@example.com`

const BODIES: Record<WithBody, Scene> = {
  signIn: async ({ email }) => ({ body: { email, password } }),
  signUp: async () => ({ body: { name: 'Ada', email: emailOf(), password: newPassword() } }),
  updatePerson: async () => ({ body: { name: 'Ada', language: 'de', phone: '+49 30 1234567' } }),
  chooseTeam: async (person) => ({ body: { team_id: (await ownTeam(person)).id } }),
  changePassword: async () => ({ body: { current_password: password, password: newPassword() } }),
  beginTotp: async () => ({ body: { password } }),
  confirmTotp: async (person) => ({ body: { code: codeOf(await totpOf(person)) } }),
  removeTotp: async (person) => ({ body: { password, code: await recoveryCodeOf(person) } }),
  renewRecoveryCodes: async (person) => ({ body: { password, code: await recoveryCodeOf(person) } }),
  signInByPasskey: async (person, ours) => {
    const passkey = createAuthenticator(ours.service.services.siteUrl)
    const options = await tell(person, '/auth/passkeys/options', { password })
    await tell(person, '/auth/passkeys', { name: 'Phone', response: passkey.register(options) })
    const asked = await tell(person, '/auth/sign-in/passkey/options')
    return { body: { response: passkey.signIn(asked) } }
  },
  beginPasskey: async () => ({ body: { password } }),
  addPasskey: async (person, ours) => {
    const options = await tell(person, '/auth/passkeys/options', { password })
    return {
      body: { name: 'Phone', response: createAuthenticator(ours.service.services.siteUrl).register(options) },
    }
  },
  createTeam: async () => ({ body: { name: 'Shop' } }),
  previewInvitation: async (_person, ours) => ({ body: { token: await invitationOf(ours, emailOf()) } }),
  acceptInvitation: async ({ email }, ours) => ({ body: { token: await invitationOf(ours, email) } }),
  joinByInvitation: async (_person, ours) => {
    const email = emailOf()
    await invitationOf(ours, email)
    const token = (await mailedLink(ours.service, email)).hash.slice(1)
    return { body: { token, name: 'Ada', password: newPassword() } }
  },
  requestPasswordReset: async ({ email }) => ({ body: { email } }),
  requestEmailChange: async () => ({ body: { email: emailOf(), password } }),
  deleteOwnAccount: async () => ({ body: { password } }),
  updateAccount: async (_person, { people }) => ({
    ...{ id: (await people.person()).id, body: { is_operator: true } },
  }),
  updateServiceSettings: async () => ({ body: { mail_from: `Upbeat <${emailOf()}>` } }),
  testMail: async () => ({ body: { mail_server: null, mail_from: null } }),
}

const IDS: Partial<Record<AccountOperationId, Scene>> = {
  endSession: async (person) => ({ id: (await person.send('GET', '/auth/sessions')).body.data[0].id }),
  removePasskey: async (person, ours) => {
    const { body } = await BODIES.addPasskey(person, ours)
    return { id: (await tell(person, '/auth/passkeys', body)).id }
  },
  deleteAccount: async (_person, { people }) => ({ id: (await people.person()).id }),
}

/** Everything about accounts, each by a person of its own: most of it ends sessions, or the account. */
export function accountSources(ours: Make): Source[] {
  const { people, service } = ours
  return (Object.keys(accountContract) as AccountOperationId[]).map((id) => async (): Promise<Living> => {
    const operation: { method: string; path: string; isOpen?: true; forOperators?: true } =
      accountContract[id]
    const person = await people.person()
    if (operation.forOperators) await setOperator(service.services, { email: person.email, isOperator: true })
    await person.signIn()
    const scene = { ...IDS, ...BODIES }[id]
    const { id: record = 0, body } = (await scene?.(person, ours)) ?? {}
    const isStranger = operation.isOpen && id !== 'signInByPasskey'
    return {
      name: id,
      method: operation.method,
      path: operation.path.replace('{id}', String(record)),
      headers: { origin: service.url, ...(!isStranger && { cookie: person.cookie() }) },
      body,
    }
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is the operation's
async function tell(person: Person, path: string, body?: unknown): Promise<any> {
  const answer = await person.send('POST', path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

const ownTeam = (person: Person) => tell(person, '/auth/teams', { name: 'Shop' })

async function totpOf(person: Person): Promise<string> {
  return (await tell(person, '/auth/totp', { password })).secret
}

async function recoveryCodeOf(person: Person): Promise<string> {
  const code = codeOf(await totpOf(person))
  return (await tell(person, '/auth/totp/confirm', { code })).recovery_codes[0]
}

async function invitationOf(ours: Make, email: string): Promise<string> {
  const { link } = await ours.data('POST', '/invitations', { email, role: 'viewer' })
  return new URL(link).hash.slice(1)
}
