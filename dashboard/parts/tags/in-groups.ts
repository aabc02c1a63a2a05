import { groupOf } from '../../../src/core/tags/tag-group.ts'

/** Rows in their order, each with the tag of the group that begins with it; undefined where none begins. */
export function inGroups<Row extends { tags: readonly string[] }>(
  rows: readonly Row[],
  key: string | undefined,
): { row: Row; begins: string | null | undefined }[] {
  let before: string | null | undefined
  return rows.map((row) => {
    const group = key === undefined ? undefined : groupOf(row.tags, key)
    const begins = group === before ? undefined : group
    before = group
    return { row, begins }
  })
}
