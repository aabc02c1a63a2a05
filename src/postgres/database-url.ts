import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type pg from 'pg'
import { readRegularFileSync } from '../files/regular-file.ts'

const DEFAULT_PORT = 5432
const MAX_HOSTS = 16
const DEFAULT_CONNECT_SECONDS = 10
const MAX_CONNECT_SECONDS = 60
const MAX_NAME_LENGTH = 40
const EXAMPLE = 'postgres://user:password@host:5432/database'

const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
const SESSION_ATTRIBUTES = ['read-write', 'primary']
const CHANNEL_BINDINGS = ['disable', 'prefer', 'require']
const PARAMETERS = [
  'application_name',
  'channel_binding',
  'connect_timeout',
  'host',
  'options',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'target_session_attrs',
] as const
type Parameter = (typeof PARAMETERS)[number]

export type Host = { host: string; port: number }

/** The modes of libpq, with the contents of the files that the URL names. */
export type Tls = {
  mode: Exclude<(typeof TLS_MODES)[number], 'disable'>
  ca?: string
  cert?: string
  key?: string
}

/** Location and credentials of a database, as plain data that can be passed to threads. */
export type DatabaseAddress = Host & {
  /** Further servers; the one that accepts writes is used. */
  others?: Host[]
  /** Empty: the driver takes user and database from PGUSER and the like. */
  user: string
  password?: string
  database: string
  tls?: Tls
  options?: string
  channelBinding?: boolean
  connectTimeoutMs?: number
  applicationName?: string
}

/** The message completes a sentence that starts with the setting's name: "… takes MESSAGE". */
export class InvalidDatabaseUrl extends Error {}

/**
 * Parses a PostgreSQL connection URI (libpq, "Connection URIs") and reads the files it names. Throws
 * InvalidDatabaseUrl.
 */
export function readDatabaseUrl(url: string): DatabaseAddress {
  const [, userinfo, place, path, query] =
    /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url) ?? []
  if (place === undefined) throw new InvalidDatabaseUrl(EXAMPLE)
  const parameters = readParameters(query ?? '')
  const hosts = readHosts(parameters.host ? withHosts(place, parameters.host) : place)
  const [first, ...others] = hosts
  if (!first) throw new InvalidDatabaseUrl(EXAMPLE)
  const [user, password] = readUserinfo(userinfo)
  const tls = readTls(parameters, hosts)
  // We always need a writable server, but URLs shared with other programs may contain the parameter.
  oneOf(parameters, 'target_session_attrs', SESSION_ATTRIBUTES, 'read-write')
  return {
    ...first,
    ...(others.length > 0 && { others }),
    user,
    ...(password !== undefined && { password }),
    database: decode(path ?? '') || user,
    ...(tls && { tls }),
    ...(parameters.options && { options: parameters.options }),
    ...(oneOf(parameters, 'channel_binding', CHANNEL_BINDINGS, 'disable') !== 'disable' && {
      channelBinding: true,
    }),
    connectTimeoutMs: readTimeout(parameters.connect_timeout) * 1_000,
    applicationName: readName(parameters.application_name),
  }
}

/** A URL without its password, for messages. */
export function hidePassword(url: string): string {
  return url.replace(/\/\/([^:@/]*):.*@/, '//$1:***@')
}

/** The driver's configuration; `part` names the purpose of the connection in the server's list. */
export function clientConfig(address: DatabaseAddress, part = ''): pg.ClientConfig {
  const { host, port, user, password, database, options, channelBinding } = address
  const name = address.applicationName ?? 'upbeat'
  return {
    host,
    port,
    user: user || undefined,
    password,
    database: database || undefined,
    options,
    enableChannelBinding: channelBinding ?? false,
    ssl: tlsOptions(address.tls),
    application_name: part ? `${name} ${part}` : name,
    connectionTimeoutMillis: connectTimeoutMs(address),
    // Keep-alive lets a connection that only listens notice that the server is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  }
}

export function connectTimeoutMs({ connectTimeoutMs }: DatabaseAddress): number {
  return connectTimeoutMs ?? DEFAULT_CONNECT_SECONDS * 1_000
}

function tlsOptions(tls: Tls | undefined): ConnectionOptions | false {
  if (!tls) return false
  const { mode, ca, cert, key } = tls
  const verifies = mode === 'verify-full' || mode === 'verify-ca' || ca !== undefined
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: verifies,
    ...(verifies && mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

function readParameters(query: string): Partial<Record<Parameter, string>> {
  const read: Partial<Record<Parameter, string>> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    if (!PARAMETERS.includes(name as Parameter)) {
      throw new InvalidDatabaseUrl(`only the parameters ${PARAMETERS.join(', ')}, not ${name}`)
    }
    if (value !== '') read[name as Parameter] = value
  }
  return read
}

/** `?host=/run/postgresql` names a socket's directory, since the authority of a URI cannot contain slashes. */
function withHosts(place: string, host: string): string {
  const port = /:(\d+)$/.exec(place)?.[1]
  return host
    .split(',')
    .map((one) => encodeURIComponent(one) + (port ? `:${port}` : ''))
    .join()
}

function readHosts(place: string): Host[] {
  const hosts = (place || 'localhost').split(',').map((one) => {
    const [, address, name, port] = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(one) ?? []
    const host = address ?? decode(name ?? '')
    const number = Number(port ?? DEFAULT_PORT)
    if (!host || number < 1 || number > 65_535) {
      throw new InvalidDatabaseUrl(`${EXAMPLE}, or several hosts as in host1:5432,host2:5432`)
    }
    return { host, port: number }
  })
  if (hosts.length > MAX_HOSTS) throw new InvalidDatabaseUrl(`at most ${MAX_HOSTS} hosts`)
  return hosts
}

function readUserinfo(userinfo: string | undefined): [user: string, password?: string] {
  const [user = '', ...rest] = (userinfo ?? '').split(':')
  return rest.length > 0 ? [decode(user), decode(rest.join(':'))] : [decode(user)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new InvalidDatabaseUrl(`${EXAMPLE}, with % in any part written as %25`)
  }
}

function readTls(parameters: Partial<Record<Parameter, string>>, hosts: Host[]): Tls | null {
  const { sslrootcert, sslcert, sslkey } = parameters
  const trusted = sslrootcert !== undefined
  const mode = oneOf(parameters, 'sslmode', TLS_MODES, trusted ? 'verify-full' : 'prefer')
  // PostgreSQL does not use TLS on Unix sockets.
  if (mode === 'disable' || hosts.every(({ host }) => host.startsWith('/'))) return null
  if (mode === 'verify-ca' && (!trusted || sslrootcert === 'system')) {
    throw new InvalidDatabaseUrl('sslmode=verify-ca with sslrootcert=FILE, or sslmode=verify-full')
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new InvalidDatabaseUrl('sslcert and sslkey together')
  }
  return {
    mode: mode === 'require' && trusted && sslrootcert !== 'system' ? 'verify-ca' : mode,
    ...(sslrootcert !== undefined && sslrootcert !== 'system' && { ca: readPem('sslrootcert', sslrootcert) }),
    ...(sslcert !== undefined && { cert: readPem('sslcert', sslcert) }),
    ...(sslkey !== undefined && { key: readPem('sslkey', sslkey) }),
  }
}

/** Enough for every certificate authority there is. */
const MAX_PEM_BYTES = 16 * 1_024 * 1_024

function readPem(parameter: Parameter, file: string): string {
  let text: string
  try {
    text = readRegularFileSync(file, MAX_PEM_BYTES).toString('utf8')
  } catch (error) {
    throw new InvalidDatabaseUrl(`${parameter} of a readable PEM file (${(error as Error).message})`)
  }
  if (text.includes('-----BEGIN ')) return text
  throw new InvalidDatabaseUrl(`${parameter} of a PEM file, which ${file} is not`)
}

function oneOf<T extends string>(
  parameters: Partial<Record<Parameter, string>>,
  name: Parameter,
  choices: readonly T[],
  preset: T,
): T {
  const value = parameters[name] ?? preset
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) throw new InvalidDatabaseUrl(`${name} one of ${choices.join(', ')}, not ${value}`)
  return choice
}

function readTimeout(value: string | undefined): number {
  const seconds = Number(value ?? DEFAULT_CONNECT_SECONDS)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_CONNECT_SECONDS) return seconds
  throw new InvalidDatabaseUrl(
    `connect_timeout in whole seconds from 1 to ${MAX_CONNECT_SECONDS}, not ${value}`,
  )
}

/** PostgreSQL truncates names at 63 bytes, and we append the purpose of the connection. */
function readName(value = 'upbeat'): string {
  if (/^[\x20-\x7e]+$/.test(value) && value.length <= MAX_NAME_LENGTH) return value
  throw new InvalidDatabaseUrl(`application_name of at most ${MAX_NAME_LENGTH} ASCII characters`)
}

export function describeHost({ host, port }: Host): string {
  if (host.startsWith('/')) return host
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
