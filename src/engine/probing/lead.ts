import type { FoundRecords } from '../../core/status-pages/domain-proof.ts'
import type { Plans } from '../../core/teams/plan.ts'
import type { Database } from '../../postgres/database.ts'
import { holdLease, releaseLease } from '../../postgres/leases.ts'
import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'
import { beatPulse, forgiveDowntime, readPulse } from '../../store/probing/pulse.ts'
import {
  readDueHeartbeats,
  readMonitorChanges,
  readRecentChanges,
  readSchedule,
  type ScheduleChange,
} from '../../store/probing/schedule.ts'
import { createHelp } from '../history/help.ts'
import { startUpkeep } from '../history/upkeep.ts'
import type { LeadingPart, WindowWatch } from '../maintenance/window-watch.ts'
import { createBalancing } from './balance.ts'
import type { Clock } from './clock.ts'
import type { Scheduler } from './schedule.ts'

const LEASE = 'scheduler'
const LEASE_SECONDS = 3
const BEAT_MS = 1_000
/** How often the lease of another process is tried: its checks go on within seconds of its end. */
const WAIT_MS = 250
/** A pulse that is missing for longer is downtime. */
const TOLERABLE_GAP_SECONDS = 3
/** After a time without the database, probers get this long to come back before they are taken for dead. */
const SILENCE_SECONDS = 2
const COMEBACK_MS = 1_500
const POLL_EVERY_BEATS = 10
const POLL_BACK_SECONDS = 60

/** Waits for heartbeats and records their silence. */
export type HeartbeatWatch = Pick<Scheduler, 'load' | 'apply' | 'pulse' | 'size' | 'close'>

export type Leader = {
  /** Reads these monitors again; null: all that changed lately. */
  changed(ids: number[] | null): void
  /** Maintenance windows of a team have changed; null: of any. */
  windowsChanged(teamId: number | null): void
  /** A prober came, leaves, or has handed over slots. */
  wake(): void
  readonly leading: boolean
  /** The number of heartbeats that it watches. */
  readonly watched: number
  close(): Promise<void>
}

export type LeaderDeps = {
  db: Database
  plans: Plans
  holder: string
  clock: Clock
  monotonicMs: () => number
  /** Made when the lease is won, closed when it is lost. */
  startWatching: () => HeartbeatWatch
  /** The same for servers. */
  startSilenceWatch: () => Pick<Loop, 'close'>
  /** Made once the clock is known: ends of windows do not wait for a lease. */
  startWindowWatch: (leading: LeadingPart) => WindowWatch
  /** Upkeep uses it. */
  lookUpTxt: (name: string) => Promise<FoundRecords>
  /** Reports on the work on history, of the process that leads and of one that helps. */
  upkeepReports?: LoopReports
  helpReports?: LoopReports
  note: (message: string) => void
  /** False while this process cannot record what it would find: others are to lead. */
  mayLead?: () => boolean
} & LoopReports

/**
 * Lets one process at a time lead: holds the lease, keeps the pulse, shares the slots out among the probers, watches
 * the deadlines of heartbeats and servers, and keeps history in shape; the others help it with
 * that. The ends of maintenance windows are watched by every process.
 */
export function createLeader(deps: LeaderDeps): Leader {
  const { db, holder, clock, mayLead = () => true } = deps
  const help = createHelp({ db, onTrouble: deps.onTrouble, ...deps.helpReports })
  let beats = 0
  let watching: HeartbeatWatch | null = null
  let silences: Pick<Loop, 'close'> | null = null
  let upkeep: Loop | null = null
  let windows: WindowWatch | null = null
  /** When jobs could last reach us, and whether they cannot now. */
  let lastReachedMs = 0
  let isUnreachable = false
  let lastAnswerMs: number | null = null
  let keepsExpiredUntilMs = 0
  let balance = createBalancing(db, LEASE, holder)
  let balancing: Promise<void> = Promise.resolve()
  let reading: Promise<void> = Promise.resolve()

  async function lead(): Promise<number> {
    await beat().catch(deps.onTrouble)
    return watching ? BEAT_MS : WAIT_MS
  }

  async function beat() {
    const isPoll = beats++ % POLL_EVERY_BEATS === 0
    const leading = mayLead() ? await holdLease(db, LEASE, holder, LEASE_SECONDS) : await giveUpLease()
    const { sample, unreachedSeconds } = await readPulse(db, deps.monotonicMs)
    clock.compare(sample)
    windows ??= deps.startWindowWatch({
      leads: () => watching !== null,
      rearm: (teamIds) => apply(() => readDueHeartbeats(db, teamIds)),
    })
    const nowMs = clock.now().getTime()
    if (lastAnswerMs !== null && nowMs - lastAnswerMs > SILENCE_SECONDS * 1_000)
      keepsExpiredUntilMs = nowMs + COMEBACK_MS
    lastAnswerMs = nowMs
    if (!leading) return resign().then(mayLead() ? help.begin : help.end)
    await followReachability(nowMs, unreachedSeconds)
    shareOut(isPoll)
    if (isPoll) changed(null)
  }

  /** Time in which no process could be reached by jobs is downtime for them: silence does not count meanwhile. */
  async function followReachability(nowMs: number, unreachableSeconds: number) {
    const reachedMs = nowMs - unreachableSeconds * 1_000
    const gapSeconds = (reachedMs - lastReachedMs) / 1_000
    if (!watching) await takeOver(new Date(nowMs))
    else if (gapSeconds > TOLERABLE_GAP_SECONDS) await takeOver(new Date(reachedMs))
    lastReachedMs = Math.max(lastReachedMs, reachedMs)
    if (unreachableSeconds > TOLERABLE_GAP_SECONDS) {
      if (!isUnreachable) deps.note('no process can be reached by jobs: silence of heartbeats is not judged')
      isUnreachable = true
      return
    }
    isUnreachable = false
    await beatPulse(db, new Date(lastReachedMs))
    watching?.pulse(nowMs)
  }

  /** Called at the start, and after any time in which the service did not work. */
  async function takeOver(reachedAt: Date) {
    const seconds = await forgiveDowntime(db, reachedAt)
    if (seconds > TOLERABLE_GAP_SECONDS)
      deps.note(
        `no job could be heard for ${Math.round(seconds)} s: deadlines of heartbeats moved by as much`,
      )
    const monitors = await readSchedule(db, 'heartbeats')
    watching ??= deps.startWatching()
    upkeep ??= startUpkeep({
      ...deps,
      onRound: undefined,
      onEnd: undefined,
      ...deps.upkeepReports,
      now: clock.now,
    })
    silences ??= deps.startSilenceWatch()
    watching.load(monitors)
    await help.end()
  }

  async function giveUpLease(): Promise<false> {
    if (watching === null) return false
    deps.note('this process cannot record what it finds: it leaves the lead to others until it can')
    await resign()
    await releaseLease(db, LEASE, holder)
    return false
  }

  async function resign() {
    const formerly = [watching, silences, upkeep]
    watching = null
    silences = null
    upkeep = null
    // Meanwhile others lead.
    balance = createBalancing(db, LEASE, holder)
    await Promise.all(formerly.map((former) => former?.close()))
  }

  function changed(ids: number[] | null) {
    apply(() =>
      ids
        ? readMonitorChanges(db, 'heartbeats', ids)
        : readRecentChanges(db, 'heartbeats', POLL_BACK_SECONDS),
    )
  }

  function apply(read: () => Promise<ScheduleChange[]>) {
    reading = reading
      .then(async () => {
        if (!watching) return
        const changes = await read()
        watching?.apply(changes)
      })
      .catch(deps.onTrouble)
  }

  function shareOut(isNews: boolean) {
    balancing = balancing
      .then(async () => {
        if (watching) await balance(clock.now().getTime() < keepsExpiredUntilMs, isNews)
      })
      .catch(deps.onTrouble)
  }

  const loop = startLoop({ ...deps, work: lead })
  return {
    changed,
    windowsChanged: (teamId) => windows?.changed(teamId),
    wake: () => shareOut(true),
    get leading() {
      return watching !== null
    },
    get watched() {
      return watching?.size ?? 0
    },
    async close() {
      await loop.close()
      await windows?.close()
      await reading
      await balancing
      await resign()
      await help.end()
      await releaseLease(db, LEASE, holder).catch(deps.onTrouble)
    },
  }
}
