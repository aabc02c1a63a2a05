import { DatabaseRefused } from './database-refusal.ts'
import { EmbeddedServerError } from './embedded-error.ts'

/**
 * Classes of SQLSTATE, and single ones, that say nothing of the statement: connection exceptions, too few resources
 * (connections, memory, disk), an operator's intervention (a shutdown, a time-out), and errors of the system; a
 * transaction that gave way to others, a lock that was not free, a server that takes no writes, one that has ended an
 * idle transaction, and a database that is not there.
 */
const STATES = /^(08...|53...|57...|58...|40001|40P01|55P03|25006|25P03|3D000)$/
/** No way to the server at the moment, or nothing left of what it takes to go there. */
const CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** What the driver and its pool say without a code; the last one is our own. */
const MESSAGES =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered a connection error|was closed)|the database has stopped answering)/

/** Whether an error tells of a database that is out of reach or overburdened, and not of what was asked of it. */
export function isPassingTrouble(error: unknown): boolean {
  if (error instanceof DatabaseRefused || error instanceof EmbeddedServerError) return true
  const { code, syscall, message } = (error ?? {}) as { code?: unknown; syscall?: unknown; message?: unknown }
  if (typeof code === 'string') {
    // The socket of a server that is being started again is gone for a moment; any other file that is missing is a bug.
    return STATES.test(code) || CODES.has(code) || (code === 'ENOENT' && syscall === 'connect')
  }
  return typeof message === 'string' && MESSAGES.test(message)
}
