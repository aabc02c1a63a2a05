import { monitorTypesOf } from '../counterparts.ts'
import { BY_PORT, NO_DNS, NO_GRPC, NO_JSON, NO_WEBSOCKETS } from '../reasons.ts'

/** Monitor types by their names in Uptime Kuma. */
export const KUMA_TYPES = monitorTypesOf('uptime-kuma')

const GAME = 'there are no monitors of game servers'
const DATABASE = `there are no monitors that query a database: ${BY_PORT}`
const QUEUE = `there are no monitors of message queues: ${BY_PORT}`
const HOST = 'there are no monitors of what runs on a host: a heartbeat that it pings comes nearest'
const BROWSER = 'there are no monitors that use a browser: a keyword monitor comes nearest'

/** Reasons to skip other types and tables, by their names in the export. */
export const KUMA_REASONS: Record<string, string> = {
  'json-query': NO_JSON,
  'grpc-keyword': NO_GRPC,
  'websocket-upgrade': NO_WEBSOCKETS,
  'real-browser': BROWSER,
  dns: NO_DNS,
  group: 'there are no groups of monitors: its monitors come over by themselves',
  docker: HOST,
  pm2: HOST,
  'system-service': HOST,
  manual: 'there are no monitors that people switch: nothing is checked',
  smtp: `there are no monitors of mail servers: ${BY_PORT}`,
  'sip-options': `there are no monitors of SIP: ${BY_PORT}`,
  snmp: 'there are no monitors of SNMP',
  ntp: 'there are no monitors of time servers',
  radius: 'there are no monitors of RADIUS',
  globalping: 'there are no monitors by Globalping: an icmp, tcp or http monitor comes nearest',
  'tailscale-ping':
    'there are no monitors of Tailscale: an icmp monitor from a machine of that network comes nearest',
  mqtt: QUEUE,
  rabbitmq: QUEUE,
  'kafka-producer': QUEUE,
  sqlserver: DATABASE,
  postgres: DATABASE,
  mysql: DATABASE,
  mongodb: DATABASE,
  oracledb: DATABASE,
  redis: DATABASE,
  steam: GAME,
  gamedig: GAME,
  proxies: 'checks go straight to their targets',
  'docker hosts': HOST,
  'remote browsers': BROWSER,
  'results of checks': 'history stays there: here it begins with the first check',
  'API keys': 'tokens are made in the dashboard, or by upbeat token create',
}
