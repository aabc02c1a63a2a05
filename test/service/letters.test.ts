import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '../../src/operations/accounts.ts'
import { openBrowser } from '../support/browser.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type SmtpReceiver, smtpReply, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { until } from '../support/until.ts'

const EMAIL = 'ann@example.com'

/** A mail server that puts everybody off until it is told to take mail. */
async function startBusyReceiver(t: { after: (close: () => Promise<void>) => void }) {
  const state = { takes: false, refusals: 0 }
  const smtp: SmtpReceiver = await startSmtpReceiver(t, {
    onRcptTo(_address, _session, done) {
      if (state.takes) return done()
      state.refusals++
      done(smtpReply(451, 'greylisted, try again later'))
    },
  })
  return { smtp, state }
}

async function askForReset(service: TestService): Promise<void> {
  await accounts.createUser(service.services, { email: EMAIL, name: 'Ann', password: 'a long password' })
  const asked = await openBrowser(service.url).send('POST', '/auth/password-reset', { email: EMAIL })
  assert.equal(asked.status, 202)
}

type Waiting = { attempts: number; seconds: number; row: string }

const lettersOf = async ({ services }: TestService): Promise<Waiting[]> =>
  (
    await services.db.pool.query<Waiting>(
      `SELECT attempts, extract(epoch FROM next_attempt_at - now())::float8 AS seconds, l::text AS row FROM letters l`,
    )
  ).rows

/** The letter that waits, once it was put off. */
const untilPutOff = (service: TestService) =>
  until('the letter is put off', async () => (await lettersOf(service)).find(({ attempts }) => attempts > 0))

const mailOf = (smtp: { port: number }) => ({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })

test('a letter that the mail server puts off is sent once it is taken, and then forgotten', async (t) => {
  const { smtp, state } = await startBusyReceiver(t)
  const service = await startTestService({ ROLES: 'api,alerts', ...mailOf(smtp) })
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

test('a letter survives the service being killed, and arrives once', async (t) => {
  const { smtp, state } = await startBusyReceiver(t)
  const service = await startTestService({ ROLES: 'api,alerts', ...mailOf(smtp) })
  t.after(() => service.close())
  await askForReset(service)
  await untilPutOff(service)
  await service.letGo()
  await service.signal('SIGKILL')
  state.takes = true
  await service.start()
  await service.takeUp()
  await until('the letter arrives', () => smtp.mails.length > 0)
  await until('the letter is forgotten', async () => (await lettersOf(service)).length === 0)
  assert.equal(smtp.mails.length, 1)
})

test('a letter whose link has expired is not sent any more', async (t) => {
  const { smtp, state } = await startBusyReceiver(t)
  const service = await startTestService({ ROLES: 'api,alerts', ...mailOf(smtp) })
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
  const service = await startTestService({ ROLES: 'api,alerts', ...mailOf(smtp) })
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
  const service = await startTestService({ ROLES: 'api,alerts', ...mailOf(smtp) })
  t.after(() => service.close())
  await askForReset(service)
  await until('the refusal is in the log', () => service.output().includes('no such user'))
  await until('the letter is forgotten', async () => (await lettersOf(service)).length === 0)
})

test('without a mail server a letter is refused in the log, and nothing waits', async (t) => {
  const service = await startTestService({ ROLES: 'api,alerts' })
  t.after(() => service.close())
  await askForReset(service)
  await until('the log says why', () => service.output().includes('mail is not set up: set SMTP_URL'))
  assert.deepEqual(await lettersOf(service), [])
})
