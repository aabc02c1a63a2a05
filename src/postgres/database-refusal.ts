import { type DatabaseAddress, describeHost, type Host } from './database-url.ts'

/** Why a database cannot be used and how to fix it, as a sentence for the operator. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused'
}

const REASONS: Record<string, string | ((address: DatabaseAddress) => string)> = {
  ECONNREFUSED: 'connection refused: is it running, and does it listen there?',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be looked up at the moment',
  ENOENT: 'there is no socket of a server there',
  EACCES: 'the socket may not be used by this user of the system',
  EHOSTUNREACH: 'no way to that host',
  ENETUNREACH: 'no way to that network',
  ETIMEDOUT: 'no answer in time',
  ECONNRESET: 'it has ended the connection',
  EPIPE: 'it has ended the connection',
  '28P01': ({ user }) => `the password of ${user || 'the default user'} is wrong`,
  '28000': ({ user }) =>
    `${user || 'the default user'} is not let in (pg_hba.conf, or there is no such user)`,
  '3D000': ({ database, user }) =>
    `there is no database ${database || user}: CREATE DATABASE upbeat OWNER upbeat ENCODING 'UTF8' TEMPLATE template0`,
  '53300': 'it has no connection left: raise max_connections, or lower DATABASE_CONNECTIONS',
  '57P01': 'it has ended the connection',
  '57P02': 'it has ended the connection',
  '57P03': 'it is starting or stopping',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself: name it as sslrootcert',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is from an unknown authority: name that as sslrootcert',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is from an unknown authority: name that as sslrootcert',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is from an unknown authority: name that as sslrootcert',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
}

/** The driver reports these without a code. */
const MESSAGES: [said: RegExp, reason: string][] = [
  [/does not support SSL/, 'it has no TLS, which sslmode asks for'],
  [/timeout|has stopped answering/, 'no answer in time'],
  [/^Connection terminated|not queryable/, 'it has ended the connection'],
]

/** Describes a failed connection for the operator; unknown errors keep the driver's message. */
export function unreachable(error: unknown, address: DatabaseAddress, host: Host = address): DatabaseRefused {
  if (error instanceof DatabaseRefused) return error
  return new DatabaseRefused(
    `cannot use PostgreSQL at ${describeHost(host)} as ${address.user || 'the default user'}: ${reasonOf(error, address)}`,
    { cause: error },
  )
}

export function reasonOf(error: unknown, address: DatabaseAddress): string {
  return knownReason(error, address) ?? causeOf(error).message.replaceAll(/\s*\n\s*/g, ' ')
}

/** The calls of the system that a connection makes. */
const OF_CONNECTIONS = /^(?:connect|read|write|getaddrinfo)$/

/**
 * Waits for work that talks to no other server. Where its connection is lost meanwhile, the error says which server is
 * meant, as it does when a connection cannot be made; every other error, such as that of a file, stays what it is.
 */
export async function namingServer<T>(address: DatabaseAddress, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { syscall } = (error ?? {}) as NodeJS.ErrnoException
    const isOfConnection = syscall === undefined || OF_CONNECTIONS.test(syscall)
    throw isOfConnection && knownReason(error, address) !== null ? unreachable(error, address) : error
  }
}

/** Null for an error that is not about the connection. */
function knownReason(error: unknown, address: DatabaseAddress): string | null {
  if (error instanceof DatabaseRefused || !(error instanceof Error)) return null
  const { code = '', message } = causeOf(error)
  const reason = REASONS[code]
  if (typeof reason === 'function') return reason(address)
  // An answer of the server has a code; its words may be about a timeout of a statement.
  if (reason !== undefined || code !== '') return reason ?? null
  return MESSAGES.find(([said]) => said.test(message))?.[1] ?? null
}

/** Node reports one error per address of a name. */
function causeOf(error: unknown): Error & { code?: string } {
  const failure = error as Error & { errors?: Error[] }
  return failure.errors?.at(-1) ?? failure
}
