import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Scope } from '../scope.ts'
import { until } from '../until.ts'
import { watchLoop } from './standstill-watch.ts'

const WATCH = pathToFileURL(join(import.meta.dirname, 'standstill-watch.ts'))
const ASK_EVERY_MS = 100
/** A database that has nothing else to do says 1 in less. */
const MIN_ANSWER_MS = 5
/** Shorter pauses are normal: garbage is collected, a schedule is read. */
const STANDSTILL_MS = 50

type Span = { fromMs: number; toMs: number }

/** The log that a process keeps of its own standstills. */
export type StandstillLog = {
  /** The environment variables that make a process keep this log. */
  environment: Record<string, string>
  /** Counts what is in it from now on: until then the process starts, or is stopped by the test. */
  count(): void
  /** The process is gone: what it wrote is still counted. */
  end(): void
  /** The longest standstill of this process since a moment, in milliseconds. */
  longestMs(sinceMs: number): number
}

export type Standstills = {
  logOfProcess(): StandstillLog
  /**
   * Waits for the logs of all counted processes up to a moment, this one and the database included. The function it
   * resolves to gives the milliseconds between two moments in which at least one of them stood still: a test must not
   * blame the service for those. A test that asks how long something took passes 0 as `shortestMs`, because many short
   * pauses of a busy machine delay it as much as a long one.
   */
  until(toMs: number): Promise<(fromMs: number, toMs: number, shortestMs?: number) => number>
}

/** Watches everybody who has to run for checks to be in time; `ask` puts a question to the database, if that is one. */
export function watchStandstills(scope: Scope, ask: () => Promise<unknown> = async () => {}): Standstills {
  const folder = mkdtempSync(join(tmpdir(), 'upbeat-standstills-'))
  const own: Span[] = []
  const logs: { file: string; countsFromMs: number; ended: boolean }[] = []
  const note = (fromMs: number, toMs: number) => void own.push({ fromMs, toMs })
  const loop = watchLoop(note)
  const stop = new AbortController()
  let answeredMs = Date.now()
  const asking = (async () => {
    while (!stop.signal.aborted) {
      const askedMs = Date.now()
      await ask()
      answeredMs = Date.now()
      if (answeredMs - askedMs >= MIN_ANSWER_MS) note(askedMs, answeredMs)
      await delay(ASK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  scope.after(async () => {
    clearInterval(loop)
    stop.abort()
    await asking
    rmSync(folder, { recursive: true })
  })

  return {
    logOfProcess() {
      const file = join(folder, String(logs.length))
      const log = { file, countsFromMs: Number.POSITIVE_INFINITY, ended: false }
      logs.push(log)
      const url = new URL(WATCH)
      url.searchParams.set('log', file)
      return {
        environment: { NODE_OPTIONS: `--import ${url}` },
        count() {
          log.countsFromMs = Date.now()
        },
        end() {
          log.ended = true
        },
        longestMs(sinceMs) {
          const spans = spansIn(file).filter((span) => span.toMs > sinceMs)
          return Math.max(0, ...spans.map((span) => span.toMs - span.fromMs))
        },
      }
    },
    async until(toMs) {
      const heardOf = () => [
        answeredMs,
        ...logs.flatMap(({ file, countsFromMs, ended }) =>
          ended || countsFromMs > toMs ? [] : [spansIn(file).at(-1)?.toMs ?? 0],
        ),
      ]
      await until('everybody to go on', () => Math.min(...heardOf()) > toMs)
      const counted = logs.flatMap(({ file, countsFromMs }) =>
        countsFromMs > toMs ? [] : spansIn(file).filter(({ fromMs }) => fromMs >= countsFromMs),
      )
      const spans = [...own, ...counted].toSorted((a, b) => a.fromMs - b.fromMs)
      return (fromMs, untilMs, shortestMs = STANDSTILL_MS) =>
        coveredMs(
          spans.filter((span) => span.toMs - span.fromMs >= shortestMs),
          fromMs,
          untilMs,
        )
    },
  }
}

function spansIn(file: string): Span[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const [fromMs, toMs] = line.split(' ').map(Number) as [number, number]
    return { fromMs, toMs }
  })
}

/** How much of a time these spans cover together; they come in the order in which they begin. */
function coveredMs(spans: Span[], fromMs: number, toMs: number): number {
  let covered = 0
  let reachedMs = fromMs
  for (const span of spans) {
    const beginMs = Math.max(span.fromMs, reachedMs)
    const endMs = Math.min(span.toMs, toMs)
    if (endMs <= beginMs) continue
    covered += endMs - beginMs
    reachedMs = endMs
  }
  return covered
}
