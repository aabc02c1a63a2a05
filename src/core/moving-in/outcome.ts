import type { Said } from '../language/said.ts'
import type { MaintenanceWindow } from '../maintenance/window.ts'
import type { Declaration } from '../monitors/declaration.ts'
import type { StatusPage } from '../status-pages/status-page.ts'

/** The plan's shortest intervals. Monitors that are faster get the shortest one, with a note. */
export type Limits = { min_interval_minutes: number; min_interval_seconds: number }

/** A record that has no counterpart here. */
export type Skipped = { what: Said; reason: Said }

/** A difference between an imported record and the original. */
export type Note = { what: Said; note: Said }

/** The URL that a job pings at the other service; null if the export does not contain it. */
export type OldPing = { monitor: string; address: string | null }

/** A window whose monitors have names, as they have no IDs yet. */
export type DraftedWindow = { window: MaintenanceWindow; monitors: string[]; coversAll: boolean }

/** `monitors`: names of drafted ones, in their order. */
export type PageGroupFacts = { name: string; monitors: string[] }

/** A page whose monitors have names, as they have no IDs yet. */
export type DraftedPage = { page: StatusPage; isPublished: boolean; groups: PageGroupFacts[] }

/** The result of reading an export. */
export type Outcome = {
  declaration: Declaration
  windows: DraftedWindow[]
  pages: DraftedPage[]
  skipped: Skipped[]
  notes: Note[]
  pings: OldPing[]
}
