/** A plain sentence for the operator: what is wrong with the embedded database, and what to do. */
export class EmbeddedServerError extends Error {
  override name = 'EmbeddedServerError'
}

export const FILES_GONE =
  'The files of the database have gone from under its server: stop every Upbeat that uses this DATA_DIR, bring the ' +
  'files back from a copy, or delete the rest and restore a backup.'
