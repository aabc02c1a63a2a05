import { randomUUID } from 'node:crypto'
import { createUser } from '../../../src/operations/accounts/operator-accounts.ts'
import { acknowledgementUrl } from '../../../src/store/on-call/acknowledgement-links.ts'
import type { Make, RecordKind } from '../../support/access/team-records.ts'
import { PASSWORD } from '../../support/services/people.ts'
import type { Source } from '../living.ts'
import { form, page } from './forms.ts'
import { mailedLink } from './mailed-link.ts'

/** A link that the service gave out, and how its form is sent. */
type Linked = { path: string; fields: Record<string, string>; cookie?: string }

/** The pages of links in letters and in alerts, and their forms. */
export function linkSources(ours: Make): Source[] {
  const own = { origin: ours.service.services.siteUrl }
  return [...mailed(ours), ...alerted(ours)].flatMap((make) => [
    async () => page((await make()).path),
    async () => {
      const { path, fields, cookie } = await make()
      return form(path, fields, { ...own, ...(cookie !== undefined && { cookie }) })
    },
  ])
}

function mailed(ours: Make): (() => Promise<Linked>)[] {
  const { service, people } = ours
  const pathTo = async (email: string) => (await mailedLink(service, email)).pathname
  return [
    async () => {
      const made = await createUser(service.services, { email: addressOf(), name: 'Ada', password: null })
      return { path: new URL(made.set_password_url ?? '').pathname, fields: { password: newPassword() } }
    },
    async () => {
      const [email, password] = [addressOf(), newPassword()]
      await people.stranger().send('POST', '/auth/sign-up', { name: 'Ada', email, password })
      return { path: await pathTo(email), fields: { password } }
    },
    async () => {
      const [person, email] = [await people.person(), addressOf()]
      await person.send('POST', '/auth/email', { email, password: PASSWORD })
      return { path: await pathTo(email), fields: { mine: 'yes' }, cookie: person.cookie() }
    },
    async () => {
      const contact = { name: 'Boss', type: 'email', config: { email: addressOf() } }
      await ours.data('POST', '/notification-contacts', contact)
      return { path: await pathTo(contact.config.email), fields: {} }
    },
    async () => {
      const email = addressOf()
      await ours.data('POST', `/reports/${await ours('report')}/recipients`, { email })
      return { path: await pathTo(email), fields: { action: 'confirm' } }
    },
  ]
}

/** Links to acknowledge; that of a group leads nowhere, since no group was sent. */
function alerted(ours: Make): (() => Promise<Linked>)[] {
  const { siteUrl, vault } = ours.service.services
  const kinds = {
    ...{ monitor: 'incident', server: 'serverIncident', site: 'siteIncident', drill: 'drill' },
    group: 'delivery',
  } as const satisfies Record<string, RecordKind>
  return (Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => async () => {
    const link = { kind, incidentId: await ours(kinds[kind]), contactId: await ours('notificationContact') }
    return { path: new URL(acknowledgementUrl(siteUrl, vault, link)).pathname, fields: { note: 'On it.' } }
  })
}

function addressOf(): string {
  return `${randomUUID()}@example.com`
}

/** One that is not easily guessed. */
export function newPassword(): string {
  return `Seven ${randomUUID()} otters`
}
