/** A problem of the embedded database and its remedy, as a sentence for the operator. */
export class EmbeddedServerError extends Error {
  override name = 'EmbeddedServerError'
}

export const FILES_GONE =
  'The files of the database have gone from under its server: stop every Upbeat that uses this DATA_DIR, bring the ' +
  'files back from a copy, or delete the rest and restore a backup.'
