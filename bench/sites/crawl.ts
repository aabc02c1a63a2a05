import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addSite } from '../../test/support/records/sites.ts'
import { until } from '../../test/support/until.ts'
import { type DueChecks, type Lateness, latenessOf, PATIENCE_MS, readDueChecks } from '../due-checks.ts'
import { pssBytes } from '../processes.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { addMonitors, type SeededService, startSeededService } from '../support/seeded-service.ts'
import { alone, compare, type Row } from '../support/table.ts'
import type { SiteCounts, SiteOrder, SiteReady } from './site-server.ts'

const SERVER = join(import.meta.dirname, 'site-server.ts')
const SETTLE_MS = 15_000
const LOOK_MS = 1_000
const LOOKS_PER_PROGRESS = 30
const REFERENCE = 'the same before the crawl'

type Span = { fromMs: number; toMs: number; peakBytes: number }
type Crawl = { seconds: number | null; cutShort: string | null }

/** One crawl at the real pace, by the process that checks meanwhile; and its checks and memory before that. */
export async function benchCrawl(scope: Scope, { crawl }: Options): Promise<Row[]> {
  progress('crawl: starting the service')
  const seeded = await startSeededService(scope)
  await addMonitors(seeded, crawl.monitors)
  const server = await startSite(scope, crawl.pages)
  await delay(SETTLE_MS)
  progress(`crawl: ${crawl.beforeSeconds} s without one`)
  const untilMs = Date.now() + crawl.beforeSeconds * 1_000
  const before = await watch(seeded, async () => Date.now() >= untilMs)
  const siteId = await addCrawledSite(seeded, server.url, crawl.pages)
  const during = await watch(seeded, async () => (await readCrawl(seeded, siteId))?.seconds != null)
  const ended = await readCrawl(seeded, siteId)
  const counts = await server.count()
  await delay(PATIENCE_MS)
  const checks = {
    before: await readDueChecks(seeded.service, before.fromMs, before.toMs),
    during: await readDueChecks(seeded.service, during.fromMs, during.toMs),
  }
  if (!ended?.seconds || ended.cutShort !== null || counts.pages !== crawl.pages)
    throw new Error(`the crawl asked for ${counts.pages} of ${crawl.pages} pages: ${ended?.cutShort}`)
  const name = `Crawl of ${format(crawl.pages)} pages, beside ${format(crawl.monitors)} monitors`
  return [
    ...crawlRows(name, ended.seconds, counts),
    ...memoryRows(name, before.peakBytes, during.peakBytes),
    ...latenessRows(name, checks),
  ]
}

function crawlRows(name: string, seconds: number, counts: SiteCounts): Row[] {
  return [
    alone(`${name}: duration`, 'min', [seconds / 60]),
    alone(`${name}: pages that the server was asked for`, 'pages', [counts.pages]),
    alone(`${name}: requests that the server counted`, 'requests', [counts.requests]),
    alone(`${name}: most of them in any second`, 'requests', [counts.mostInSecond]),
    alone(`${name}: most connections at once`, 'connections', [counts.mostConnections]),
  ]
}

function memoryRows(name: string, before: number, during: number): Row[] {
  return [
    compare(`${name}: memory of the process, at its peak`, 'MB', REFERENCE, [
      { ours: during / 1e6, reference: before / 1e6 },
    ]),
    alone(`${name}: … more than before`, 'MB', [(during - before) / 1e6]),
  ]
}

function latenessRows(name: string, checks: { before: DueChecks; during: DueChecks }): Row[] {
  const [before, during] = [latenessOf(checks.before), latenessOf(checks.during)]
  const row = (what: string, read: (lateness: Lateness) => number) =>
    compare(`${name}: checks late by, ${what} of ${format(checks.during.started.length)}`, 'ms', REFERENCE, [
      { ours: read(during), reference: read(before) },
    ])
  return [
    row('p50', ({ p50Ms }) => p50Ms),
    row('p99', ({ p99Ms }) => p99Ms),
    row('max', ({ maxMs }) => maxMs),
    alone(`${name}: of ${format(checks.during.due)} checks due then, missed`, 'checks', [
      checks.during.missed,
    ]),
    alone(`${name}: … doubled`, 'checks', [checks.during.doubled]),
    alone(`${name}: … that found anything but up`, 'checks', [checks.during.notUp]),
  ]
}

/** The largest memory of the service until something is so. */
async function watch({ service }: SeededService, isDone: () => Promise<boolean>): Promise<Span> {
  const fromMs = Date.now()
  let peakBytes = 0
  for (let looks = 1; !(await isDone()); looks++) {
    peakBytes = Math.max(peakBytes, pssBytes(service.pid))
    if (looks % LOOKS_PER_PROGRESS === 0) {
      const minutes = ((Date.now() - fromMs) / 60_000).toFixed(1)
      progress(`crawl: ${minutes} min, ${Math.round(peakBytes / 1e6)} MB at the peak`)
    }
    await delay(LOOK_MS)
  }
  return { fromMs, toMs: Date.now(), peakBytes }
}

/** Only the crawl asks its server: looks at the home page would count as its requests. */
async function addCrawledSite(seeded: SeededService, url: string, pages: number): Promise<number> {
  const { id } = await addSite(seeded.service.services.db, {
    ...{ team_id: seeded.team.id, name: 'Crawled', url, max_pages: pages },
    areas_off: ['home_page', 'certificate', 'dns', 'domain'],
  })
  await until('the crawl has begun', async () => readCrawl(seeded, id))
  progress(`crawl: ${format(pages)} pages`)
  return id
}

/** Null before it begins; its duration once it has ended. */
async function readCrawl({ service }: SeededService, siteId: number): Promise<Crawl | null> {
  const { rows } = await service.services.db.pool.query<Crawl>(
    `SELECT extract(epoch FROM ended_at - started_at)::float8 AS seconds, cut_short AS "cutShort"
     FROM site_crawls WHERE site_id = $1`,
    [siteId],
  )
  return rows[0] ?? null
}

async function startSite(scope: Scope, pages: number) {
  const child = fork(SERVER)
  const exited = once(child, 'exit')
  scope.after(async () => {
    if (child.connected) child.disconnect()
    await exited
  })
  const { port } = await ask<SiteReady>(child, { pages })
  return { url: `http://127.0.0.1:${port}/`, count: () => ask<SiteCounts>(child, 'count') }
}

async function ask<Answer>(child: ChildProcess, order: SiteOrder): Promise<Answer> {
  const answered = once(child, 'message') as Promise<[Answer]>
  child.send(order)
  const [answer] = await answered
  return answer
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}
