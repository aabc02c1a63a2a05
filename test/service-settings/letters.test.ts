import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServiceHere } from '../support/service-here.ts'
import { smtpReply, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { until } from '../support/until.ts'
import {
  askForReset,
  EMAIL,
  lettersOf,
  mailOf,
  startBusyReceiver,
  untilPutOff,
} from '../support/waiting-letters.ts'

test('a letter that the mail server puts off is sent once it is taken, and then forgotten', async (t) => {
  const { smtp, state } = await startBusyReceiver(t)
  const service = await startServiceHere({ ROLES: 'api,alerts', ...mailOf(smtp) })
  t.after(() => service.close())
  await askForReset(service)
  const waiting = await untilPutOff(service)
  assert.ok(waiting.seconds > 0 && waiting.seconds <= 6, `tried again in ${waiting.seconds} s`)
  assert.ok(!waiting.row.includes(EMAIL) && !waiting.row.includes('set-password'), 'what waits is sealed')
  await until('the log says so', () => service.output().includes('letter not sent yet: it is tried again'))
  assert.ok(!service.output().includes('set-password'))

  state.takes = true
  await until('the letter arrives', () => smtp.mails.length > 0)
  await until('the letter is forgotten', async () => (await lettersOf(service)).length === 0)
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [[EMAIL]],
  )
  assert.match(smtp.mails[0]?.headers.get('message-id') ?? '', /^<[0-9a-f-]{36}@/)
  const link = /https?:\S+/.exec(smtp.mails[0]?.text ?? '')?.[0] ?? ''
  assert.equal((await fetch(service.url + new URL(link).pathname)).status, 200)
})

test('a letter whose link has expired is not sent any more', async (t) => {
  const { smtp, state } = await startBusyReceiver(t)
  const service = await startServiceHere({ ROLES: 'api,alerts', ...mailOf(smtp) })
  t.after(() => service.close())
  await askForReset(service)
  await untilPutOff(service)
  await service.services.db.pool.query(`UPDATE letters SET expires_at = now(), next_attempt_at = now()`)
  state.takes = true
  await until('the letter is given up', async () => (await lettersOf(service)).length === 0)
  await until('the log says why', () => service.output().includes('its link has expired'))
  assert.deepEqual(smtp.mails, [])
})

test('a letter is given up at once when its link dies before the next attempt', async (t) => {
  const { smtp, state } = await startBusyReceiver(t)
  const service = await startServiceHere({ ROLES: 'api,alerts', ...mailOf(smtp) })
  t.after(() => service.close())
  await askForReset(service)
  await untilPutOff(service)
  // The second attempt is followed by a wait of ten seconds at least.
  await service.services.db.pool.query(
    `UPDATE letters SET expires_at = now() + interval '9 seconds', next_attempt_at = now()`,
  )
  await until('the letter is given up', async () => (await lettersOf(service)).length === 0)
  assert.equal(state.refusals, 2)
  assert.ok(!service.output().includes('its link has expired'))
})

test('a letter that the mail server refuses for good is forgotten at once', async (t) => {
  const smtp = await startSmtpReceiver(t, {
    onRcptTo: (_address, _session, done) => done(smtpReply(550, 'no such user')),
  })
  const service = await startServiceHere({ ROLES: 'api,alerts', ...mailOf(smtp) })
  t.after(() => service.close())
  await askForReset(service)
  await until('the refusal is in the log', () => service.output().includes('no such user'))
  await until('the letter is forgotten', async () => (await lettersOf(service)).length === 0)
})

test('without a mail server a letter is refused in the log, and nothing waits', async (t) => {
  const service = await startServiceHere({ ROLES: 'api,alerts' })
  t.after(() => service.close())
  await askForReset(service)
  await until('the log says why', () => service.output().includes('mail is not set up: set SMTP_URL'))
  assert.deepEqual(await lettersOf(service), [])
})
