import type { SMTPTransportOptions } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import { readSmtpUrl } from '../../core/alerting/smtp-url.ts'

export type MailSettings = {
  /** `smtp://user:pass@host:587` (STARTTLS) or `smtps://…` (TLS from the start). */
  smtpUrl: string
  /** An address, or a name and an address: `Upbeat <upbeat@example.com>`. */
  from: string
  /** The name of this machine in EHLO; null leaves it to the library. */
  name: string | null
}

/** Transport options from the URL; query parameters of the library win (`?requireTLS=false`, `?name=mx.example.com`). */
export function smtpOptions(
  { smtpUrl, name }: Pick<MailSettings, 'smtpUrl' | 'name'>,
  timeoutMs: number,
): { options: SMTPTransportOptions; secrets: string[] } {
  const read = readSmtpUrl(smtpUrl)
  if (!read) throw new Error('SMTP_URL is no address of a mail server')
  const { rest, tls, verify } = read
  const fromUrl = parseConnectionUrl(rest)
  const options: SMTPTransportOptions = {
    requireTLS: tls === 'required' && !fromUrl.secure,
    ignoreTLS: tls === 'off',
    opportunisticTLS: tls === 'opportunistic',
    ...(name !== null && { name }),
    ...fromUrl,
    tls: { rejectUnauthorized: verify, ...fromUrl.tls },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return { options, secrets: fromUrl.auth ? formsOf(fromUrl.auth) : [] }
}

/** The password itself and as encoded in AUTH commands, which a server may quote in its reply. */
function formsOf({ user, pass }: { user: string; pass: string }): string[] {
  if (!pass) return []
  return [pass, base64(pass), base64(`\0${user}\0${pass}`)]
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
