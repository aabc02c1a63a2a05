import type { AuditEntry } from '../../src/core/teams/audit.ts'
import { ask } from '../data/ask.ts'
import type { Controls } from './controls.ts'
import type { Draft } from './draft.ts'

/** Somebody else saved other values for fields that are being changed here. Nothing of this form is saved then. */
export type Collision = {
  /** The newest entry of the audit log that tells of it; null where none does. */
  by: AuditEntry | null
  names: string[]
  theirs: Draft
}

/** The way to what is being edited, as it is now. */
export type Latest = {
  controls: Controls
  read: () => Promise<Draft>
  /** Finds the last entry of the audit log that changed these fields. */
  who: (names: string[]) => Promise<AuditEntry | null>
  labelOf: (name: string) => string
  /** What a field holds, in words, where its own text says nothing. */
  say?: (name: string, draft: Draft) => string | undefined
}

const SHOWN_ENTRIES = 50

/** The newest entry of the audit log about one of these fields of a record; null where that cannot be told. */
export async function whoChanged(
  team: number,
  record: { id: number; actions: readonly string[] },
  names: string[],
): Promise<AuditEntry | null> {
  // The log names the fields of a config by the config.
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
