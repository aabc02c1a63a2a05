import assert from 'node:assert/strict'
import { LETTERS_CHANNEL } from '../../../src/store/accounts/letters.ts'
import type { Scope } from '../scope.ts'
import { type SmtpReceiver, smtpReply, startSmtpReceiver } from '../servers/smtp-receiver.ts'
import type { AskedService } from '../services/asked-service.ts'
import { createQuickAccount } from '../services/quick-account.ts'
import { until } from '../until.ts'
import { openBrowser } from './cookie-browser.ts'

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
  await createQuickAccount(service.services, { email: EMAIL, name: 'Ann', password: 'a long password' })
  const asked = await openBrowser(service.url).send('POST', '/auth/password-reset', { email: EMAIL })
  assert.equal(asked.status, 202)
}

/** In seconds since the letter was written: when it is due, and when it was looked at. */
type Waiting = { attempts: number; due: number; seen: number; row: string }

export const lettersOf = async ({ services }: AskedService): Promise<Waiting[]> =>
  (
    await services.db.pool.query<Waiting>(
      `SELECT attempts, extract(epoch FROM next_attempt_at - created_at)::float8 AS due,
              extract(epoch FROM now() - created_at)::float8 AS seen, l::text AS row FROM letters l`,
    )
  ).rows

/** The letter that waits, once it was put off. */
export const untilPutOff = (service: AskedService) =>
  until('the letter is put off', async () => (await lettersOf(service)).find(({ attempts }) => attempts > 0))

export const mailOf = (smtp: { port: number }) => ({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })

/**
 * Has the letter that waits sent now, after changes to its row, unless it was sent meanwhile; an attempt that is under
 * way knows nothing of them.
 */
export async function sendNow(service: AskedService, changes = ''): Promise<void> {
  const { pool } = service.services.db
  await until('the letter is nobody’s', async () => {
    const { rowCount } = await pool.query(
      `UPDATE letters SET ${changes} next_attempt_at = now() WHERE claimed_by IS NULL`,
    )
    return rowCount === 1 || (await lettersOf(service)).length === 0
  })
  await pool.query('SELECT pg_notify($1, $2)', [LETTERS_CHANNEL, ''])
}
