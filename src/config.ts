import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import * as z from 'zod'
import type { ApiUrls } from './alerts/channels.ts'
import { defaultMailFrom, readMailFrom, readSiteUrl } from './core/accounts/service-settings.ts'
import { readSmtpUrl, SMTP_URL_TAKES } from './core/alerting/smtp-url.ts'
import type { TrustedProxies } from './core/client-address.ts'
import { socketPathOf } from './core/monitors/target.ts'
import { REGION_TAKES, Region } from './core/probing/region.ts'
import { DEFAULT_PLANS, overridePlans, PlanOverrides, type Plans } from './core/teams/plan.ts'
import { isThisMachine } from './core/this-machine.ts'
import { isProgram } from './files/program.ts'
import { readRegularFileSync } from './files/regular-file.ts'
import type { PrivateTargets } from './net/address-policy.ts'
import { hidePassword, InvalidDatabaseUrl, readDatabaseUrl } from './postgres/database-url.ts'
import { handedOn, misspelt, type Variable } from './variables.ts'

export const ROLES = ['api', 'scheduler', 'probe', 'alerts'] as const
export type ProcessRole = (typeof ROLES)[number]

const SUCH_AS_CHROMIUM = 'such as /usr/bin/chromium'
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type Config = {
  port: number
  host: string
  /** The public address without a trailing slash. */
  siteUrl: string
  docsUrl: string
  /** The settings that the environment leaves to what operators save in the dashboard; see settings.ts. */
  left: { siteUrl: boolean; docsUrl: boolean; smtpUrl: boolean; mailFrom: boolean }
  dataDir: string
  databaseUrl: string | null
  /** The maximum that the main thread holds for requests and its own work. */
  databaseConnections: number
  /** Where public status pages are written as files; null: nowhere. */
  statusExportDir: string | null
  /** Null: generated in the data directory. */
  secretKey: string | null
  previousSecretKeys: string[]
  region: string | null
  roles: ReadonlySet<ProcessRole>
  smtpUrl: string | null
  mailFrom: string
  /** The name by which this machine greets mail servers; null while no name is set. */
  mailName: string | null
  privateTargets: PrivateTargets
  privateRedirects: PrivateTargets
  /** Paths of sockets of this machine that checks may use. */
  dockerSockets: readonly string[]
  /** The program of a Chromium, for checks in a browser; null: none. */
  browserPath: string | null
  /** How many of them are made at once. */
  browserChecks: number
  metricsToken: string | null
  /** A URI for reporting vulnerabilities (RFC 9116). */
  securityContact: string | null
  trustedProxies: TrustedProxies
  plans: Plans
  signup: 'closed' | 'open'
  logLevel: (typeof LOG_LEVELS)[number]
  apiUrls: ApiUrls
  /** An identity provider (OpenID Connect) for signing in; `name` is shown to people. */
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | null
  /** The service that this remote probe works for; see docs/remote-probes.md. */
  remote: { url: string; token: string } | null
}

/** A wrong setting: one line with the variable, its value and what it takes. */
export class ConfigError extends Error {
  constructor(variable: string, got: string, takes: string) {
    super(`${variable} is ${JSON.stringify(got)}: it takes ${takes}`)
  }
}

export type Environment = Record<string, string | undefined>
type Read = (name: Variable) => string | undefined

/** The settings of the service; an empty variable counts as unset. */
export function readConfig(environment: Environment = process.env): Config {
  const read = (name: Variable) => environment[name]?.trim() || undefined
  const port = integer('PORT', read('PORT') ?? '3000', 0, 65_535)
  const siteUrl = siteAddress(read('SITE_URL') ?? `http://localhost:${port}`)
  const databaseUrl = database(read('DATABASE_URL'))
  const secretKey = secret('SECRET_KEY', read('SECRET_KEY'))
  const remote = remoteService(read)
  const from = mailFrom(read('MAIL_FROM') ?? defaultMailFrom(siteUrl))
  if (databaseUrl && !secretKey) {
    throw new ConfigError('SECRET_KEY', '', 'a secret of at least 16 characters, required with DATABASE_URL')
  }
  return {
    port,
    // A remote probe calls others; only its own machine calls it.
    host: host(read('HOST') ?? (remote ? '127.0.0.1' : '0.0.0.0')),
    siteUrl,
    docsUrl: httpUrl('DOCS_URL', read('DOCS_URL') ?? defaultDocsUrl(siteUrl)),
    left: {
      siteUrl: read('SITE_URL') === undefined,
      docsUrl: read('DOCS_URL') === undefined,
      smtpUrl: read('SMTP_URL') === undefined,
      mailFrom: read('MAIL_FROM') === undefined,
    },
    dataDir: resolve(read('DATA_DIR') ?? './data'),
    databaseUrl,
    databaseConnections: integer('DATABASE_CONNECTIONS', read('DATABASE_CONNECTIONS') ?? '20', 2, 500),
    statusExportDir: folder(read('STATUS_EXPORT_DIR')),
    secretKey,
    previousSecretKeys: previousSecrets(read('SECRET_KEY_PREVIOUS')),
    region: region(read('REGION')),
    roles: roles(read('ROLES') ?? (remote ? 'probe' : ROLES.join(','))),
    smtpUrl: smtpUrl(read('SMTP_URL')),
    mailFrom: from,
    mailName: mailName(siteUrl, from),
    privateTargets: oneOf('PRIVATE_TARGETS', read('PRIVATE_TARGETS') ?? 'allow', ['allow', 'deny']),
    privateRedirects: oneOf('PRIVATE_REDIRECTS', read('PRIVATE_REDIRECTS') ?? 'deny', ['allow', 'deny']),
    dockerSockets: sockets(read('DOCKER_SOCKETS')),
    browserPath: program(read('BROWSER_PATH')),
    browserChecks: integer('BROWSER_CHECKS', read('BROWSER_CHECKS') ?? '2', 1, 64),
    metricsToken: read('METRICS_TOKEN') ?? null,
    securityContact: securityContact(read('SECURITY_CONTACT')),
    trustedProxies: trustedProxies(read('TRUST_PROXY')),
    plans: plans(read('PLANS_FILE')),
    signup: oneOf('SIGNUP', read('SIGNUP') ?? 'closed', ['closed', 'open']),
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    apiUrls: apiUrls(read),
    oidc: oidc(read),
    remote,
  }
}

export function defaultDocsUrl(siteUrl: string): string {
  return `${siteUrl}/docs`
}

/** Warnings about names in the environment that look like a misspelt setting. */
export function misspeltVariables(environment: Environment = process.env): string[] {
  return misspelt(Object.keys(environment))
}

/** Settings of commands that call a service elsewhere. */
export function readRemoteEnvironment(environment: Environment = process.env) {
  const read = (name: string) => environment[name]?.trim() || undefined
  const url = read('UPBEAT_URL')
  const configHome = read('XDG_CONFIG_HOME')
  return {
    url: url === undefined ? null : httpUrl('UPBEAT_URL', url),
    token: read('UPBEAT_TOKEN') ?? null,
    // The XDG specification says to ignore relative paths.
    configHome: configHome && isAbsolute(configHome) ? configHome : join(homedir(), '.config'),
  }
}

/** The environment of a browser. */
export const browserEnvironment = (): Environment => handedOn(process.env)

/** A variable named in a user's file. */
export function readVariable(name: string, environment: Environment = process.env): string | undefined {
  return environment[name]
}

function integer(name: string, value: string, minimum: number, maximum: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum) return Number(value)
  throw new ConfigError(name, value, `a whole number from ${minimum} to ${maximum}`)
}

function host(value: string): string {
  if (isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value)) return value
  throw new ConfigError('HOST', value, 'an address or a host name of this machine, such as 127.0.0.1')
}

function folder(value: string | undefined): string | null {
  return value === undefined ? null : resolve(value)
}

function sockets(value: string | undefined): string[] {
  const paths = (value ?? '')
    .split(',')
    .map((path) => path.trim())
    .filter(Boolean)
  const odd = paths.find((path) => socketPathOf(`unix://${path}`) === null)
  if (odd === undefined) return paths
  throw new ConfigError('DOCKER_SOCKETS', odd, 'paths of sockets, such as /var/run/docker.sock')
}

function program(path: string | undefined): string | null {
  if (path === undefined || (isAbsolute(path) && isProgram(path))) return path ?? null
  throw new ConfigError('BROWSER_PATH', path, `the path of a program that can be run, ${SUCH_AS_CHROMIUM}`)
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === value)
  if (choice) return choice
  throw new ConfigError(name, value, `one of ${choices.join(', ')}`)
}

/** Where the services of contacts are that have one address for everybody. */
function apiUrls(read: Read): ApiUrls {
  return {
    telegramApi: httpUrl('TELEGRAM_API_URL', read('TELEGRAM_API_URL') ?? 'https://api.telegram.org'),
    pagerDutyEvents: {
      us: httpUrl('PAGERDUTY_API_URL', read('PAGERDUTY_API_URL') ?? 'https://events.pagerduty.com'),
      eu: httpUrl('PAGERDUTY_API_URL', read('PAGERDUTY_API_URL') ?? 'https://events.eu.pagerduty.com'),
    },
    pushoverApi: httpUrl('PUSHOVER_API_URL', read('PUSHOVER_API_URL') ?? 'https://api.pushover.net'),
    twilioApi: httpUrl('TWILIO_API_URL', read('TWILIO_API_URL') ?? 'https://api.twilio.com'),
  }
}

/** Pages, cookies and OAuth documents stand at fixed paths, so the service cannot be below another one yet. */
function siteAddress(value: string): string {
  const url = httpUrl('SITE_URL', value)
  const site = readSiteUrl(value)
  if (site !== null) return site
  throw new ConfigError(
    'SITE_URL',
    url,
    'an address without a path, such as https://status.example.com: Upbeat does not work below a path yet',
  )
}

function httpUrl(name: string, value: string): string {
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) {
    return value.replace(/\/+$/, '')
  }
  throw new ConfigError(name, value, 'an http or https address such as https://status.example.com')
}

function database(value: string | undefined): string | null {
  if (value === undefined) return null
  try {
    readDatabaseUrl(value)
    return value
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error
    throw new ConfigError('DATABASE_URL', hidePassword(value), error.message)
  }
}

function secret(name: string, value: string | undefined): string | null {
  if (value === undefined || value.length >= 16) return value ?? null
  throw new ConfigError(name, '(hidden)', 'at least 16 characters, for example from: openssl rand -hex 32')
}

function previousSecrets(value: string | undefined): string[] {
  const secrets = (value ?? '').split(',').map((previous) => previous.trim())
  return secrets.filter(Boolean).map((previous) => secret('SECRET_KEY_PREVIOUS', previous) as string)
}

function region(value: string | undefined): string | null {
  if (value === undefined || Region.safeParse(value).success) return value ?? null
  throw new ConfigError('REGION', value, REGION_TAKES)
}

function roles(value: string): Set<ProcessRole> {
  const named = value.split(',').map((role) => role.trim())
  return new Set(named.map((role) => oneOf('ROLES', role, ROLES)))
}

function smtpUrl(value: string | undefined): string | null {
  if (value === undefined || readSmtpUrl(value)) return value ?? null
  throw new ConfigError('SMTP_URL', hidePassword(value), SMTP_URL_TAKES)
}

/** The name in EHLO: that of the site, or of the sender's domain while the site is this machine's own. */
export function mailName(siteUrl: string, from: string): string | null {
  const names = [new URL(siteUrl).hostname, from.replace(/^.*@|>$/g, '')]
  return names.find((name) => name.includes('.') && isIP(name) === 0) ?? null
}

const OIDC_REQUIRED = {
  OIDC_ISSUER: 'the address of a provider such as https://accounts.example.com',
  OIDC_CLIENT_ID: 'the ID that the provider gave this service',
  OIDC_CLIENT_SECRET: 'the secret that the provider gave this service',
} as const

/** All three, or none. */
function oidc(read: Read): Config['oidc'] {
  const names = Object.keys(OIDC_REQUIRED) as (keyof typeof OIDC_REQUIRED)[]
  const given = names.find((name) => read(name) !== undefined)
  if (given === undefined) return null
  const [issuer, clientId, clientSecret] = names.map((name) => {
    const value = read(name)
    if (value !== undefined) return value
    throw new ConfigError(name, '', `${OIDC_REQUIRED[name]}, required with ${given}`)
  }) as [string, string, string]
  const { hostname } = issuerUrl(issuer)
  const name = read('OIDC_NAME')
  if (name !== undefined && (name.length > 50 || /\p{C}/u.test(name))) {
    throw new ConfigError('OIDC_NAME', name, 'a name of at most 50 characters, such as Example SSO')
  }
  return { issuer, clientId, clientSecret, name: name ?? hostname }
}

/** The provider vouches for people, so its responses must arrive over TLS or stay on this machine. */
function issuerUrl(value: string): URL {
  const url = URL.parse(value)
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password
  const isLocal = url && isThisMachine(url.hostname)
  if (isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) return url
  throw new ConfigError(
    'OIDC_ISSUER',
    hidePassword(value),
    `${OIDC_REQUIRED.OIDC_ISSUER}; http is for this machine only`,
  )
}

/** A remote probe does nothing else, and does not reach the database. */
function remoteService(read: Read): Config['remote'] {
  const [url, token, place] = [read('PROBE_URL'), read('PROBE_TOKEN'), read('REGION')]
  if (url === undefined && token === undefined) return null
  if (url === undefined) {
    throw new ConfigError('PROBE_URL', '', 'the address of the service, required with PROBE_TOKEN')
  }
  if (token === undefined || !/^upbp_[0-9A-Za-z]{46}$/.test(token)) {
    const got = token === undefined ? '' : '(hidden)'
    throw new ConfigError(
      'PROBE_TOKEN',
      got,
      'a token that upbeat probe create printed, required with PROBE_URL',
    )
  }
  if (place === undefined) {
    throw new ConfigError('REGION', '', 'the region that the token of PROBE_TOKEN was made for')
  }
  if (read('DATABASE_URL') !== undefined) {
    throw new ConfigError('PROBE_URL', url, 'no DATABASE_URL beside it: a remote probe reaches no database')
  }
  const asked = read('ROLES') ?? 'probe'
  if (asked !== 'probe') throw new ConfigError('ROLES', asked, 'probe alone, with PROBE_URL')
  const address = URL.parse(httpUrl('PROBE_URL', url)) as URL
  if (address.protocol !== 'https:' && !isThisMachine(address.hostname)) {
    throw new ConfigError('PROBE_URL', url, 'an https address: http is for this machine only')
  }
  return { url: httpUrl('PROBE_URL', url), token }
}

function mailFrom(value: string): string {
  const from = readMailFrom(value)
  if (from !== null) return from
  throw new ConfigError('MAIL_FROM', value, 'an e-mail address such as Upbeat <upbeat@example.com>')
}

function securityContact(value: string | undefined): string | null {
  if (value === undefined) return null
  const address = value.replace(/^mailto:/, '')
  if (/^[^\s@<>?]+@[^\s@<>?]+$/.test(address)) return `mailto:${address}`
  if (/^https:\/\/\S+$/.test(value) && URL.canParse(value)) return value
  throw new ConfigError(
    'SECURITY_CONTACT',
    value,
    'an e-mail address such as security@example.com, or an https address',
  )
}

function trustedProxies(value: string | undefined): TrustedProxies {
  if (value === undefined) return null
  if (/^\d{1,2}$/.test(value)) return { hops: Number(value) }
  const networks = value.split(',').map((network) => network.trim())
  const bad = networks.find((network) => !isNetwork(network))
  if (bad !== undefined) {
    throw new ConfigError(
      'TRUST_PROXY',
      value,
      'a number of hops, or addresses and networks such as 10.0.0.0/8',
    )
  }
  return { networks }
}

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const family = isIP(address)
  if (family === 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const MAX_PLANS_BYTES = 1_024 * 1_024

function plans(file: string | undefined): Plans {
  if (file === undefined) return DEFAULT_PLANS
  const takes = 'a readable JSON file such as {"free": {"max_monitors": 20}}'
  let content: unknown
  try {
    content = JSON.parse(readRegularFileSync(file, MAX_PLANS_BYTES).toString('utf8'))
  } catch (error) {
    throw new ConfigError('PLANS_FILE', file, `${takes} (${(error as Error).message})`)
  }
  const parsed = PlanOverrides.safeParse(content)
  if (parsed.success) return overridePlans(parsed.data)
  throw new ConfigError(
    'PLANS_FILE',
    file,
    `${takes} (${z.prettifyError(parsed.error).replaceAll('\n', ' ')})`,
  )
}
