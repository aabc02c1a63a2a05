import { isMassSilence, MIN_MASS } from '../../core/servers/mass-silence.ts'
import type { Database } from '../../postgres/database.ts'
import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'
import { readDueServers, readHearing } from '../../store/servers/silences.ts'
import type { ServerRecorder } from './server-recorder.ts'

/** All states are read this often, for what is due until the next time: a limit is never shorter. */
const SCAN_MS = 10_000
const MARGIN_MS = 2_000
/** The wait until a silence that could not be told yet is tried again. */
const AGAIN_MS = 500
/** Servers that were silent for longer are no part of a mass. */
const LATELY_MS = 3_600_000

export type SilenceDeps = {
  db: Database
  recorder: Pick<ServerRecorder, 'recordSilence'>
  /** The time by the database's clock. */
  now: () => Date
  note: (message: string) => void
} & LoopReports

/** Waits for the silence of servers, in the process that leads. The recorder decides whether one is silent. */
export function startSilenceWatch(deps: SilenceDeps): Loop {
  const followSilence = createSilenceFollowing(deps)

  return startLoop({
    ...deps,
    async work() {
      const next = await followSilence()
      return Math.min(next.getTime() - deps.now().getTime(), SCAN_MS)
    },
    troubleMs: AGAIN_MS,
  })
}

/** Returns a function that tells what is due, and resolves to when it is to be called again. */
export function createSilenceFollowing({ db, recorder, now, note }: Omit<SilenceDeps, keyof LoopReports>) {
  /** Servers that are due before the next scan, with the time. */
  const waiting = new Map<number, Date>()
  let scannedAt: Date | null = null
  let isHeld = false

  return async function followSilence(): Promise<Date> {
    const at = now()
    if (!scannedAt || Math.abs(at.getTime() - scannedAt.getTime()) >= SCAN_MS) {
      await scan(at)
      scannedAt = at
    }
    const due = [...waiting].filter(([, dueAt]) => dueAt <= at)
    if (await areHeld(due, at)) return after(at, AGAIN_MS)
    await Promise.all(due.map(([serverId]) => tell(serverId)))
    const nextMs = Math.min(...[...waiting.values()].map((dueAt) => dueAt.getTime()))
    const scanMs = scannedAt.getTime() + SCAN_MS
    // Something that was due and still is waits for the pulse.
    return new Date(Math.min(scanMs, Math.max(nextMs, due.length > 0 ? at.getTime() + AGAIN_MS : nextMs)))
  }

  async function scan(at: Date) {
    const servers = await readDueServers(db, after(at, SCAN_MS + MARGIN_MS))
    waiting.clear()
    for (const { serverId, silentAt } of servers) waiting.set(serverId, silentAt)
  }

  async function tell(serverId: number) {
    const { kind, dueAt } = await recorder.recordSilence(serverId)
    // The next scan finds it again, unless it is told or heard.
    if (kind === 'stale' && dueAt) waiting.set(serverId, dueAt)
    else waiting.delete(serverId)
  }

  /** Our ingress may have failed where our own look at it does not reach. */
  async function areHeld(due: [number, Date][], at: Date): Promise<boolean> {
    const wereHeld = isHeld
    isHeld = false
    if (due.length < MIN_MASS) return false
    const hearing = await readHearing(db, after(at, -LATELY_MS))
    isHeld = isMassSilence({ due: due.map(([, dueAt]) => dueAt), ...hearing }, at)
    if (isHeld && !wereHeld) {
      note(`no server is heard any more: the silence of ${due.length} is not told for now, as it may be ours`)
    }
    return isHeld
  }
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
