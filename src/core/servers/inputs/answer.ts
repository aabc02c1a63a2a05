/** The answer to a sender, in the words of its protocol. */
export type InputAnswer = {
  status: number
  headers: Record<string, string>
  body: Uint8Array | string | null
}

/** Why a request, or a part of it, was not taken. `retryAfterSeconds`: it may be sent again then. */
export type InputRefusal = {
  status: 400 | 404 | 409 | 413 | 415 | 429 | 500 | 503
  detail: string
  retryAfterSeconds?: number
}

/** The part of a request that was not taken. */
export type Rejected = { count: number; why: string }

export function retryAfter({ retryAfterSeconds }: InputRefusal): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterSeconds)) }
}
