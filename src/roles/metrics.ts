import { readPackageVersion } from '../api-version.ts'
import type { Backlog } from '../core/alerting/backlog.ts'
import type { MetricFamily } from '../core/exposition.ts'
import { instanceFamilies, remoteInstanceFamilies } from '../metrics/instance.ts'
import { type Level, levelFamilies, poolLevels } from '../metrics/levels.ts'
import { watchLoopDelay } from '../metrics/loop-delay.ts'
import type { Meter } from '../metrics/meter.ts'
import { processFamilies } from '../metrics/process.ts'
import type { Tally } from '../metrics/tally.ts'
import type { LiveStreams } from '../operations/live-streams.ts'
import { readBacklog } from '../store/alerting/backlog.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from './engine.ts'

const SAMPLE_EVERY_MS = 1_000
/** The database is queried no more often, however many readers there are, and they wait for it no longer. */
const BACKLOG_FRESH_MS = 5_000
const BACKLOG_TIMEOUT_MS = 2_000

export type Metering = { read(): Promise<MetricFamily[]>; close(): void }

/** Wires `/metrics` of any role: figures of this process and of the work that waits. */
export function startMetering(
  meter: Meter,
  { db }: Store,
  engine: Engine,
  live: LiveStreams,
  onTrouble: (error: unknown) => void,
): Metering {
  const version = readPackageVersion()
  const delay = observeLoopDelay(meter.tally)
  const backlog = keepFresh(() => inTime(readBacklog(db)).catch(noteTrouble))

  function noteTrouble(error: unknown): null {
    onTrouble(error)
    return null
  }

  function ownLevels(): Level[] {
    const findings = Object.values(engine.recorders).reduce((sum, { waiting }) => sum + waiting, 0)
    const waiting = { name: 'waiting', labels: { thread: 'main' }, value: findings } as const
    const watched = { name: 'scheduled', labels: {}, value: engine.leader?.watched ?? 0 } as const
    const troubled = engine.loops
      .read()
      .map(({ name, seconds }): Level => ({ name: 'loopTrouble', labels: { loop: name }, value: seconds }))
    return [waiting, watched, ...troubled, ...poolLevels('main', [db.pool, db.pipelined])]
  }

  return {
    async read() {
      const known = await backlog()
      const threads = meter.threads()
      const facts = {
        version,
        leading: engine.leader?.leading ?? false,
        checkingThreads: threads.count,
        liveStreams: live.size,
        recording: engine.recordingTrouble() === null,
        backlog: known,
      }
      return [
        ...instanceFamilies(facts),
        ...meter.tally.families(),
        ...levelFamilies([...ownLevels(), ...threads.levels]),
        ...processFamilies(),
      ]
    },
    close: delay.close,
  }
}

/** The same for a remote probe, which has no database to query. */
export function startRemoteMetering(
  tally: Tally,
  read: () => { isReached: boolean; dropped: number; levels: Level[] },
): Metering {
  const version = readPackageVersion()
  const delay = observeLoopDelay(tally)
  return {
    async read() {
      const { levels, ...facts } = read()
      return [
        ...remoteInstanceFamilies({ version, ...facts }),
        ...tally.families(),
        ...levelFamilies(levels),
        ...processFamilies(),
      ]
    },
    close: delay.close,
  }
}

function observeLoopDelay(tally: Tally): { close(): void } {
  const delay = watchLoopDelay()
  const clock = setInterval(() => {
    tally.observe('loopDelay', ['main'], delay.longestSeconds())
  }, SAMPLE_EVERY_MS).unref()
  return {
    close() {
      clearInterval(clock)
      delay.close()
    },
  }
}

/** Asks anew when the last answer is old; calls that come meanwhile share the answer. */
function keepFresh(ask: () => Promise<Backlog | null>): () => Promise<Backlog | null> {
  let askedAtMs = Number.NEGATIVE_INFINITY
  let answer: Promise<Backlog | null> = Promise.resolve(null)
  return () => {
    const nowMs = performance.now()
    if (nowMs - askedAtMs >= BACKLOG_FRESH_MS) {
      askedAtMs = nowMs
      answer = ask()
    }
    return answer
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error('the database does not say what is to be done')),
    BACKLOG_TIMEOUT_MS,
  )
  work.catch(() => {})
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
