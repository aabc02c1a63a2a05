/** The services that `upbeat import` supports. */
export const IMPORT_KINDS = ['uptime-kuma', 'healthchecks', 'gatus', 'uptimerobot', 'postman'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** Their names. */
export const IMPORT_NAMES: Record<ImportKind, string> = {
  'uptime-kuma': 'Uptime Kuma',
  healthchecks: 'Healthchecks',
  gatus: 'Gatus',
  uptimerobot: 'UptimeRobot',
  postman: 'Postman',
}
