import { type Said, said } from '../../core/language/said.ts'
import { monitorTypesOf } from '../counterparts.ts'

/** Monitor types by their names in Uptime Kuma. */
export const KUMA_TYPES = monitorTypesOf('uptime-kuma')

const DATABASE = said('there are no monitors of this database: a tcp monitor of its port comes nearest')
const HOST = said('there are no monitors of what runs on a host: a heartbeat that it pings comes nearest')
const BROWSER = said('the browser of this service is named by its operator, in BROWSER_PATH')

/** Reasons to skip other types and tables, by their names in the export. */
export const KUMA_REASONS: Record<string, Said> = {
  pm2: HOST,
  'system-service': HOST,
  'tailscale-ping': said(
    'there are no monitors of Tailscale: an icmp monitor from a machine of that network comes nearest',
  ),
  oracledb: DATABASE,
  'remote browsers': BROWSER,
  'results of checks': said('history stays there: here it begins with the first check'),
  'API keys': said('tokens are made in the dashboard, or by upbeat token create'),
}

/** Names of the tables that are only counted. */
export const KUMA_OTHERS: Record<string, Said> = {
  'remote browsers': said('remote browsers'),
  'results of checks': said('results of checks'),
  'API keys': said('API keys'),
}
