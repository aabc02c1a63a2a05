import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { startChromium } from '../support/chromium.ts'
import type { Options, PeerName } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import { Scope } from '../support/scope.ts'
import { median } from '../support/statistics.ts'
import { icinga } from './icinga.ts'
import { uptimeKuma } from './kuma.ts'
import { timeList } from './list-painted.ts'
import { INTERVAL_SECONDS, type Peer, type PreparedPeer } from './peer.ts'
import { type Measured, renderPeers } from './peers-report.ts'
import { prometheusWithBlackbox } from './prometheus.ts'
import { startTarget, type Target } from './target.ts'
import { upbeat } from './upbeat.ts'

/** The aftermath of starting (compiling, first checks, the collector) is over by then. */
const SETTLE_MS = 15_000
const LOOK_EVERY_MS = 5_000
/** One that starts its monitors one by one may take most of a second for each. */
const PATIENCE_MS_PER_MONITOR = 1_500
const POLL_MS = 10
const SCREEN_PATIENCE_MS = 120_000
const MINUTE_MS = 60_000
const VISITS = 3

/** Programs of the same kind with the same monitors and the same target, one after the other: their cost and lateness. */
export async function benchPeers(scope: Scope, options: Options): Promise<string> {
  const { peers, missing } = findPeers(options)
  const target = await startTarget(scope)
  const browser = await startChromium(scope).catch(() => null)
  if (browser === null) missing.push('Chromium, which paints lists')
  for (const what of missing) progress(`peers: ${what} is not there and is left out`)
  const measured: Measured[] = []
  for (const monitors of options.peers.sizes) {
    for (const peer of peers) {
      const own = new Scope()
      scope.after(() => own.close())
      measured.push(await measure(own, peer, monitors, { target, browser, minutes: options.peers.minutes }))
      await own.close()
      // Saved at once: an hour is not lost with the process.
      if (options.out !== null) await writeFile(options.out, `${renderPeers(measured, missing)}\n`)
    }
  }
  return renderPeers(measured, missing)
}

function findPeers({ peers: { names, kuma } }: Options) {
  const known: Record<PeerName, [what: string, find: () => Peer | null]> = {
    upbeat: ['Upbeat', upbeat],
    kuma: ['Uptime Kuma (--kuma)', () => (kuma === null ? null : uptimeKuma(kuma))],
    prometheus: ['prometheus or blackbox_exporter', prometheusWithBlackbox],
    icinga: ['icinga2 or check_http', icinga],
  }
  const peers: Peer[] = []
  const missing: string[] = []
  for (const [what, find] of names.map((name) => known[name])) {
    const peer = find()
    if (peer === null) missing.push(what)
    else peers.push(peer)
  }
  return { peers, missing }
}

type Surroundings = { target: Target; browser: Browser | null; minutes: number }

async function measure(
  scope: Scope,
  peer: Peer,
  monitors: number,
  { target, browser, minutes }: Surroundings,
): Promise<Measured> {
  const say = (what: string) => progress(`${peer.name}, ${monitors} monitors: ${what}`)
  say('setting up')
  const urls = Array.from({ length: monitors }, (_, number) => target.urlOf(number))
  const prepared = await peer.prepare(scope, urls)
  say('starting')
  const startedMs = performance.timeOrigin + performance.now()
  const allAskedMs = target.begin(monitors)
  const [screenMs] = await Promise.all([timeScreen(prepared, startedMs), prepared.start()])
  say('waiting until each monitor was checked')
  const allMs = await inTime(allAskedMs, monitors * PATIENCE_MS_PER_MONITOR)
  await delay(SETTLE_MS)
  const fromMs = Date.now()
  const cpuBefore = prepared.cpuMicros()
  const bytes: number[] = []
  while (Date.now() < fromMs + minutes * MINUTE_MS) {
    say(`watching, ${((Date.now() - fromMs) / MINUTE_MS).toFixed(1)} of ${minutes} min`)
    await delay(LOOK_EVERY_MS)
    bytes.push(prepared.pssBytes())
  }
  const cpuMicros = prepared.cpuMicros() - cpuBefore
  const toMs = Date.now()
  const timesMs = (await target.read()).map((times) => times.filter((at) => at >= fromMs && at < toMs))
  say('opening its list')
  const listMs = await timeVisits(browser, prepared)
  return {
    peer: peer.name,
    monitors,
    intervalMs: INTERVAL_SECONDS * 1_000,
    watchedMs: toMs - fromMs,
    timesMs,
    cpuMicros,
    medianBytes: median(bytes),
    allCheckedMs: allMs === null ? null : allMs - startedMs,
    screenMs,
    listMs,
  }
}

/** From the start until its first page is there, in milliseconds. */
async function timeScreen({ screenUrl }: PreparedPeer, startedMs: number): Promise<number | null> {
  if (screenUrl === null) return null
  const sinceStart = () => performance.timeOrigin + performance.now() - startedMs
  while (sinceStart() < SCREEN_PATIENCE_MS) {
    const answer = await fetch(screenUrl).catch(() => null)
    await answer?.text()
    if (answer?.status === 200) return sinceStart()
    await delay(POLL_MS)
  }
  throw new Error(`${screenUrl} does not answer with a page`)
}

async function timeVisits(browser: Browser | null, { list }: PreparedPeer): Promise<number | null> {
  if (browser === null || list === null) return null
  const visitsMs: number[] = []
  for (let visit = 0; visit < VISITS; visit++) visitsMs.push(await timeList(browser, list))
  return median(visitsMs)
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const over = new AbortController()
  const late = delay(ms, null, { signal: over.signal }).catch(() => null)
  return Promise.race([work, late]).finally(() => over.abort())
}
