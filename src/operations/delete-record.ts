import { type DeletedTable, deleteRecord } from '../store/records.ts'
import type { Actor } from './implementation.ts'
import type { Services } from './services.ts'

/** An operation that deletes the record in its path, and does nothing beside. */
export function deletionFrom(table: DeletedTable) {
  return {
    async perform({ db }: Services, { actor, record }: { actor: Actor; record: { id: number } }) {
      await db.transaction((query) => deleteRecord(query, table, actor.teamId, record.id))
      return {}
    },
  }
}
