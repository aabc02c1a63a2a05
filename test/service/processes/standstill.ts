import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type PausedJob, startPausedJob, untilInTime } from '../../support/probing/paused-job.ts'
import { trySignal } from '../../support/processes.ts'
import { deliveriesOf } from '../../support/records/delivery-log.ts'
import { keptChecks } from '../../support/records/recorded-checks.ts'
import { type Scope, suiteScope } from '../../support/scope.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import { startHttp } from '../../support/servers/targets.ts'
import type { TestService } from '../../support/services/service.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

/** A check has this at the first try. */
const TIMEOUT_MS = 2_000
/** A service that stands still for more than 3 s is forgiven by other means. */
const MAX_ROOM = 2
/** A pause outlasts the time that a check has by this: that is no ordinary lateness. */
const PAST_TIMEOUT_MS = 400
/** No two clocks agree to better than this. */
const CLOCKS_DIFFER_MS = 50
const ANSWERED = 'up: null'
/** Checked once. */
const HOUR = { check_interval_minutes: 60, check_interval_seconds: null }

/** A target that is being checked when the service is stopped. */
type Asked = {
  id: number
  askedMs: number
  /** Answers what was asked first. */
  answer(): void
  /** When the system had that answer; 0 where it has none. */
  answeredMs(): number
  /** Whether it has, or nobody is there to be answered any more. */
  isOver(): boolean
}

export function describeStandstill(serviceOf: () => TestService): void {
  describe('a service that stood still', () => {
    const scope = suiteScope()
    let service: TestService
    let client: TeamClient
    let watched: number
    let late: Asked
    let answering: Asked
    let job: PausedJob

    before(async () => {
      service = serviceOf()
      client = await teamClient(service)
      const steady = await startSwitchTarget(scope)
      watched = (await client.monitor({ url: steady.url })).id
      await client.untilStatus(watched, 'up')
      await untilInTime(MAX_ROOM, async (room) => (await pauseInTime(room)) || null)
    })

    /**
     * Has two checks run out of time and a job be late while the service stands still: one is answered meanwhile, the
     * other afterwards. False when that did harm, and one of them had got that far before, or the machine was too slow
     * afterwards: nothing can be said of the service then.
     */
    async function pauseInTime(room: number): Promise<boolean> {
      const timeoutMs = TIMEOUT_MS * room
      ;[late, answering, job] = await Promise.all([
        startAsked(scope, client, timeoutMs),
        startAsked(scope, client, timeoutMs),
        startPausedJob(service, client, room),
      ])
      await job.ping()
      const lastAskedMs = Math.max(late.askedMs, answering.askedMs)
      await until('the deadlines to be near', () => Date.now() > lastAskedMs + timeoutMs / 2)
      const { stoppedMs, resumedMs } = await standStill(async () => {
        answering.answer()
        await job.pingIntoPause()
        await until(
          'the time of all to be up',
          () =>
            Date.now() > lastAskedMs + timeoutMs + PAST_TIMEOUT_MS && job.isOverdue() && answering.isOver(),
        )
      })
      late.answer()
      await until('the late answer to be on its way', () => late.isOver)
      const pingedInTime = await job.wasInTime(resumedMs)
      const begun = await Promise.all([late, answering].map(({ id }) => beganMs(id)))
      const checkedInTime =
        begun.every((ms) => stoppedMs < ms + timeoutMs - CLOCKS_DIFFER_MS) &&
        answering.answeredMs() > 0 &&
        late.answeredMs() > 0 &&
        late.answeredMs() < resumedMs + PAST_TIMEOUT_MS
      return pingedInTime && (checkedInTime || (await areUnharmed()))
    }

    async function areUnharmed(): Promise<boolean> {
      const said = await Promise.all([late, answering].map(({ id }) => sayings(id)))
      return said.flat().every((saying) => saying === ANSWERED)
    }

    /** Stops the whole process meanwhile, as a suspended machine or a starved container does. */
    async function standStill(meanwhile: () => Promise<void>) {
      process.kill(service.pid, 'SIGSTOP')
      const stoppedMs = Date.now()
      try {
        await meanwhile()
      } finally {
        trySignal(service.pid, 'SIGCONT')
      }
      return { stoppedMs, resumedMs: Date.now() }
    }

    /** When the first check of a monitor began, by the clock of the service. */
    async function beganMs(id: number): Promise<number> {
      return Date.parse((await client.untilChecks(id, 1)).at(-1)?.checked_at ?? '')
    }

    const sayings = async (id: number) =>
      (await keptChecks(service, id)).map(({ status, error_message }) => `${status}: ${error_message}`)

    it('judges no target by it, and listens on for what it missed', async () => {
      assert.deepEqual(new Set(await sayings(late.id)), new Set([ANSWERED]))
      for (const monitor of [late.id, watched]) {
        assert.deepEqual([await client.incidents(monitor), await deliveriesOf(service, monitor)], [[], []])
      }
    })

    it('takes an answer that came meanwhile for what it is', async () => {
      assert.deepEqual(new Set(await sayings(answering.id)), new Set([ANSWERED]))
    })

    it('does not find a job late whose ping came in time', async () => {
      await client.untilStatus(job.monitorId, 'down')
      assert.deepEqual(
        (await keptChecks(service, job.monitorId)).slice(0, 3).map(({ status }) => status),
        ['up', 'up', 'down'],
        'late only when the second ping is followed by none',
      )
    })
  })
}

/** A monitor of a target that has just been asked, and has not answered. */
async function startAsked(scope: Scope, client: TeamClient, timeoutMs: number): Promise<Asked> {
  let requests = 0
  let answer = () => {}
  let [askedMs, answeredMs] = [0, 0]
  let isClosed = false
  const { port } = await startHttp(scope, (_, response) => {
    if (++requests > 1) return void response.end()
    askedMs = Date.now()
    response.once('close', () => {
      isClosed = true
    })
    answer = () =>
      response.end(() => {
        answeredMs = Date.now()
      })
  })
  const { id } = await client.monitor({
    ...HOUR,
    url: `http://127.0.0.1:${port}/`,
    request_timeout_seconds: timeoutMs / 1_000,
  })
  await until('the check to be under way', () => requests === 1)
  return {
    id,
    askedMs,
    answer: () => answer(),
    answeredMs: () => answeredMs,
    isOver: () => answeredMs > 0 || isClosed,
  }
}
