import type { NodemailerError, SendMailOptions, SMTPTransportOptions } from 'nodemailer'
import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import { MAIL_IS_NOT_SET_UP } from '../core/alerting/delivery-log.ts'
import { dial } from '../net/dial.ts'
import type { Network } from '../net/network.ts'
import type { Channel } from './channel.ts'
import { composeMail } from './mail/mail.ts'
import type { MailSettings } from './mail/smtp-options.ts'
import { logText } from './text/log-text.ts'

const SUBMISSION_PORT = 587
const SMTPS_PORT = 465
/** Errors of the message or of our own configuration: the same message would fail the same way again. */
const PERMANENT_CODES = new Set(['EENVELOPE', 'EMESSAGE', 'ECONFIG', 'ENOAUTH'])

/** Mails through the operator's SMTP server over a connection per message, so there is none to keep alive or close. */
export function emailChannel(
  network: Network,
  mail: MailSettings | null,
  siteUrl: string,
  attemptTimeoutMs: number,
): Channel<ContactConfigs['email']> {
  const send = openMail(network, mail, attemptTimeoutMs)
  return async (sending) => {
    const answer = (await sending.answer?.()) ?? null
    return send((from) => composeMail(sending, from, siteUrl, answer), sending.signal)
  }
}

/** Sends the mail that `compose` builds for this sender, once. Expected failures are data. */
export function openMail(network: Network, mail: MailSettings | null, attemptTimeoutMs: number) {
  return mail ? openSmtp(network, mail, attemptTimeoutMs) : refuseMail
}

type SendMail = (
  compose: (from: string) => SendMailOptions,
  interrupted: AbortSignal,
) => Promise<DeliveryOutcome>

const refuseMail: SendMail = async () => ({ kind: 'rejected', statusCode: null, detail: MAIL_IS_NOT_SET_UP })

function openSmtp(network: Network, mail: MailSettings, attemptTimeoutMs: number): SendMail {
  return async (compose, interrupted) => {
    const deadline = AbortSignal.timeout(attemptTimeoutMs)
    const signal = AbortSignal.any([interrupted, deadline])
    let secrets: string[] = []
    try {
      // Loaded by the first mail, so that a start does not wait for it.
      const { createTransport } = await import('nodemailer')
      const { smtpOptions } = await import('./mail/smtp-options.ts')
      const smtp = smtpOptions(mail, attemptTimeoutMs)
      secrets = smtp.secrets
      const transport = createTransport({ ...smtp.options, getSocket: dialer(network, signal) })
      const receipt = await transport.sendMail({ ...compose(mail.from), signal })
      return {
        kind: 'sent',
        statusCode: replyCode(receipt.response),
        detail: logText(receipt.response, secrets),
      }
    } catch (error) {
      if (interrupted.aborted) return retry(null, 'interrupted')
      if (deadline.aborted) return retry(null, `no answer within ${attemptTimeoutMs / 1_000} s`)
      return judgeFailure(error as NodemailerError, secrets)
    }
  }
}

/** Our own dialing reads the hosts file; nodemailer's asks name servers first, even for `localhost`. */
function dialer(network: Network, signal: AbortSignal): NonNullable<SMTPTransportOptions['getSocket']> {
  return async ({ host = 'localhost', port, secure }, done) => {
    const dialed = await dial(
      network,
      { kind: 'mail server', host, port: Number(port ?? (secure ? SMTPS_PORT : SUBMISSION_PORT)) },
      signal,
    )
    if (dialed.kind === 'connected') done(null, { connection: dialed.socket })
    else done(new Error(dialed.reason))
  }
}

/** 5xx replies are final (RFC 5321, section 4.2.1), except 503, which means that the session went wrong. */
function judgeFailure(error: NodemailerError, secrets: string[]): DeliveryOutcome {
  const statusCode = error.responseCode ?? null
  const detail = logText(error.message, secrets)
  const final = error.permanent ?? PERMANENT_CODES.has(error.code ?? '')
  if (!final) return retry(statusCode, detail)
  const refusesReceiver = error.command === 'RCPT TO' && statusCode !== null
  return { kind: 'rejected', statusCode, detail, ...(refusesReceiver && { refusesReceiver }) }
}

function retry(statusCode: number | null, detail: string): DeliveryOutcome {
  return { kind: 'retry', statusCode, detail, retryAfterSeconds: null }
}

function replyCode(response: string): number | null {
  const code = Number.parseInt(response, 10)
  return Number.isNaN(code) ? null : code
}
