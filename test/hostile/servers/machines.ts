import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../src/postgres/database.ts'
import { agentText } from '../../support/records/agent-text.ts'
import type { Scope } from '../../support/scope.ts'
import type { Outage } from '../logs.ts'
import type { Weather } from '../weather.ts'
import { ageServer, LIMIT_MS } from './age.ts'
import { FULL, NUMBER_KILOBYTES, type SentReport, SILENT } from './truth.ts'

const REPORT_EVERY_MS = 1_500
/** The agent waits for no longer than that, and does not send a report again: the next one follows. */
const MAX_WAIT_MS = 10_000
/** All servers are looked at for silence this often. */
const SCAN_MS = 10_000
/** In which a machine that starts again says nothing; shorter than the limit, so that nobody is to hear of it. */
const START_MS: readonly [number, number] = [1_500, 4_500]

/** Percent in use. Between the levels nothing begins and nothing ends. */
const LOW = [20, 60, 85]
const HIGH = [90, 95, 99]
const BETWEEN = [86, 89]

/** Machines that report, fall silent, fill their disks and start again by chance, and write it all down. */
export type Machines = {
  sent: SentReport[]
  outages: Outage[]
  /** How often one started again. */
  starts: number
  begin(servers: ReportingServer[], db: Database, random: () => number): void
  /** All are well from now on. */
  calm(): void
  /** Resolves when nothing is sent any more. */
  end(): Promise<void>
}

export type ReportingServer = { id: number; number: number; address: string }

type Mood = 'well' | 'silent' | 'full'

export function startMachines(scope: Scope, weather: Weather): Machines {
  const stop = new AbortController()
  const running: Promise<void>[] = []
  let isCalm = false
  const machines: Machines = { sent: [], outages: [], starts: 0, begin, calm: () => (isCalm = true), end }
  scope.after(end)

  const wait = (ms: number) => delay(ms, undefined, { signal: stop.signal }).catch(() => {})

  async function send({ number, address }: ReportingServer, boot: Boot, used: number): Promise<boolean> {
    const sent = {
      server: number,
      report: ++boot.reports,
      used,
      fromMs: Date.now(),
      toMs: Number.POSITIVE_INFINITY,
    }
    const body = agentText({
      uptime: Math.trunc((Date.now() - boot.atMs) / 1_000),
      machine: `machine-${number}`,
      boot: `boot-${boot.count}`,
      host: `host-${number}`,
      used,
      availableKilobytes: sent.report * NUMBER_KILOBYTES,
    })
    const signal = AbortSignal.timeout(MAX_WAIT_MS)
    const isTaken = await fetch(address, { method: 'POST', body, signal }).then(
      async (answer) => (await answer.text()) !== '' && answer.status === 200,
      () => false,
    )
    machines.sent.push({ ...sent, toMs: Date.now(), isTaken })
    return isTaken
  }

  async function work(server: ReportingServer, db: Database, random: () => number, maySilence: boolean) {
    const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)
    const one = (values: number[]) => values[Math.trunc(random() * values.length)] as number
    const boot: Boot = { count: 1, atMs: Date.now(), reports: 0 }
    const open = new Map<string, Outage>()
    let mood = 'well' as Mood
    let untilMs = Date.now() + between(weather.wellMs)

    function become(next: Mood) {
      mood = next
      const lastsMs = between(next === 'well' ? weather.wellMs : weather.failingMs)
      const noticedAfterMs = next === 'silent' ? LIMIT_MS + SCAN_MS : REPORT_EVERY_MS
      untilMs = Date.now() + lastsMs + (next === 'silent' ? noticedAfterMs : 0)
      if (next === 'well') return
      const condition = next === 'silent' ? SILENT : FULL
      const span = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY }
      const outage = { ...span, monitor: server.number, condition, noticedAfterMs }
      machines.outages.push(outage)
      open.set(condition, outage)
    }

    async function startAgain() {
      machines.starts++
      await wait(between(START_MS))
      Object.assign(boot, { count: boot.count + 1, atMs: Date.now() })
    }

    while (!stop.signal.aborted) {
      const isDue = Date.now() >= untilMs
      if (mood !== 'well') {
        if (isDue || isCalm) become('well')
      } else if (isDue && !isCalm && open.size === 0) {
        const chance = random()
        if (chance < 0.2) {
          await startAgain()
          become('well')
        } else become(chance < 0.6 && maySilence ? 'silent' : 'full')
      }
      if (mood === 'silent') await ageServer(db, server.id)
      else {
        const isKnown = mood === 'well' ? open.size === 0 : random() < 0.5
        const levels = mood === 'well' ? LOW : HIGH
        const used = one(isKnown ? [...levels, ...BETWEEN] : levels)
        if (mood === 'well') for (const outage of open.values()) outage.mayEndMs ??= Date.now()
        const isTaken = await send(server, boot, used)
        // The service knows of an end once a report of it has arrived.
        if (isTaken && mood === 'well') {
          for (const outage of open.values()) outage.toMs = Date.now()
          open.clear()
        }
      }
      await wait(REPORT_EVERY_MS)
    }
  }

  function begin(servers: ReportingServer[], db: Database, random: () => number) {
    // One is always heard: where nobody is heard any more, the silence may be our own, and is held back.
    for (const [i, server] of servers.entries()) running.push(work(server, db, random, i > 0))
  }

  async function end() {
    stop.abort()
    await Promise.all(running)
  }

  return machines
}

/** How often it started, when it did last, and how often it has reported since the first time. */
type Boot = { count: number; atMs: number; reports: number }
