/** What a service's answer says in its body; null where it leaves the HTTP answer to speak for itself. */
export type Reading = {
  statusCode: number | null
  detail: string | null
  retryAfterSeconds: number | null
}

export const NOTHING_READ: Reading = { statusCode: null, detail: null, retryAfterSeconds: null }

/** The body as JSON; null when it is not, or was cut off. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** A member of a JSON object; undefined when there is none, or no object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** A wait in whole seconds, rounded up; null for anything but a number that is one. */
export function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? Math.ceil(value) : null
}
