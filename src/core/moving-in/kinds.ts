/** The services that `upbeat import` supports. */
export const IMPORT_KINDS = ['uptime-kuma', 'healthchecks', 'gatus', 'uptimerobot'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]
