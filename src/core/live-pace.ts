/**
 * Interval of the keep-alive event on a stream without news. Proxies cut connections that are silent for a
 * minute or less.
 */
export const ALIVE_EVERY_MS = 4_000
/** A page that receives nothing for this long has lost its connection: two keep-alive events are missing. */
export const SILENT_AFTER_MS = 10_000
