import type { MiddlewareHandler } from 'hono'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import type { RemoteFinding } from '../core/probing/remote-result.ts'
import type { InputSource, MachineReport } from '../core/servers/machine-report.ts'
import type { ReportFate } from '../core/servers/verdict.ts'
import type { CheckOutcome } from '../engine/probing/check-once.ts'
import type { RecordedBatch } from '../engine/recording/batches.ts'
import { createRecorder } from '../engine/recording/recorder.ts'
import type { ServerRecorder } from '../engine/servers/server-recorder.ts'
import type { SiteRecorder } from '../engine/sites/site-finding.ts'
import type { Crawl } from '../engine/sites/start-crawl.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Tally } from '../metrics/tally.ts'
import type { Database } from '../postgres/database.ts'
import type { ClaimedDelivery } from '../store/alerting/deliveries.ts'
import type { PingRow } from '../store/monitors/recording.ts'
import type { RateLimit } from '../store/rate-limits.ts'

/** Wires events to the counters of `/metrics`, for every role. */

export function createCountedRecorder(db: Database, log: Log, tally: Tally) {
  return createRecorder(db, troubleOf(log, 'recorder'), countBatches(tally), countGivenUp(tally))
}

export function countBatches(tally: Tally) {
  return ({ findings, tookMs }: RecordedBatch) => {
    tally.observe('recordDuration', [], tookMs / 1_000)
    tally.observe('recordSize', [], findings)
  }
}

/** Counts findings that were given up because they could not be recorded. */
export function countGivenUp(tally: Tally) {
  return (findings: number): void => tally.count('givenUp', [], findings)
}

export function countChecks(tally: Tally) {
  return ({ type, status, lateMs, tookMs }: CheckOutcome) => {
    tally.count('checks', [type, status])
    tally.observe('checkLateness', [], lateMs / 1_000)
    if (tookMs !== null) tally.observe('checkDuration', [type], tookMs / 1_000)
  }
}

/** Counts what `Intake` records. */
export function countIntake(tally: Tally) {
  return {
    countPing: ({ kind }: PingRow) => tally.count('pings', [kind]),
    countReport: ({ machine }: MachineReport, { kind }: ReportFate) =>
      tally.count('serverReports', [machine.source, kind]),
    countRemote: ({ type, result }: RemoteFinding) => tally.count('remoteChecks', [type, result.status]),
  }
}

/** Wraps how the silence of a server is recorded. */
export function countSilences(
  tally: Tally,
  { recordSilence }: Pick<ServerRecorder, 'recordSilence'>,
): Pick<ServerRecorder, 'recordSilence'> {
  return {
    async recordSilence(serverId) {
      const recorded = await recordSilence(serverId)
      if (recorded.kind === 'recorded') tally.count('serverSilences', [])
      return recorded
    },
  }
}

/** Wraps how looks at sites are recorded. */
export function countLooks(tally: Tally, recorder: SiteRecorder): Pick<SiteRecorder, 'recordLook'> {
  return {
    async recordLook(finding) {
      const recorded = await recorder.recordLook(finding)
      if (recorded.kind === 'recorded')
        for (const { area, status } of recorded.areas) tally.count('siteLooks', [area, status])
      return recorded
    },
  }
}

/** Wraps how a site is crawled. */
export function countCrawls(tally: Tally, crawl: Crawl): Crawl {
  return async (...asked) => {
    const end = await crawl(...asked).catch((error) => {
      tally.count('siteCrawls', ['failed'])
      throw error
    })
    if (end.kind !== 'elsewhere') tally.count('siteCrawls', [end.kind === 'done' ? 'done' : 'interrupted'])
    return end
  }
}

export function countDroppedReadings(tally: Tally) {
  return (source: InputSource, readings: number): void => {
    tally.count('serverReadingsDropped', [source], readings)
  }
}

export function countRefusedResults(tally: Tally) {
  return (results: number): void => {
    tally.count('remoteRefusals', [], results)
  }
}

/** Without a mail server no mail is tried, and so none fails. */
export function countDeliveries(tally: Tally, hasMail: () => boolean) {
  return (
    { contactType }: ClaimedDelivery,
    outcome: DeliveryOutcome['kind'] | 'gave up',
    tookMs: number,
  ): void => {
    if (contactType === 'email' && !hasMail()) return
    tally.count('deliveries', [contactType, outcome === 'gave up' ? 'failed' : outcome])
    tally.observe('deliveryDuration', [contactType], tookMs / 1_000)
  }
}

export function countRefusals(tally: Tally, name: string, { take, giveBack }: RateLimit): RateLimit {
  return {
    giveBack,
    async take(key) {
      const allowance = await take(key)
      if (allowance.retryAfterSeconds !== null) tally.count('refusals', [name])
      return allowance
    },
  }
}

/** Counts errors that the database answers by the two characters by which SQLSTATE tells their kinds. */
export function countDatabaseErrors(tally: Tally) {
  return (sqlState: string) => {
    tally.count('databaseErrors', [/^[0-9A-Z]{5}$/.test(sqlState) ? sqlState.slice(0, 2) : 'none'])
  }
}

export function countRequest(tally: Tally) {
  return (operation: string, status: number, seconds: number) => {
    tally.count('requests', [operation, String(status)])
    tally.observe('requestDuration', [operation], seconds)
  }
}

/** Counts every answer of the app by its operation, which its handler sets. */
export function countRequests(tally: Tally): MiddlewareHandler {
  const count = countRequest(tally)
  return async (context, next) => {
    const began = performance.now()
    await next()
    count(context.get('operation') ?? 'other', context.res.status, (performance.now() - began) / 1_000)
  }
}
