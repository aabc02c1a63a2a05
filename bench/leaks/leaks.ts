import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { openEchoSockets } from '../../src/probes/icmp/echo.ts'
import { createIcmpProbe, resolveForEcho } from '../../src/probes/icmp.ts'
import { createProbes, probeBy } from '../../src/probes/run.ts'
import { settingsFor, testNetwork } from '../../test/support/servers/targets-settings.ts'
import { reportTrouble } from '../support/open-database.ts'
import type { CountedType, Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { renderCells } from '../support/table.ts'
import { createDomainChecks } from './domains.ts'
import type { LeakType, Twin } from './twins.ts'

const AT_ONCE = 32
const LIMIT_SECONDS = 30
/** Code is compiled, and caches are filled, by so many checks before the first look. */
const WARM_UP = 1_000
/** A part of the checks are of the friendly twin, and each hostile one gets its share of the others. */
const FRIENDLY_SHARE = 2
const SETTLE_MS = 10_000
const LOOK_EVERY_MS = 100
const MIB = 2 ** 20
/** Those that a check opens. */
const OPENED = /^(TCPSocketWrap|TLSWrap|UDPWrap|Timeout|Immediate|ZlibContext|DNSCHANNEL|GetAddrInfo\w*)$/

/** Things that this process holds: sockets of its thread, all of its descriptors that are sockets, handles and timers, memory. */
type Look = { sockets: number; descriptors: number; handles: number; heapMib: number; residentMib: number }

/** Checks each type so often, at a friendly twin and all hostile ones of the catalogue, and counts what is left of them. */
export async function benchLeaks(scope: Scope, { leaks: { types, checks } }: Options): Promise<string> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const rows: string[][] = []
  for (const type of types) {
    const { check, hostile } = await startChecks(scope, type)
    progress(`leaks: ${type}, warming up with ${hostile + 1} twins`)
    await run(WARM_UP, check)
    const before = await settled(collect)
    progress(`leaks: ${type}, ${checks.toLocaleString('en-US')} checks`)
    const beganAt = performance.now()
    const wrong = await run(checks, check)
    const seconds = (performance.now() - beganAt) / 1_000
    const after = await settled(collect, before)
    for (const words of new Set(wrong)) progress(`leaks: ${type}, a false verdict: ${words}`)
    if (wrong.length > 0 || after.sockets > before.sockets || after.handles > before.handles)
      process.exitCode = 1
    rows.push([
      ...[type, String(hostile), checks.toLocaleString('en-US'), String(wrong.length)],
      ...[`${before.sockets} → ${after.sockets}`, `${before.descriptors} → ${after.descriptors}`],
      `${before.handles} → ${after.handles}`,
      `${before.heapMib.toFixed(1)} → ${after.heapMib.toFixed(1)} MiB`,
      `${before.residentMib.toFixed(0)} → ${after.residentMib.toFixed(0)} MiB`,
      `${seconds.toFixed(0)} s`,
    ])
  }
  const headings = [
    ...['Type', 'Hostile twins', 'Checks', 'False verdicts', 'Open sockets', 'Socket descriptors'],
    ...['Handles and timers', 'Heap', 'Resident', 'Took'],
  ]
  return [
    'Before and after so many checks, half of them of the friendly twin:',
    '',
    renderCells([headings, ...rows]),
  ].join('\n')
}

async function startChecks(scope: Scope, type: CountedType): Promise<{ check: Check; hostile: number }> {
  if (type === 'domain') {
    const { check, hostile } = await createDomainChecks(scope)
    return { check: (index) => check(turnOf(index, hostile)), hostile }
  }
  const twins = await startTwins(scope, type)
  return { check: createChecks(scope, twins), hostile: twins.length - 1 }
}

/** 0 for the friendly twin, which half of the checks are of; else the place of a hostile one. */
function turnOf(index: number, hostile: number): number {
  if (index % FRIENDLY_SHARE === 0 || hostile === 0) return 0
  return 1 + (Math.floor(index / FRIENDLY_SHARE) % hostile)
}

async function startTwins(scope: Scope, type: LeakType): Promise<Twin[]> {
  const worker = new Worker(new URL('./twins.ts', import.meta.url), { workerData: [type] })
  scope.after(async () => {
    worker.postMessage('close')
    await once(worker, 'exit')
  })
  const [twins] = (await once(worker, 'message')) as [Twin[]]
  return twins
}

type Probes = ReturnType<typeof createProbes>

/** The words of a verdict that is false; null for a right one. */
type Check = (index: number) => Promise<string | null>

function createChecks(scope: Scope, twins: readonly Twin[]): Check {
  const sockets = openEchoSockets()
  scope.after(async () => sockets.close())
  // Two authorities of the catalogue may have the same name: each is trusted where its own twin is checked.
  const probes = new Map<string | undefined, Probes>()
  for (const { authority } of twins) if (!probes.has(authority)) probes.set(authority, probesOf(authority))

  function probesOf(authority: string | undefined): Probes {
    const network = testNetwork({ extraAuthorities: authority === undefined ? [] : [authority] })
    const now = () => new Date()
    const icmp = createIcmpProbe({ resolve: resolveForEcho(network), sockets, now })
    return createProbes({ network, now, icmp, onBug: reportTrouble })
  }

  return async (index) => {
    const twin = twins[turnOf(index, twins.length - 1)]
    if (!twin) return 'no twin'
    const settings = settingsFor(twin.type, { request_timeout_seconds: LIMIT_SECONDS, ...twin.settings })
    const by = probes.get(twin.authority) as Probes
    const { status, errorMessage } = await probeBy(by, settings, new AbortController().signal)
    const isRight = status === twin.status && patternOf(twin.cause).test(errorMessage ?? 'nothing')
    return isRight ? null : `${twin.name}: ${status}, ${errorMessage}`
  }
}

/** The words of a cause; what stands in angle brackets is anything. */
function patternOf(cause: string | null): RegExp {
  const parts = (cause ?? 'nothing').split(/<[^>]+>/)
  return new RegExp(`^${parts.map(RegExp.escape).join('.+')}$`)
}

async function run(count: number, check: Check): Promise<string[]> {
  const wrong: string[] = []
  const indexes = Array.from({ length: count }, (_, index) => index).values()
  const work = async () => {
    for (const index of indexes) {
      const words = await check(index)
      if (words !== null) wrong.push(words)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return wrong
}

/** A look once nothing more closes: as few as before, or as there are after a while. */
async function settled(collect: () => void, before?: Look): Promise<Look> {
  const untilMs = performance.now() + SETTLE_MS
  for (;;) {
    await delay(LOOK_EVERY_MS)
    collect()
    const found = look()
    const isDone = before
      ? found.sockets <= before.sockets &&
        found.descriptors <= before.descriptors &&
        found.handles <= before.handles
      : found.sockets === 0
    if (isDone || performance.now() > untilMs) return found
  }
}

function look(): Look {
  const resources = process.getActiveResourcesInfo().filter((name) => OPENED.test(name))
  const { heapUsed, rss } = process.memoryUsage()
  return {
    sockets: resources.filter((name) => /^(TCP|TLS|UDP)/.test(name)).length,
    descriptors: socketDescriptors(),
    handles: resources.length,
    heapMib: heapUsed / MIB,
    residentMib: rss / MIB,
  }
}

function socketDescriptors(): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('socket:')
    } catch {
      // The one that the folder was read by.
      return false
    }
  }).length
}
