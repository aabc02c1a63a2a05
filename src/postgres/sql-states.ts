/**
 * An error of a statement says whether it may be tried again. `passing`: it may work later, as it is. `session`: on another
 * connection. `data`: not with these values. `lasting`: not with this schema, or as this user.
 */
export type StatementFault = 'passing' | 'session' | 'data' | 'lasting'

/** The faults by SQLSTATE, or by its class, the first two characters. One that is missing here is taken for passing. */
const FAULTS: Record<string, StatementFault> = {
  // The number of rows that a statement met, values, constraints, limits of a row.
  '21': 'data',
  '22': 'data',
  '23': 'data',
  '44': 'data',
  '54': 'data',
  // Something that a statement names is not there, has another form, or is not allowed.
  '0A': 'lasting',
  '2B': 'lasting',
  '2F': 'lasting',
  '38': 'lasting',
  '39': 'lasting',
  '3F': 'lasting',
  '42': 'lasting',
  P0: 'lasting',
  // A prepared statement whose table has changed, or that a pooler has forgotten or knows twice.
  '0A000': 'session',
  '26000': 'session',
  '34000': 'session',
  '42P03': 'session',
  '42P05': 'session',
}

/** Errors of our own code; the driver reports lost connections as plain errors. */
const BUGS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'ZodError'])
const SQLSTATE = /^[0-9A-Z]{5}$/

export function faultOf(error: unknown): StatementFault {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' && SQLSTATE.test(code))
    return FAULTS[code] ?? FAULTS[code.slice(0, 2)] ?? 'passing'
  return BUGS.has(String(name)) ? 'data' : 'passing'
}

/** People read the message with its SQLSTATE. */
export function reasonOfFault(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const text = typeof message === 'string' ? message : String(error)
  return typeof code === 'string' && SQLSTATE.test(code) ? `${text} (${code})` : text
}

/** Faults of two transactions that met: a row that one refers to is gone by now, or each waits for the other. */
const CLASHES = new Set(['23503', '40001', '40P01'])

/** Whether the statement failed, and its transaction with it, because of what another one did at the same moment. */
export function isClash(error: unknown): boolean {
  return CLASHES.has(String((error as { code?: unknown } | null)?.code))
}

/** A value that one row alone may have, and a row that another one refers to. */
const TAKEN = new Set(['23505', '23503'])

/** Whether a row cannot be written as it is because of what others are by now. */
export function isTaken(error: unknown): boolean {
  return TAKEN.has(String((error as { code?: unknown } | null)?.code))
}
