// npm test leaves this out: it sends each kind of mail until each of its bounds is reached (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { MAIL_BOUNDS, type MailBoundName, type MailCounter } from '../../../src/core/accounts/mail-bounds.ts'
import { type LetterKind, MAIL_KINDS } from '../../../src/core/accounts/mail-kinds.ts'
import { mailboxName } from '../../../src/core/alerting/mailbox.ts'
import { clientNetwork } from '../../../src/core/client-address.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { tellHolder } from '../../../src/operations/accounts/account-log.ts'
import type { Services } from '../../../src/operations/services.ts'
import { requestPasswordReset } from '../../../src/operations/sign-in/password-change.ts'
import { signUp } from '../../../src/operations/sign-in/sign-up.ts'
import { hashToken } from '../../../src/store/teams/tokens.ts'
import { ago, changeRows, countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { arrived } from '../../support/servers/smtp-receiver.ts'
import { ask } from '../../support/services/http.ts'
import { type MailedService, startMailedService } from '../../support/services/mailed-service.ts'
import { PASSWORD, type Person } from '../../support/services/people.ts'
import { clientAddress } from '../../support/sign-in/cookie-browser.ts'
import { storePage } from '../../support/status-pages/stored-pages.ts'
import { until } from '../../support/until.ts'

type Acted = { status: number; headers: Headers }
/** An act that mails, and whom its bounds count. */
type Act = { counted: Partial<Record<MailCounter, string | number>>; act: (email: string) => Promise<Acted> }

const DAY_SECONDS = 86_400
const VISITOR = { address: '203.0.113.80', userAgent: 'Test', language: 'en', device: null } as never

let emails = 0
const newEmail = () => `stranger${++emails}@example.org`

describe('each kind of mail to people who have not agreed', () => {
  const scope = suiteScope()
  let mailed: MailedService

  before(async () => {
    mailed = await startMailedService(scope, { SIGNUP: 'open' })
  })

  const { sentTo, holdFull, free } = {
    sentTo: (email: string) => arrived(mailed.smtp).filter(({ to }) => to.includes(email)).length,
    /** As if so much of a bound were used, until `free`. */
    async holdFull(key: string, used: number) {
      await mailed.service.services.db.pool.query(
        `INSERT INTO rate_limits AS r (key, points, expire) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
        [key, used, Date.now() + DAY_SECONDS * 1_000],
      )
    },
    free: () => mailed.service.services.db.pool.query('DELETE FROM rate_limits'),
  }

  const keyOf = (name: MailBoundName, counted: Act['counted'], email: string) => {
    const { per } = MAIL_BOUNDS[name]
    if (per === 'mailbox') return `${name}:${hashToken(mailboxName(email)).toString('hex')}`
    const who = counted[per]
    assert.ok(who !== undefined, `${name} counts by ${per}`)
    return `${name}:${per === 'client' ? clientNetwork(String(who)) : who}`
  }

  /** Acts that cause each kind that can be refused: one that is missing here is a compile error. */
  type Refused = {
    [Kind in LetterKind]: (typeof MAIL_KINDS)[Kind]['refusedOver'] extends readonly [] ? never : Kind
  }[LetterKind]
  const ACTS: Record<Refused, () => Promise<Act>> = {
    invitation: async () => {
      const { id, owner } = await mailed.people.team()
      return byMember(id, owner, (email) => owner.ask(id, 'POST', '/invitations', { email, role: 'viewer' }))
    },
    contactAgreement: async () => {
      const { id, owner } = await mailed.people.team()
      const add = (email: string) =>
        owner.ask(id, 'POST', '/notification-contacts', { name: email, type: 'email', config: { email } })
      const { id: contact } = (await add(newEmail())).body.data
      let count = 0
      return byMember(id, owner, (email) =>
        count++ % 2 === 0
          ? add(email)
          : owner.ask(id, 'PATCH', `/notification-contacts/${contact}`, { config: { email } }),
      )
    },
    reportConfirmation: async () => {
      const { id, owner } = await mailed.people.team()
      const report = await owner.data(id, 'POST', '/reports', { name: 'Monthly', time_zone: 'UTC' })
      return byMember(id, owner, (email) =>
        owner.ask(id, 'POST', `/reports/${report.id}/recipients`, { email }),
      )
    },
    subscriberConfirmation: async () => {
      const { id: team } = await mailed.people.team()
      const slug = `page-of-${team}`
      const items = { items: [{ component: { monitor_id: null, name: 'Cart' } }] }
      const { id } = await storePage(mailed.service.services, team, { slug, name: 'Shop' }, items)
      const url = `${mailed.service.url}/status/${slug}/subscribe`
      await until('the page is served', async () => (await ask(url)).status === 200)
      const client = clientAddress()
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': client }
      const act = (email: string) =>
        ask(url, { method: 'POST', headers, body: new URLSearchParams({ email }).toString() })
      return { counted: { client, page: id, pages: team }, act }
    },
    signUp: async () => {
      const client = clientAddress()
      const act = (email: string) =>
        ask(`${mailed.service.url}/auth/sign-up`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: mailed.service.url,
            'x-forwarded-for': client,
          },
          body: JSON.stringify({ name: 'New', email, password: 'gravel otter lamp 93' }),
        })
      return { counted: { client }, act }
    },
    addressChange: async () => {
      const person = await mailed.people.person()
      const act = (email: string) => person.send('POST', '/auth/email', { email, password: PASSWORD })
      return { counted: { person: person.id, client: person.address }, act }
    },
    addressConfirmation: async () => {
      const person = await mailed.people.person()
      const act = async (email: string) => {
        await changeRows(mailed.service.services.db, 'users', { id: person.id }, { email })
        return person.send('POST', '/auth/email-verification')
      }
      await person.signIn()
      return { counted: { account: person.id }, act }
    },
  }

  function byMember(team: number, owner: Person, act: Act['act']): Act {
    return { counted: { team, person: owner.id, client: owner.address }, act }
  }

  for (const kind of keysOf(ACTS)) {
    it(`of the kind ${kind} is refused over each of its bounds, with when it works again, and leaves nothing`, async () => {
      const { counted, act } = await ACTS[kind]()
      const { db } = mailed.service.services
      const tables = ['letters', 'contacts', 'agreements', 'invitations', 'email_links', 'sign_ups'] as const
      for (const name of MAIL_KINDS[kind].refusedOver) {
        await free()
        const most = MAIL_BOUNDS[name].most.open
        const email = newEmail()
        const key = keyOf(name, counted, email)
        await holdFull(key, most - 1)
        const last = await act(email)
        assert.ok(last.status < 300, `${name}: ${last.status}`)
        await until(`the last of ${name}`, () => sentTo(email) > 0)
        await until('no letter waits', async () => (await countRows(db, 'letters')) === 0)
        // A plus tag is another address of one mailbox.
        const over = MAIL_BOUNDS[name].per === 'mailbox' ? email.replace('@', '+more@') : newEmail()
        const before = await Promise.all(tables.map((table) => countRows(db, table)))
        const mails = arrived(mailed.smtp).length
        const refused = await act(over)
        assert.equal(refused.status, 429, name)
        assert.ok(Number(refused.headers.get('retry-after')) > DAY_SECONDS / 2, name)
        assert.deepEqual(await Promise.all(tables.map((table) => countRows(db, table))), before, name)
        assert.equal(arrived(mailed.smtp).length, mails, name)
        const { rows } = await db.pool.query('SELECT points FROM rate_limits WHERE key = $1', [key])
        assert.equal(rows[0].points, most, `${name} does not count what was refused`)
      }
      await free()
    })
  }

  it('is dropped over the bounds of an address without telling anybody', async () => {
    const { services } = mailed.service
    const person = await mailed.people.person()
    const confirmed = await mailed.people.person()
    await changeRows(services.db, 'users', { id: confirmed.id }, { email_verified_at: new Date() })
    let work: Promise<void> | undefined
    let letters = 0
    const here: Services = {
      ...services,
      afterwards: (begin) => {
        work = begin()
      },
      enqueueLetter: async () => void letters++,
      sendLetter: async () => void letters++,
    }
    const reset = ({ email }: Person) => requestPasswordReset(here, email, VISITOR)
    const password = 'gravel otter lamp 93'
    const rows: [LetterKind, Act['counted'], string, () => Promise<unknown>][] = [
      ['passwordReset', { account: confirmed.id }, '', () => reset(confirmed)],
      ['passwordResetUnconfirmed', { account: person.id }, '', () => reset(person)],
      [
        'signUp',
        {},
        'wanted@example.org',
        () => signUp(here, { name: 'Wanted', email: 'wanted@example.org', password }, VISITOR),
      ],
    ]
    const dropping = keysOf(MAIL_KINDS).filter((kind) => MAIL_KINDS[kind].droppedOver.length > 0)
    assert.deepEqual(rows.map(([kind]) => kind).sort(), dropping.sort())
    for (const [kind, counted, email, act] of rows) {
      for (const name of MAIL_KINDS[kind].droppedOver) {
        for (const [used, sent] of [
          [MAIL_BOUNDS[name].most.open - 1, 1],
          [MAIL_BOUNDS[name].most.open, 0],
        ] as const) {
          await free()
          await holdFull(keyOf(name, counted, email), used)
          letters = 0
          await act()
          await work
          assert.equal(letters, sent, `${kind}, ${name}`)
        }
      }
    }
  })

  it('tells of an account whose address is not confirmed twenty times a day, of another twenty times an hour', async () => {
    const { services } = mailed.service
    for (const [isConfirmed, expected] of [
      [true, 40],
      [false, 20],
    ] as const) {
      const { id } = await mailed.people.person()
      if (isConfirmed) await changeRows(services.db, 'users', { id }, { email_verified_at: new Date() })
      let letters = 0
      for (let count = 0; count < 50; count++) {
        const at = count < 25 ? ago(2 * 3_600_000) : new Date()
        const here: Services = { ...services, now: () => at, enqueueLetter: async () => void letters++ }
        await tellHolder(here, services.db.query, id, { kind: 'password_changed', visitor: null })
      }
      assert.equal(letters, expected)
    }
  })
})
