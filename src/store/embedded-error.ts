/** A plain sentence for the operator: what is wrong with the embedded database, and what to do. */
export class EmbeddedServerError extends Error {
  override name = 'EmbeddedServerError'
}
