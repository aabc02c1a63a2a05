import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Memory, type Reading, read, readMemory } from '../capacity/capacity-readings.ts'
import type { World } from '../capacity/capacity-world.ts'
import { INTERVAL_MS } from '../due-checks.ts'
import { progress } from '../support/progress.ts'

const SAMPLE_EVERY_MS = 1_000
const RUNNING = 'working'

/** The state at the end of a minute. */
export type Minute = { reading: Reading; memory: Memory; machine: Machine; backlog: Backlog }

/** Shares of the time of all processors of this machine, from 0 to 1, in the minute before. */
export type Machine = { busy: number; waitingForDisks: number }

/** In all processes that check: findings that are not written yet, and checks that are under way. */
export type Backlog = { waiting: number; underWay: number }

/** The doings of sessions of PostgreSQL with a statement under way, with how often they were seen. */
export type Waits = Map<string, number>

export type Watched = { minutes: Minute[]; waits: Waits }

/** Looks every second at what sessions wait for, and once a minute at all the rest. */
export async function watch(name: string, world: World, fromMs: number, minutes: number): Promise<Watched> {
  const watched: Watched = { minutes: [], waits: new Map() }
  let times = readTimes()
  for (let minute = 1; minute <= minutes; minute++) {
    await sampleUntil(world, watched.waits, fromMs + minute * INTERVAL_MS)
    const now = readTimes()
    const machine = between(times, now)
    times = now
    const memory = readMemory(world)
    watched.minutes.push({ reading: await read(world), memory, machine, backlog: await readBacklog(world) })
    progress(`${name}: minute ${minute} of ${minutes}, machine ${(machine.busy * 100).toFixed(0)} % busy`)
  }
  return watched
}

async function sampleUntil({ main }: World, waits: Waits, untilMs: number): Promise<void> {
  while (Date.now() < untilMs) {
    await delay(Math.min(SAMPLE_EVERY_MS, untilMs - Date.now()))
    const { rows } = await main.services.db.pool.query<{ doing: string; sessions: number }>(
      `SELECT coalesce(wait_event_type || ': ' || wait_event, '${RUNNING}') AS doing, count(*)::int AS sessions
       FROM pg_stat_activity
       WHERE state = 'active' AND datname = current_database() AND pid <> pg_backend_pid() GROUP BY 1`,
    )
    for (const { doing, sessions } of rows) waits.set(doing, (waits.get(doing) ?? 0) + sessions)
  }
}

async function readBacklog({ probes }: World): Promise<Backlog> {
  const texts = await Promise.all(probes.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()))
  const sum = (name: string) =>
    texts
      .flatMap((text) => [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)`, 'gm'))])
      .reduce((all, [, value]) => all + Number(value), 0)
  return { waiting: sum('upbeat_findings_waiting'), underWay: sum('upbeat_checks_under_way') }
}

type Times = { all: number; idle: number; waiting: number }

/** The first line of /proc/stat (see proc(5)): user, nice, system, idle, iowait, irq, softirq, steal; in ticks. */
function readTimes(): Times {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const fields = line.split(/\s+/).slice(1, 9).map(Number)
  const [, , , idle = 0, waiting = 0] = fields
  return { all: fields.reduce((sum, field) => sum + field, 0), idle, waiting }
}

function between(before: Times, after: Times): Machine {
  const all = Math.max(1, after.all - before.all)
  const waiting = (after.waiting - before.waiting) / all
  return { busy: 1 - (after.idle - before.idle) / all - waiting, waitingForDisks: waiting }
}
