import { setTimeout as delay } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { createGuardedProbes } from '../../src/roles/thread-checks.ts'
import { settingsFor } from '../../test/support/servers/targets-settings.ts'
import { bareRequest } from '../support/bare-request.ts'

/** A process with the flags of the service that makes checks, or bare requests, one after the other. */
export type PromotionOrder = { kind: 'checks' | 'bare'; url: string; authority: string }

const WARM_UP = 1_000
const MEASURED = 1_000
const PAUSE_MS = 4
const LIMIT_SECONDS = 30
const OLD_SPACES = ['old_space', 'large_object_space', 'trusted_space']

process.once('message', async ({ kind, url, authority }: PromotionOrder) => {
  const work = kind === 'bare' ? bareRequest(url, authority) : checks(url, authority)
  for (let done = 0; done < WARM_UP; done++) await work()
  let left = 0
  for (let done = 0, before = oldBytes(); done < MEASURED; done++) {
    await work()
    await delay(PAUSE_MS)
    const now = oldBytes()
    // Less than before where V8 has collected that part of the heap.
    left += Math.max(0, now - before)
    before = now
  }
  process.send?.(left / MEASURED, () => process.exit())
})

function checks(url: string, authority: string) {
  const looking = createGuardedProbes(readConfig({}), createLog('warn', false), () => {}, {
    authorities: [authority],
  })
  const settings = settingsFor('http', { url, request_timeout_seconds: LIMIT_SECONDS })
  const never = new AbortController().signal
  return async () => {
    const { status, errorMessage } = await looking.probe(settings, never)
    if (status !== 'up') throw new Error(`a check of the target was ${status}: ${errorMessage}`)
  }
}

function oldBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => OLD_SPACES.includes(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
}
