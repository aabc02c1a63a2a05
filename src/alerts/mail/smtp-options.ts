import type { SMTPTransportOptions } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import { isThisMachine } from '../../core/this-machine.ts'

export type MailSettings = {
  /** `smtp://user:pass@host:587` (STARTTLS where offered) or `smtps://…` (TLS from the start). */
  smtpUrl: string
  /** An address, or a name and an address: `Upbeat <upbeat@example.com>`. */
  from: string
}

/**
 * Transport options from the URL; its query parameters win (`?requireTLS=false`, `?tls.rejectUnauthorized=false`).
 * Passwords never cross a network in the clear, so a login requires TLS. On this machine itself TLS and certificates
 * prove nothing, and local mail servers use self-signed certificates.
 */
export function smtpOptions(
  smtpUrl: string,
  timeoutMs: number,
): { options: SMTPTransportOptions; secrets: string[] } {
  const fromUrl = parseConnectionUrl(smtpUrl)
  const local = isThisMachine(fromUrl.host ?? 'localhost')
  const options: SMTPTransportOptions = {
    requireTLS: fromUrl.auth !== undefined && !fromUrl.secure && !local,
    ...fromUrl,
    tls: { rejectUnauthorized: !local, ...fromUrl.tls },
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
