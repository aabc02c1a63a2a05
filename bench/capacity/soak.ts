import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestService } from '../../test/support/services/service.ts'
import { INTERVAL_MS, latenessOf, PATIENCE_MS, readDueChecks } from '../due-checks.ts'
import { cpuMicros, databaseRoot, pssBytes, treeCpuMicros, treePssBytes } from '../processes.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { addMonitors, type SeededService, startSeededService } from '../support/seeded-service.ts'
import { type Minute, renderCounts, renderMinutes, type SoakCounts } from './soak-report.ts'

const MONITORS = 10_000
const SETTLE_MS = 15_000
/** 30 a minute, half of what one user may ask. */
const ASK_EVERY_MS = 2_000
const ASKS_PER_MINUTE = INTERVAL_MS / ASK_EVERY_MS
const ASKS_PER_PROGRESS = 5
const PAGES = 400

/** The service left alone with 10,000 monitors for long: whether anything grows, slows down, is missed or doubled. */
export async function benchSoak(scope: Scope, options: Options): Promise<string> {
  progress('soak: starting the service')
  const seeded = await startSeededService(scope)
  await addMonitors(seeded, MONITORS)
  await delay(SETTLE_MS)
  const startedMs = Date.now()
  const minutes = await watch(seeded, startedMs, options)
  progress('soak: counting checks')
  await delay(PATIENCE_MS)
  const counts = await countAll(seeded.service, startedMs, startedMs + minutes.length * INTERVAL_MS)
  if (counts.missed + counts.doubled > 0) process.exitCode = 1
  const report = `${renderMinutes(minutes)}\n\n${renderCounts(counts)}`
  await save(options, report)
  return report
}

/** Asks the API every 2 s, and looks at everything else once a minute; what cannot be read leaves a gap. */
async function watch(seeded: SeededService, startedMs: number, options: Options): Promise<Minute[]> {
  const { service, team } = seeded
  const minutes: Minute[] = []
  let cpu = readCpu(service)
  let answersMs: number[] = []
  let failedAnswers = 0
  let last = ''
  for (let asked = 1; asked <= options.soakMinutes * ASKS_PER_MINUTE; asked++) {
    await untilMs(startedMs + asked * ASK_EVERY_MS)
    const answerMs = await askPage(service, team.viewer, 1 + (asked % PAGES))
    if (answerMs === null) failedAnswers++
    else answersMs.push(answerMs)
    if (asked % ASKS_PER_PROGRESS === 0) {
      progress(`soak: ${((asked * ASK_EVERY_MS) / 60_000).toFixed(1)} of ${options.soakMinutes} min${last}`)
    }
    if (asked % ASKS_PER_MINUTE > 0) continue
    const minute = await lookAtMinute(service, startedMs + minutes.length * INTERVAL_MS, cpu)
    minutes.push({ ...minute, answersMs, failedAnswers })
    // The cost of the reading itself is not counted.
    cpu = readCpu(service)
    answersMs = []
    failedAnswers = 0
    last = `; ${describe(minute)}`
    await save(options, renderMinutes(minutes))
  }
  return minutes
}

type Cpu = { atMs: number; micros: number | null }
type Look = Omit<Minute, 'answersMs' | 'failedAnswers'>

async function lookAtMinute(service: TestService, fromMs: number, before: Cpu): Promise<Look> {
  const after = readCpu(service)
  const micros = before.micros === null || after.micros === null ? null : after.micros - before.micros
  const memory = attempt('memory', () => {
    return { own: pssBytes(service.pid), database: treePssBytes(databaseRoot(service.dataDir)) }
  })
  // The newest ticks may still be on their way into the database.
  const checks = await readDueChecks(service, fromMs - PATIENCE_MS, fromMs - PATIENCE_MS + INTERVAL_MS).catch(
    (error) => trouble('lateness', error),
  )
  return {
    ownBytes: memory?.own ?? null,
    databaseBytes: memory?.database ?? null,
    cpuPercent: micros === null ? null : micros / (after.atMs - before.atMs) / 10,
    latesMs: checks?.started.map(({ lateMs }) => lateMs) ?? [],
  }
}

function readCpu(service: TestService): Cpu {
  const micros = attempt('CPU', () => cpuMicros(service.pid) + treeCpuMicros(databaseRoot(service.dataDir)))
  return { atMs: Date.now(), micros }
}

/** How long the answer took, in milliseconds; null when it was none. */
async function askPage(service: TestService, token: string, page: number): Promise<number | null> {
  const began = performance.now()
  try {
    const { status } = await service.call(token, 'GET', `/monitors?page=${page}`)
    if (status !== 200) throw new Error(`answered ${status}`)
    return performance.now() - began
  } catch (error) {
    return trouble('GET /monitors', error)
  }
}

async function countAll(service: TestService, fromMs: number, toMs: number): Promise<SoakCounts> {
  const { started, missedTicks: _, ...counts } = await readDueChecks(service, fromMs, toMs)
  const { rows } = await service.services.db.pool.query<{ incidents: number; deliveries: number }>(
    `SELECT (SELECT count(*) FROM team_incidents)::int AS incidents, (SELECT count(*) FROM deliveries)::int AS deliveries`,
  )
  const { incidents = Number.NaN, deliveries = Number.NaN } = rows[0] ?? {}
  return { ...counts, ran: started.length, incidents, deliveries, ...latenessOf({ started }) }
}

async function untilMs(atMs: number): Promise<void> {
  await delay(Math.max(0, atMs - Date.now()))
}

/** Saved at once: hours are not lost with the process. */
async function save({ out }: Options, report: string): Promise<void> {
  if (out === null) return
  await writeFile(out, `${report}\n`).catch((error) => trouble(out, error))
}

function describe({ ownBytes, databaseBytes, cpuPercent, latesMs }: Look): string {
  const mib = ((ownBytes ?? 0) + (databaseBytes ?? 0)) / 2 ** 20
  const late = latesMs.length > 0 ? `${latenessOfLates(latesMs)} ms late (p99)` : 'no checks read'
  return `${mib.toFixed(0)} MiB, ${cpuPercent?.toFixed(1) ?? '?'} % CPU, ${late}`
}

function latenessOfLates(latesMs: number[]): number {
  return latenessOf({ started: latesMs.map((lateMs) => ({ atMs: 0, lateMs })) }).p99Ms
}

function attempt<T>(what: string, read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    return trouble(what, error)
  }
}

/** A reading that failed must not end hours of watching. */
function trouble(what: string, error: unknown): null {
  progress(`soak: ${what}: ${error instanceof Error ? error.message : error}`)
  return null
}
