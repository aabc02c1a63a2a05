import * as z from 'zod'
import { readSmtpUrl, type SmtpUrl } from '../alerting/smtp-url.ts'
import { issueOf, type Said, said } from '../language/said.ts'
import { text } from '../text.ts'

/** Tests of mail settings that a person may ask for in a minute. */
export const MAIL_TESTS_PER_MINUTE = 10
/** A test is answered within this time, or never. */
export const MAIL_TEST_MS = 40_000

const MAX_HOST_LENGTH = 253
const MAX_LOGIN_LENGTH = 255
const MAX_ADDRESS_LENGTH = 2_000
const MAX_SENDER_LENGTH = 320
const SMTPS_PORT = 465
const SUBMISSION_PORT = 587

/** Where a setting comes from: the environment wins over what operators have saved, and that over the default. */
export const SettingSource = z.enum(['environment', 'saved', 'default'])
export type SettingSource = z.infer<typeof SettingSource>

/** How the connection to the mail server is protected; `tls` is from the start, `starttls` from before anything is said. */
export const MailSecurity = z.enum(['tls', 'starttls', 'opportunistic', 'off'])
export type MailSecurity = z.infer<typeof MailSecurity>

const TLS_OF = { starttls: 'required', opportunistic: 'opportunistic', off: 'off' } as const satisfies Record<
  Exclude<MailSecurity, 'tls'>,
  SmtpUrl['tls']
>

/** An address without a path, as browsers write its origin; null if the text is none. */
export function readSiteUrl(value: string): string | null {
  const url = URL.parse(value)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username
  return isPlain && !url.password && url.pathname === '/' ? url.origin : null
}

/** The sender's address with the name shown to people: an address alone gets the service's name. Null if it is none. */
export function readMailFrom(value: string): string | null {
  const [, name = '', address = value] = /^([^<>]*)<([^<>]+)>$/.exec(value) ?? []
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(address) || /[\r\n]/.test(value)) return null
  return name.trim() === '' ? `Upbeat <${address}>` : value
}

export function defaultMailFrom(siteUrl: string): string {
  return `upbeat@${new URL(siteUrl).hostname}`
}

const SITE_URL_TAKES = said('must be an address without a path, such as https://status.example.com')
const MAIL_FROM_TAKES = said('must be an e-mail address, such as Upbeat <upbeat@example.com>')
const HOST_TAKES = said('must be the name or address of a mail server, such as smtp.example.com')

/** Text that `read` takes, as it reads it. */
function readText(max: number, read: (value: string) => string | null, takes: Said) {
  return text(max).transform((value, context) => {
    const found = read(value.trim())
    if (found !== null) return found
    context.addIssue(issueOf(takes))
    return z.NEVER
  })
}

/** The name or address of a host, and nothing that an address would hold besides; null if it is none. */
function readMailHost(value: string): string | null {
  const host = value.includes(':') && !value.startsWith('[') ? `[${value}]` : value
  return /^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(host) && URL.canParse(`smtp://${host}`) ? value : null
}

/** The mail server as a form names it. A password of null keeps the saved one; a user of null signs in as nobody. */
export const MailServer = z.object({
  host: readText(MAX_HOST_LENGTH, readMailHost, HOST_TAKES),
  port: z.int().min(1).max(65_535),
  security: MailSecurity,
  verifies_certificate: z.boolean(),
  user: text(MAX_LOGIN_LENGTH).nullable(),
  password: text(MAX_LOGIN_LENGTH).nullable(),
})
export type MailServer = z.infer<typeof MailServer>

const SiteUrl = readText(MAX_ADDRESS_LENGTH, readSiteUrl, SITE_URL_TAKES)
const MailFrom = readText(MAX_SENDER_LENGTH, readMailFrom, MAIL_FROM_TAKES)

/** Null takes a setting away, and leaves the default. */
export const ServiceSettingsPatch = z
  .object({
    site_url: SiteUrl.nullable(),
    mail_server: MailServer.nullable(),
    mail_from: MailFrom.nullable(),
  })
  .partial()
export type ServiceSettingsPatch = z.infer<typeof ServiceSettingsPatch>

/** `mail_server`: null tests the one in use. `mail_from`: null sends from the address in use. */
export const MailTestBody = z.object({ mail_server: MailServer.nullable(), mail_from: MailFrom.nullable() })
export type MailTestBody = z.infer<typeof MailTestBody>

/** The mail server in use, without its password. */
export const ShownMailServer = MailServer.omit({ password: true }).extend({
  host: z.string(),
  has_password: z.boolean(),
})
export type ShownMailServer = z.infer<typeof ShownMailServer>

export const ServiceSettings = z.object({
  site_url: z.object({ value: z.string(), source: SettingSource, default: z.string() }),
  mail_server: z.object({ value: ShownMailServer.nullable(), source: SettingSource }),
  mail_from: z.object({ value: z.string(), source: SettingSource, default: z.string() }),
  /** Whether a saved mail server cannot be read, since it was sealed with a key that the service no longer has. */
  is_mail_unreadable: z.boolean(),
  /** Passkeys of all people: each works at the host of the public address only. */
  passkeys: z.int(),
  /** Where the identity provider sends people back to; null without a provider. */
  oidc_callback: z.string().nullable(),
})
export type ServiceSettings = z.infer<typeof ServiceSettings>

/** `gone`: no process has sent it in time, or the result is not kept any more. */
export const MailTest = z.object({
  state: z.enum(['waiting', 'sending', 'sent', 'failed', 'gone']),
  status_code: z.int().nullable(),
  /** The server's own answer, or why there was none. */
  detail: z.string().nullable(),
})
export type MailTest = z.infer<typeof MailTest>

/** The settings that operators have saved; null where they have not. */
export type SavedSettings = {
  siteUrl: string | null
  smtpUrl: string | null
  mailFrom: string | null
  /** The mail server is saved, and no key opens it. */
  isMailUnreadable: boolean
}
export const NOTHING_SAVED: SavedSettings = {
  siteUrl: null,
  smtpUrl: null,
  mailFrom: null,
  isMailUnreadable: false,
}

/** The address by which mail is sent, as SMTP_URL has it. */
export function smtpUrlOf(server: Omit<MailServer, 'password'>, password: string | null): string {
  const { host, port, security, verifies_certificate: verify, user } = server
  const login = user === null ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
  const named = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const scheme = security === 'tls' ? 'smtps' : 'smtp'
  const tls = security === 'tls' ? '' : `tls=${TLS_OF[security]}&`
  return `${scheme}://${login}${named}:${port}?${tls}verify=${verify}`
}

/** The mail server of an address such as SMTP_URL, and the password apart from it. */
export function mailServerOf(smtpUrl: string): { server: ShownMailServer; password: string | null } | null {
  const read = readSmtpUrl(smtpUrl)
  if (read === null) return null
  const url = new URL(read.rest)
  const isTls = url.protocol === 'smtps:'
  const security = isTls ? 'tls' : read.tls === 'required' ? 'starttls' : read.tls
  const password = url.password === '' ? null : decoded(url.password)
  return {
    server: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (isTls ? SMTPS_PORT : SUBMISSION_PORT),
      security,
      verifies_certificate: read.verify,
      user: url.username === '' ? null : decoded(url.username),
      has_password: password !== null,
    },
    password,
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * The password for a server of a form: the one that was typed, or the saved one, which no other server and no other user is
 * given. `refused`: the one to keep belongs elsewhere.
 */
export function passwordFor(
  { host, port, user, password }: MailServer,
  saved: string | null,
): { password: string | null } | { refused: Said } {
  if (user === null) return { password: null }
  if (password !== null) return { password }
  const kept = saved === null ? null : mailServerOf(saved)
  if (!kept?.server.has_password) return { password: null }
  const { server } = kept
  if (server.host === host && server.port === port && server.user === user) return { password: kept.password }
  return { refused: said('must be typed again, since the saved one belongs to another server or user') }
}
