import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { deadline } from '../../../src/core/monitors/heartbeat.ts'
import { SILENCE_RETRY_MS } from '../../../src/engine/probing/check-once.ts'
import { keptChecks } from '../records/recorded-checks.ts'
import type { TestService } from '../services/service.ts'
import type { TeamClient } from '../services/team-client.ts'
import { until } from '../until.ts'

/** The interval of a job at the first try. */
const INTERVAL_SECONDS = 2
/** A pause outlasts the deadline by this, so that nobody could have looked in time. */
const PAST_DEADLINE_MS = 600

/** A job whose last ping is sent in time, into a pause in which nobody can write it down before the deadline. */
export type PausedJob = {
  monitorId: number
  /** Pings; resolves when the ping is written down. */
  ping(): Promise<void>
  /** Sends the last ping; resolves as soon as the system has it. */
  pingIntoPause(): Promise<void>
  /** Whether at most this part of the interval is left until the deadline. */
  isNear(part: number): boolean
  /** Whether the pause has lasted for long enough. */
  isOverdue(): boolean
  /**
   * After a pause: whether all pings were sent in time, and the last one was written down before the service looked for
   * it again, unless that did no harm. A slow machine misses that, and nothing can be said of the service then.
   */
  wasInTime(resumedMs: number): Promise<boolean>
}

/**
 * Tries until what is paused was paused in time, with more room each time, as the machine needs it: `room` is 1 at first,
 * then grows to `maxRoom`, and what has to be in time lasts that many times as long.
 */
export function untilInTime<T>(maxRoom: number, attempt: (room: number) => Promise<T | null>) {
  let room = 1
  return until('a pause in time', () => {
    const attempted = attempt(room)
    room = Math.min(room * 1.5, maxRoom)
    return attempted
  })
}

/** `room`: how many times as long as usual its interval is. */
export async function startPausedJob(
  service: TestService,
  client: TeamClient,
  room: number,
): Promise<PausedJob> {
  const intervalSeconds = Math.round(INTERVAL_SECONDS * room)
  const { id, heartbeat_token } = await client.monitor({
    type: 'heartbeat',
    check_interval_seconds: intervalSeconds,
  })
  const url = `${service.url}/ping/${heartbeat_token}`
  let answeredMs = 0
  let sentMs = 0
  let lastAnswer = Promise.resolve(0)
  /** The service wrote this one down; it is 0 when it had found the job late already. */
  let deadlineMs = 0

  async function send() {
    const request = http.request(url, { method: 'POST', agent: false })
    const sent = once(request, 'finish')
    const answered = once(request, 'response').then(([response]: IncomingMessage[]) => {
      assert.equal(response?.resume().statusCode, 204)
      return Date.now()
    })
    request.end()
    await sent
    return { answered }
  }

  /** Before the last ping. */
  async function wasFoundLate(): Promise<boolean> {
    const statuses = (await keptChecks(service, id)).map(({ status }) => status)
    return statuses.slice(0, statuses.lastIndexOf('up')).includes('down')
  }

  const leftMs = () => answeredMs + intervalSeconds * 1_000 - Date.now()

  return {
    monitorId: id,
    async ping() {
      answeredMs = await (await send()).answered
      const checks = await keptChecks(service, id)
      const isLate = checks.some(({ status }) => status === 'down')
      deadlineMs = isLate ? 0 : deadline(new Date(checks.at(-1)?.checked_at ?? 0), intervalSeconds).getTime()
    },
    async pingIntoPause() {
      lastAnswer = (await send()).answered
      sentMs = Date.now()
    },
    isNear: (part) => leftMs() < part * intervalSeconds * 1_000,
    isOverdue: () => leftMs() < -PAST_DEADLINE_MS,
    async wasInTime(resumedMs) {
      const isQuick = (await lastAnswer) - resumedMs < SILENCE_RETRY_MS
      return sentMs < deadlineMs && (isQuick || !(await wasFoundLate()))
    },
  }
}
