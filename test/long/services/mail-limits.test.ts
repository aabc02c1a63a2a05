// npm test leaves this out: it sends more alerts than one address may get in an hour (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { testAlert } from '../../../src/core/alerting/alert.ts'
import { ALERTS_PER_HOUR, LETTERS_PER_HOUR } from '../../../src/core/alerting/mailbox.ts'
import { permitFree } from '../../../src/operations/accounts/letter-permits.ts'
import { LETTERS_CHANNEL } from '../../../src/store/accounts/letters.ts'
import { insertTestDelivery } from '../../../src/store/alerting/deliveries.ts'
import { DELIVERIES_CHANNEL } from '../../../src/store/news.ts'
import { ago, changeRows, countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import {
  arrived,
  type Mail,
  type SmtpReceiver,
  smtpReply,
  startSmtpReceiver,
} from '../../support/servers/smtp-receiver.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { until } from '../../support/until.ts'

const BEYOND = 7

describe('alerts to one address, over all contacts and teams', () => {
  const scope = suiteScope()
  const server = { takes: true }
  let smtp: SmtpReceiver
  let service: AskedService
  let made = 0

  before(async () => {
    smtp = await startSmtpReceiver(scope, {
      onRcptTo(_address, _session, done) {
        done(server.takes ? null : smtpReply(451, 'try again later'))
      },
    })
    service = await startServiceHere({ ROLES: 'api,alerts', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
    scope.after(() => service.close())
  })

  type Contact = { team: number; token: string; id: number }

  async function contactOf(email: string): Promise<Contact> {
    const { id: team, owner: token } = await service.createTeam()
    const body = { name: 'Ops', type: 'email', config: { email } }
    const { id } = (await service.call(token, 'POST', '/notification-contacts', body)).body.data
    return { team, token, id }
  }

  const alert = ({ team, id }: Contact) => {
    const sent = testAlert({ id: team, name: `Alert ${++made}` }, new Date().toISOString())
    return insertTestDelivery(service.services.db, team, id, sent)
  }

  const query = async (text: string, values: unknown[] = []) =>
    (await service.services.db.pool.query(text, values)).rows

  const statesOf = async (contact: Contact): Promise<Record<string, number>> =>
    Object.fromEntries(
      (
        await query('SELECT state, count(*) FROM deliveries WHERE contact_id = $1 GROUP BY state', [
          contact.id,
        ])
      ).map(({ state, count }) => [state, Number(count)]),
    )

  const waiting = async ({ id }: Contact) =>
    query(
      `SELECT id, attempts, digest, claimed_by, mailbox_hash,
              extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS seconds
       FROM deliveries WHERE contact_id = $1 AND state = 'pending' ORDER BY id`,
      [id],
    )

  /** Once so many wait for a digest, and nothing else waits. */
  const untilGathered = (contact: Contact, count: number) =>
    until(`${count} alerts wait`, async () => {
      const rows = await waiting(contact)
      return (
        rows.length === count &&
        rows.every((row) => row.claimed_by === null && row.mailbox_hash !== null) &&
        rows
      )
    })

  /** As if the time of the digest had come. */
  const hurry = () =>
    query(
      `UPDATE deliveries SET next_attempt_at = now() WHERE mailbox_hash IS NOT NULL AND state = 'pending'
       RETURNING pg_notify('${DELIVERIES_CHANNEL}', '')`,
    )

  const mailsTo = (email: string) => arrived(smtp).filter(({ to }) => to.includes(email))
  const fill = async (contact: Contact) => {
    for (let i = 0; i < ALERTS_PER_HOUR; i++) await alert(contact)
    await until('the bound is reached', async () => (await statesOf(contact)).sent === ALERTS_PER_HOUR)
  }

  it('go as mails of their own up to the bound, and beyond it as one digest with every one of them', async () => {
    const email = 'many@example.com'
    const [mine, others] = [await contactOf(email), await contactOf(`Many+tag@example.com`)]
    await fill(mine)
    await changeRows(service.services.db, 'contacts', { id: others.id }, { time_zone: 'Asia/Kolkata' })
    for (let i = 0; i < BEYOND; i++) await alert(mine)
    await alert(others)
    const rows = await untilGathered(mine, BEYOND)
    await untilGathered(others, 1)
    assert.ok(rows.every(({ seconds, attempts }) => seconds > 0 && seconds <= 300 && attempts === 0))
    assert.equal(mailsTo(email).length, ALERTS_PER_HOUR)

    await hurry()
    await until(
      'the digest',
      () => mailsTo(email).length + mailsTo('Many+tag@example.com').length > ALERTS_PER_HOUR,
    )
    await until('all are sent', async () => (await statesOf(mine)).sent === ALERTS_PER_HOUR + BEYOND)
    assert.deepEqual(await statesOf(others), { sent: 1 })
    const digests = smtp.mails.filter(({ headers }) =>
      headers.get('subject')?.startsWith(`${BEYOND + 1} alerts`),
    )
    assert.equal(digests.length, 1)
    for (let number = made - BEYOND; number <= made; number++) {
      assert.ok(digests[0]?.text.includes(`team Alert ${number}`), `alert ${number}`)
    }
    assert.equal(digests[0]?.text.match(/ UTC\+05:30: /g)?.length, BEYOND + 1, 'in the zone of the newest')
    const [{ detail }] = await query(
      `SELECT a.detail FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.contact_id = $1`,
      [others.id],
    )
    assert.match(detail, /\(digest of 8\)$/)
  })

  it('have digests apart from each other, and mails of their own again in the next hour', async () => {
    const email = 'again@example.com'
    const contact = await contactOf(email)
    await fill(contact)
    await alert(contact)
    const [first] = await untilGathered(contact, 1)
    assert.ok(first.seconds <= 60)
    await hurry()
    await until('a digest', () => mailsTo(email).length === ALERTS_PER_HOUR + 1)
    await alert(contact)
    const [second] = await untilGathered(contact, 1)
    assert.ok(second.seconds > 240, `the next digest is due in ${second.seconds} s`)
    await changeRows(service.services.db, 'mailboxes', {}, { hour_began_at: ago(61 * 60_000) })
    await alert(contact)
    await untilGathered(contact, 2)
    await hurry()
    await until('both are sent', async () => (await statesOf(contact)).sent === ALERTS_PER_HOUR + 3)
    await alert(contact)
    await until('a mail of its own', async () => (await statesOf(contact)).sent === ALERTS_PER_HOUR + 4)
    assert.equal(mailsTo(email).at(-1)?.headers.get('subject'), 'Test alert from Upbeat')
  })

  it('stay in their digest while the mail server puts it off, under one message id', async () => {
    const email = 'busy@example.com'
    const contact = await contactOf(email)
    await fill(contact)
    server.takes = false
    for (let i = 0; i < 3; i++) await alert(contact)
    await untilGathered(contact, 3)
    await hurry()
    const tried = await until('it was tried', async () => {
      const rows = await waiting(contact)
      return rows.length === 3 && rows.every(({ attempts }) => attempts > 0) && rows
    })
    assert.equal(new Set(tried.map(({ digest }) => digest)).size, 1)
    await alert(contact)
    await untilGathered(contact, 4)
    server.takes = true
    await query(
      `UPDATE deliveries SET next_attempt_at = now() WHERE digest = message_id AND state = 'pending'
       RETURNING pg_notify('${DELIVERIES_CHANNEL}', '')`,
    )
    await until('the digest is sent', async () => (await statesOf(contact)).sent === ALERTS_PER_HOUR + 3)
    assert.match(mailsTo(email).at(-1)?.headers.get('message-id') ?? '', new RegExp(`^<${tried[0].digest}@`))
    await hurry()
    await until('the next digest, too', async () => (await statesOf(contact)).sent === ALERTS_PER_HOUR + 4)
    assert.equal(mailsTo(email).length, ALERTS_PER_HOUR + 2)
  })

  it('leave a digest when their contact is deleted or leads elsewhere, and the others go on', async () => {
    const email = 'left@example.com'
    const [kept, moved, deleted] = [await contactOf(email), await contactOf(email), await contactOf(email)]
    await fill(kept)
    for (const contact of [deleted, moved, kept]) await alert(contact)
    for (const contact of [deleted, moved, kept]) await untilGathered(contact, 1)
    const ways = [
      ['PATCH', moved, { config: { email: 'moved@example.com' } }],
      ['DELETE', deleted, undefined],
    ] as const
    for (const [method, { token, id }, body] of ways) {
      const answer = await service.call(token, method, `/notification-contacts/${id}`, body)
      assert.ok(answer.status < 300)
    }
    await hurry()
    await until('the moved one is sent', async () => (await statesOf(moved)).sent === 1)
    await until('the kept one is sent', async () => (await statesOf(kept)).sent === ALERTS_PER_HOUR + 1)
    assert.equal(mailsTo('moved@example.com').length, 1)
    const [row] = await query(`SELECT state FROM deliveries WHERE contact_id IS NULL AND team_id = $1`, [
      deleted.team,
    ])
    assert.equal(row.state, 'failed')
  })
})

describe('letters to one address', () => {
  it('go by themselves up to their bound, and beyond it as one with every link of the others', async (t) => {
    const smtp = await startSmtpReceiver(t)
    const mail = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }
    const service = await startServiceHere({ ROLES: 'api,alerts', ...mail })
    t.after(() => service.close())
    const { services } = service
    const write = (number: number, to = 'ann@example.com') =>
      services.sendLetter(permitFree('accountNotice'), {
        to,
        title: `Letter ${number}`,
        text: 'Hello.',
        link: `https://link.example/${number}`,
      })
    for (let number = 1; number <= LETTERS_PER_HOUR + 3; number++) {
      await write(number, number % 2 ? 'ann@example.com' : 'Ann+tag@example.com')
    }
    await until('the first ones', () => arrived(smtp).length === LETTERS_PER_HOUR)
    const waiting = () => countRows(services.db, 'letters')
    await until('one waits', async () => (await waiting()) === 1)
    await write(1, 'somebody.else@example.com')
    await until('nobody else is held up', () => arrived(smtp).length === LETTERS_PER_HOUR + 1)

    await changeRows(services.db, 'letters', {}, { next_attempt_at: new Date() })
    await services.db.pool.query(`NOTIFY ${LETTERS_CHANNEL}`)
    await until('the one with the rest', () => arrived(smtp).length === LETTERS_PER_HOUR + 2)
    const { headers, text } = arrived(smtp).at(-1) as Mail
    assert.equal(headers.get('subject'), '3 messages from Upbeat')
    for (let number = LETTERS_PER_HOUR + 1; number <= LETTERS_PER_HOUR + 3; number++) {
      assert.ok(text.includes(`https://link.example/${number}`), text)
    }
    await until('nothing waits', async () => (await waiting()) === 0)
  })
})
