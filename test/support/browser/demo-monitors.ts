import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import type { MonitorSettings } from '../../../src/core/monitors/monitor.ts'

export type DemoMonitor = {
  name: string
  settings: Partial<MonitorSettings>
  status: CheckStatus
  /** Typical response time; null: it has none. */
  ms: number | null
  /** When it was down, in hours ago; the last one of a monitor that is down lasts. Those of one under maintenance were planned. */
  outages: { hoursAgo: number; minutes: number; cause: string }[]
  certificateDays?: number
}

type Rest = Partial<Omit<DemoMonitor, 'name' | 'settings'>>

function monitor(name: string, settings: Partial<MonitorSettings>, rest: Rest = {}): DemoMonitor {
  return { name, settings, status: 'up', ms: 90, outages: [], ...rest }
}

const web = (name: string, url: string, rest: Rest = {}, settings: Partial<MonitorSettings> = {}) =>
  monitor(name, { type: 'http', url, ...settings }, { certificateDays: 61, ...rest })

const down = (hoursAgo: number, minutes: number, cause: string) => ({ hoursAgo, minutes, cause })

const SLOW = 'no answer within 30 s (connected, waiting for the first byte)'
const WAREHOUSE = 'HTTP 502 (expected 200)'
const SERVICES = 'Billing,Search,Images,Sign-in,Invoices,Catalogue,Reviews,Stock,Partners,Reports'.split(',')

export const DEMO_MONITORS: readonly DemoMonitor[] = [
  web('Shop', 'https://shop.example.com/', { ms: 120, outages: [down(412, 9, SLOW), down(30, 4, SLOW)] }),
  web(
    'Checkout',
    'https://shop.example.com/checkout',
    {
      ms: 210,
      status: 'down',
      outages: [
        down(1_300, 22, 'HTTP 502 (expected 200, 204)'),
        down(0.3, 18, 'HTTP 503 (expected 200, 204)'),
      ],
    },
    {
      check_interval_seconds: 30,
      expected_status_codes: [200, 204],
      request_headers: { Accept: 'text/html' },
    },
  ),
  monitor(
    'Status page says OK',
    { type: 'keyword', url: 'https://www.example.com/status', expected_keyword: 'All systems operational' },
    { ms: 64, certificateDays: 61 },
  ),
  monitor(
    'Certificate of the shop',
    { type: 'ssl', url: 'https://shop.example.com', check_interval_minutes: 60 },
    { ms: 31, status: 'degraded', certificateDays: 6 },
  ),
  monitor(
    'Certificate of the mail server',
    { type: 'ssl', url: 'https://mail.example.com:465', check_interval_minutes: 60 },
    { ms: 28, certificateDays: 43 },
  ),
  monitor('Database primary', { type: 'tcp', url: 'tcp://db1.example.com', port: 5432 }, { ms: 3 }),
  monitor(
    'Database replica',
    { type: 'tcp', url: 'tcp://db2.example.com', port: 5432 },
    {
      ms: 4,
      status: 'down',
      outages: [down(26, 1_560, 'connection refused by 203.0.113.7:5432')],
    },
  ),
  monitor('Router of the office', { type: 'icmp', url: 'ping://gw.example.com' }, { ms: 12 }),
  monitor('Nightly backup', { type: 'heartbeat', check_interval_seconds: 86_400 }, { ms: null }),
  monitor(
    'Invoices by mail',
    { type: 'heartbeat', check_interval_minutes: 60 },
    { ms: null, status: 'down', outages: [down(3, 180, 'no ping within 1 h')] },
  ),
  monitor(
    'New queue worker',
    { type: 'heartbeat', check_interval_minutes: 5 },
    { ms: null, status: 'pending' },
  ),
  web('Warehouse', 'https://warehouse.example.com/', {
    ms: 160,
    status: 'maintenance',
    outages: [down(47, 80, WAREHOUSE), down(30, 300, WAREHOUSE), down(1.4, 0, WAREHOUSE)],
  }),
  web('Staging', 'https://staging.example.com/', {}, { is_active: false }),
  web(
    'The storefront of the southern region as customers see it, with every redirect and the consent page before it',
    'https://a-subdomain-that-is-long.shop.southern-region.example.com/a/path/that/goes/on/and/on?with=a&query=too',
  ),
  web(
    'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikationsüberwachung',
    'https://fabrik.example.org/',
  ),
  ...SERVICES.map((name, index) =>
    web(`${name} API`, `https://api.example.com/v2/${name.toLowerCase()}`, {
      ms: 40 + 17 * index,
      outages: index % 4 === 1 ? [down(60 + 170 * index, 3 + index, 'HTTP 500 (expected 200)')] : [],
    }),
  ),
  ...['de', 'fr', 'it', 'pl', 'es', 'nl', 'se', 'jp'].map((country, index) =>
    web(`Website ${country.toUpperCase()}`, `https://www.example.com/${country}/`, { ms: 70 + 21 * index }),
  ),
  ...['lon', 'nyc', 'sgp', 'tor'].map((place, index) =>
    monitor(
      `Edge ${place}`,
      { type: 'icmp', url: `ping://${place}.edge.example.com` },
      { ms: 8 + 31 * index },
    ),
  ),
  ...['cache', 'search', 'queue'].map((name) =>
    monitor(`${name} port`, { type: 'tcp', url: `tcp://${name}.example.com`, port: 6379 }, { ms: 2 }),
  ),
]

export const DEMO_CONTACTS = [
  { name: 'On call', type: 'email', config: { email: 'oncall@example.com' } },
  {
    name: '#incidents',
    type: 'slack',
    config: { webhook_url: 'https://hooks.slack.example.com/services/T01/B02/abcdefghijklmnop' },
  },
  {
    name: 'Community channel',
    type: 'discord',
    config: { webhook_url: 'https://discord.example.com/api/webhooks/123456789/abcdefghijklmnop' },
    notify_on_recovery: false,
  },
  {
    name: 'Engineers',
    type: 'telegram',
    config: { bot_token: '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1', chat_id: '-1001234567890' },
  },
  {
    name: 'Ticket system of the whole company, second instance',
    type: 'webhook',
    config: { url: 'https://tickets.example.com/hooks/upbeat/0123456789abcdef0123456789abcdef' },
  },
]
