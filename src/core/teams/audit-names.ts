import { ofEachField, ofEachKind, type SubjectKind } from '../maintenance/subject-kind.ts'
import type { AuditChange } from './audit-values.ts'

/** The records that values of the audit log refer to by their ids, by the table that has their names. */
export type NamedTable = 'contacts' | 'escalation_policies' | `${SubjectKind}s`

/** Fields of the log that hold ids. */
export const ID_FIELDS: Readonly<Record<string, NamedTable>> = {
  contact_ids: 'contacts',
  notification_contact_id: 'contacts',
  policy_id: 'escalation_policies',
  ...ofEachField('_ids', (kind) => `${kind}s` as const),
  'options depends_on': 'monitors',
  'options members': 'monitors',
}

/** `ids` of a change of tags are those of the kind beside them. */
const OF_KIND: Readonly<Record<string, NamedTable>> = ofEachKind((kind) => `${kind}s` as const)

const IDS = /^\d+(?:, \d+)*(?<cut>(?:, )?…)?$/

type Change = Pick<AuditChange, 'field' | 'before' | 'after'>
export type Names = ReadonlyMap<number, string>

function tableOf({ field }: Change, beside: readonly Change[]): NamedTable | undefined {
  if (field !== 'ids') return ID_FIELDS[field]
  return OF_KIND[beside.find((change) => change.field === 'kind')?.after ?? '']
}

/** The ids that a value is; none if it is something else. Of a value that was cut the last one may lack digits. */
function idsOf(value: string | null): number[] {
  const found = value === null ? null : IDS.exec(value)
  if (!found) return []
  const ids = found[0].replace('…', '').split(', ').filter(Boolean).map(Number)
  return found.groups?.cut?.startsWith('…') ? ids.slice(0, -1) : ids
}

/** The ids in changes, by the table that has their names. */
export function idsIn(changes: readonly Change[]): Map<NamedTable, Set<number>> {
  const found = new Map<NamedTable, Set<number>>()
  for (const change of changes) {
    const table = tableOf(change, changes)
    if (!table) continue
    const ids = found.get(table) ?? new Set()
    for (const id of [...idsOf(change.before), ...idsOf(change.after)]) ids.add(id)
    found.set(table, ids)
  }
  return found
}

/** The same changes with the name before each id that has one: `Shop (3), 7`. */
export function withNames(changes: AuditChange[], names: ReadonlyMap<NamedTable, Names>): AuditChange[] {
  return changes.map((change) => {
    const table = tableOf(change, changes)
    const known = table && names.get(table)
    return known
      ? { ...change, before: named(change.before, known), after: named(change.after, known) }
      : change
  })
}

function named(value: string | null, names: Names): string | null {
  if (value === null) return null
  const ids = new Set(idsOf(value))
  return value
    .split(', ')
    .map((part) => {
      const name = ids.has(Number(part)) ? names.get(Number(part)) : undefined
      return name === undefined ? part : `${name} (${part})`
    })
    .join(', ')
}
