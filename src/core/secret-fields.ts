const KNOWN = ['password', 'current_password', '(\\w+_)?token', '\\w+_key', 'account_sid']

let hidden = matching(KNOWN)
const patterns = new Set(KNOWN)

/**
 * Hides the values of more fields in messages, by patterns of their paths. The schema of a field says so where it is made:
 * messages then depend on no schema, which the start of the dashboard would have to load.
 */
export function hideFields(more: readonly string[]): void {
  for (const pattern of more) patterns.add(pattern)
  hidden = matching([...patterns])
}

/** Whether the value of a field, such as `options.tls.client_key`, never appears in a message. */
export function isHidden(field: string): boolean {
  return hidden.test(field)
}

/** At any depth. */
function matching(all: readonly string[]): RegExp {
  return new RegExp(`(^|\\.)(${all.join('|')})$`)
}
