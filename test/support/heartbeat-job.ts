import assert from 'node:assert/strict'
import type { AskedService } from './asked-service.ts'
import { clientAddress } from './browser.ts'
import { until } from './until.ts'

/** A job that a heartbeat monitor waits for: calls its address, or one below. */
export type Job = (below?: string) => Promise<void>

export function jobOf({ url }: AskedService, { heartbeat_token: token }: { heartbeat_token: string }): Job {
  const headers = { 'x-forwarded-for': clientAddress() }
  return async (below = '') => {
    const { status } = await fetch(`${url}/ping/${token}${below}`, { headers })
    assert.equal(status, 204)
  }
}

/** Has a job come again and again until a command has ended. */
export async function whilePinging<T>(ping: Job, running: Promise<T>): Promise<T> {
  let ended = false
  const ran = running.finally(() => {
    ended = true
  })
  await until('the command has ended', async () => ended || (await ping()))
  return await ran
}
