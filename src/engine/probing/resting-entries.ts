import type { KeptSecrets, SharedSettings } from './kept-monitor.ts'
import { rhythmOf, type ScheduleEntry } from './schedule-entry.ts'

/** Room for so many times the rows that there are. */
const SPARE = 1.25
const MIN_ROWS = 256
/** Room is given back when less than this part of it is used. */
const MIN_USED = 0.5
/** More are counted as so many: the waits that follow from the count no longer grow then. */
const MAX_UNJUDGED = 255

type Columns = ReturnType<typeof columnsFor>

/**
 * Entries of monitors without a check under way, as rows in columns: nothing of a row but its URL is an object of its
 * own. That takes a quarter of the memory of objects, and leaves little for the garbage collector to look through.
 */
export class RestingEntries {
  readonly #rows = new Map<number, number>()
  #columns = columnsFor(MIN_ROWS)
  readonly #urls: (string | null)[] = []
  readonly #shared: SharedSettings[] = []
  readonly #secrets = new Map<number, KeptSecrets>()

  get size(): number {
    return this.#rows.size
  }

  /** A copy as an object. */
  get(id: number): ScheduleEntry | undefined {
    const row = this.#rows.get(id)
    return row === undefined ? undefined : this.#read(row)
  }

  put(entry: ScheduleEntry): void {
    const { monitor } = entry
    const row = this.#rows.get(monitor.id) ?? this.#add(monitor.id)
    const columns = this.#columns
    columns.id[row] = monitor.id
    columns.revision[row] = monitor.revision
    columns.slot[row] = monitor.slot
    columns.teamId[row] = monitor.teamId
    columns.changedMs[row] = monitor.changedMs
    columns.requestedMs[row] = monitor.requestedMs ?? Number.NaN
    columns.dueMs[row] = entry.dueMs
    columns.tickMs[row] = entry.tickMs ?? Number.NaN
    columns.endedMs[row] = entry.endedMs
    columns.unjudged[row] = Math.min(entry.unjudged, MAX_UNJUDGED)
    columns.tookTurns[row] = entry.tookTurns
    columns.begun[row] = Number(entry.begun)
    columns.wasUp[row] = Number(entry.wasUp)
    this.#urls[row] = monitor.url
    this.#shared[row] = monitor.shared
    if (monitor.secrets) this.#secrets.set(monitor.id, monitor.secrets)
    else this.#secrets.delete(monitor.id)
  }

  delete(id: number): void {
    const row = this.#rows.get(id)
    if (row === undefined) return
    this.#rows.delete(id)
    this.#secrets.delete(id)
    this.#moveLastTo(row)
    const { length } = this.#columns.id
    if (length > MIN_ROWS && this.size < length * MIN_USED) this.#makeRoomFor(this.size)
  }

  idsWhere(isWanted: (id: number, slot: number) => boolean): number[] {
    const { id, slot } = this.#columns
    const ids: number[] = []
    for (let row = 0; row < this.size; row++) {
      if (isWanted(id[row] as number, slot[row] as number)) ids.push(id[row] as number)
    }
    return ids
  }

  #read(row: number): ScheduleEntry {
    const columns = this.#columns
    const id = columns.id[row] as number
    const monitor = {
      id,
      revision: columns.revision[row] as number,
      slot: columns.slot[row] as number,
      teamId: columns.teamId[row] as number,
      changedMs: columns.changedMs[row] as number,
      requestedMs: timeOrNull(columns.requestedMs[row]),
      url: this.#urls[row] as string | null,
      secrets: this.#secrets.get(id) ?? null,
      shared: this.#shared[row] as SharedSettings,
    }
    const { intervalMs, phase, ownRegions } = rhythmOf(monitor)
    return {
      monitor,
      intervalMs,
      phase,
      ownRegions,
      dueMs: columns.dueMs[row] as number,
      tickMs: timeOrNull(columns.tickMs[row]),
      running: null,
      begun: columns.begun[row] === 1,
      unjudged: columns.unjudged[row] as number,
      wasUp: columns.wasUp[row] === 1,
      endedMs: columns.endedMs[row] as number,
      tookTurns: columns.tookTurns[row] as number,
    }
  }

  #add(id: number): number {
    const row = this.size
    if (row === this.#columns.id.length) this.#makeRoomFor(row + 1)
    this.#rows.set(id, row)
    return row
  }

  #moveLastTo(row: number): void {
    const last = this.size
    const url = this.#urls.pop() as string | null
    const shared = this.#shared.pop() as SharedSettings
    if (row === last) return
    this.#urls[row] = url
    this.#shared[row] = shared
    for (const column of Object.values(this.#columns)) column[row] = column[last] as number
    this.#rows.set(this.#columns.id[row] as number, row)
  }

  #makeRoomFor(rows: number): void {
    const columns = columnsFor(Math.max(MIN_ROWS, Math.ceil(rows * SPARE)))
    for (const name of Object.keys(columns) as (keyof Columns)[]) {
      columns[name].set(this.#columns[name].subarray(0, rows))
    }
    this.#columns = columns
  }
}

/** 58 bytes a row. Times are in milliseconds, NaN for null. */
function columnsFor(rows: number) {
  return {
    dueMs: new Float64Array(rows),
    tickMs: new Float64Array(rows),
    endedMs: new Float64Array(rows),
    changedMs: new Float64Array(rows),
    requestedMs: new Float64Array(rows),
    id: new Int32Array(rows),
    revision: new Int32Array(rows),
    teamId: new Int32Array(rows),
    slot: new Int16Array(rows),
    unjudged: new Uint8Array(rows),
    tookTurns: new Uint8Array(rows),
    begun: new Uint8Array(rows),
    wasUp: new Uint8Array(rows),
  }
}

function timeOrNull(ms: number | undefined): number | null {
  return ms === undefined || Number.isNaN(ms) ? null : ms
}
