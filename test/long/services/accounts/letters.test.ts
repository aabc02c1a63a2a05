// npm test leaves this out: it waits for letters that are tried again after real seconds.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { arrived, smtpReply, startSmtpReceiver } from '../../../support/servers/smtp-receiver.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'
import {
  askForReset,
  EMAIL,
  lettersOf,
  mailOf,
  sendNow,
  startBusyReceiver,
  untilPutOff,
} from '../../../support/sign-in/waiting-letters.ts'
import { until } from '../../../support/until.ts'

/** The first delay is 5 s, and up to a fifth more; each further one is twice as long. */
const [MIN_DELAY_SECONDS, MAX_DELAY_SECONDS] = [5, 6]

describe('a letter', { concurrency: true }, () => {
  it('that the mail server puts off is sent once it is taken, and then forgotten', async (t) => {
    const { smtp, state } = await startBusyReceiver(t)
    const service = await startServiceHere({ ROLES: 'api,alerts', ...mailOf(smtp) })
    t.after(() => service.close())
    await askForReset(service)
    const { attempts, due, seen, row } = await untilPutOff(service)
    const most = seen + MAX_DELAY_SECONDS * 2 ** (attempts - 1)
    assert.ok(due >= MIN_DELAY_SECONDS && due <= most, `due after ${due} s, seen after ${seen} s`)
    assert.ok(!row.includes(EMAIL) && !row.includes('set-password'), 'what waits is sealed')
    await until('the log says so', () => service.output().includes('letter not sent yet: it is tried again'))
    assert.ok(!service.output().includes('set-password'))

    state.takes = true
    await sendNow(service)
    await until('the letter arrives', () => smtp.mails.length > 0)
    await until('the letter is forgotten', async () => (await lettersOf(service)).length === 0)
    const [mail, ...others] = arrived(smtp)
    assert.deepEqual([mail?.to, others], [[EMAIL], []])
    assert.match(mail?.headers.get('message-id') ?? '', /^<[0-9a-f-]{36}@/)
    const link = /https?:\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    assert.equal((await fetch(service.url + new URL(link).pathname)).status, 200)
  })

  it('whose link has expired is not sent any more', async (t) => {
    const { smtp, state } = await startBusyReceiver(t)
    const service = await startServiceHere({ ROLES: 'api,alerts', ...mailOf(smtp) })
    t.after(() => service.close())
    await askForReset(service)
    await untilPutOff(service)
    await sendNow(service, `expires_at = now() - interval '1 minute',`)
    state.takes = true
    await until('the letter is given up', async () => (await lettersOf(service)).length === 0)
    await until('the log says why', () => service.output().includes('its link has expired'))
    assert.deepEqual(smtp.mails, [])
  })

  it('is given up at once when its link dies before the next attempt', async (t) => {
    const { smtp } = await startBusyReceiver(t)
    const service = await startServiceHere({ ROLES: 'api,alerts', ...mailOf(smtp) })
    t.after(() => service.close())
    await askForReset(service)
    await untilPutOff(service)
    // A wait of an hour follows this many attempts.
    await sendNow(service, `attempts = 20, expires_at = now() + interval '50 minutes',`)
    await until('the letter is given up', async () => (await lettersOf(service)).length === 0)
    await until('the log says so', () => /"letter not sent"/.test(service.output()))
    assert.ok(!service.output().includes('its link has expired'))
    assert.deepEqual(smtp.mails, [])
  })

  it('that the mail server refuses for good is forgotten at once', async (t) => {
    const smtp = await startSmtpReceiver(t, {
      onRcptTo: (_address, _session, done) => done(smtpReply(550, 'no such user')),
    })
    const service = await startServiceHere({ ROLES: 'api,alerts', ...mailOf(smtp) })
    t.after(() => service.close())
    await askForReset(service)
    await until('the refusal is in the log', () => service.output().includes('no such user'))
    await until('the letter is forgotten', async () => (await lettersOf(service)).length === 0)
  })

  it('without a mail server is refused in the log, and nothing waits', async (t) => {
    const service = await startServiceHere({ ROLES: 'api,alerts' })
    t.after(() => service.close())
    await askForReset(service)
    await until('the log says why', () => service.output().includes('mail is not set up: set SMTP_URL'))
    assert.deepEqual(await lettersOf(service), [])
  })
})
