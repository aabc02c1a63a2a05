/** The details in a service's response body; null where the HTTP response alone decides. */
export type ResponseDetails = {
  statusCode: number | null
  detail: string | null
  retryAfterSeconds: number | null
  /** The receiver's own name of the message. */
  receipt?: string
  /** Keys of the contact's config, as its service says that they are from now on. */
  moved?: Record<string, string>
}

export const NO_DETAILS: ResponseDetails = { statusCode: null, detail: null, retryAfterSeconds: null }

/** Parses the body as JSON; null if it is not JSON or was cut off. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** A member of a JSON object; undefined if there is no such member or no object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** A wait in whole seconds, rounded up; null unless the value is a non-negative number. */
export function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? Math.ceil(value) : null
}
