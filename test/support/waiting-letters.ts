import assert from 'node:assert/strict'
import * as accounts from '../../src/operations/accounts.ts'
import type { AskedService } from './asked-service.ts'
import { openBrowser } from './browser.ts'
import type { Scope } from './scope.ts'
import { type SmtpReceiver, smtpReply, startSmtpReceiver } from './smtp-receiver.ts'
import { until } from './until.ts'

export const EMAIL = 'ann@example.com'

/** A mail server that puts everybody off until it is told to take mail. */
export async function startBusyReceiver(t: Scope) {
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

export async function askForReset(service: AskedService): Promise<void> {
  await accounts.createUser(service.services, { email: EMAIL, name: 'Ann', password: 'a long password' })
  const asked = await openBrowser(service.url).send('POST', '/auth/password-reset', { email: EMAIL })
  assert.equal(asked.status, 202)
}

type Waiting = { attempts: number; seconds: number; row: string }

export const lettersOf = async ({ services }: AskedService): Promise<Waiting[]> =>
  (
    await services.db.pool.query<Waiting>(
      `SELECT attempts, extract(epoch FROM next_attempt_at - now())::float8 AS seconds, l::text AS row FROM letters l`,
    )
  ).rows

/** The letter that waits, once it was put off. */
export const untilPutOff = (service: AskedService) =>
  until('the letter is put off', async () => (await lettersOf(service)).find(({ attempts }) => attempts > 0))

export const mailOf = (smtp: { port: number }) => ({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
