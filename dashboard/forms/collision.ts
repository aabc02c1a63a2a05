import type { AuditEntry } from '../../src/core/teams/audit.ts'
import { ask } from '../data/ask.ts'
import type { Controls } from './controls.ts'
import type { Draft } from './draft.ts'

/** Someone else saved other values for fields that are being changed here. The form saves nothing then. */
export type Collision = {
  /** The newest entry of the audit log about it, or null. */
  by: AuditEntry | null
  names: string[]
  theirs: Draft
}

/** Access to the current version of the record that is being edited. */
export type Latest = {
  controls: Controls
  read: () => Promise<Draft>
  /** Finds the newest entry of the audit log that changed one of these fields. */
  who: (names: string[]) => Promise<AuditEntry | null>
  labelOf: (name: string) => string
  /** Describes a value in words, for fields whose own text says nothing. */
  say?: (name: string, draft: Draft) => string | undefined
}

const SHOWN_ENTRIES = 50

/** The newest entry of the audit log about one of these fields of a record; null if it cannot be found. */
export async function whoChanged(
  team: number,
  record: { id: number; actions: readonly string[] },
  names: string[],
): Promise<AuditEntry | null> {
  // The log lists `config` for any field of a config.
  const fields = new Set(names.map((name) => name.split('.')[0]))
  try {
    const { data } = await ask(team, 'listAuditEntries', { query: { page: 1, per_page: SHOWN_ENTRIES } })
    const isIt = ({ subject_id, action, fields: sent }: AuditEntry) =>
      subject_id === record.id && record.actions.includes(action) && sent.some((field) => fields.has(field))
    return data.find(isIt) ?? null
  } catch {
    return null
  }
}
