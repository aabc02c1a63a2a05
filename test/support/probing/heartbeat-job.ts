import assert from 'node:assert/strict'
import type { AskedService } from '../services/asked-service.ts'
import { ask } from '../services/http.ts'
import { clientAddress } from '../sign-in/cookie-browser.ts'

/** A job that a heartbeat monitor waits for: calls its address, or one below. */
export type Job = (below?: string) => Promise<void>

export function jobOf({ url }: AskedService, { heartbeat_token: token }: { heartbeat_token: string }): Job {
  const headers = { 'x-forwarded-for': clientAddress() }
  return async (below = '') => {
    const { status } = await ask(`${url}/ping/${token}${below}`, { headers })
    assert.equal(status, 204)
  }
}
