import { phrase } from '../../language/phrase.ts'
import { CONNECTED, CONNECTED_OVER_TLS, DIALLED, type TypeEntry } from './entry.ts'

const WEB_SETTINGS = {
  url: 'needed',
  request_timeout_seconds: 'more',
  ssl_expiry_warning_days: 'more',
  http_method: 'more',
  expected_status_codes: 'more',
  request_headers: 'more',
  username: 'more',
  password: 'more',
} as const

const { http_method: _, expected_status_codes: __, ...HANDSHAKE_SETTINGS } = WEB_SETTINGS

const OF_HTTP = [
  'status_code',
  'header',
  'body',
  'json',
  'response_time_ms',
  'response_time_p95_ms',
  'certificate_days',
] as const
const WEB_SCHEMES = ['http', 'https'] as const
const WEB_PORTS = { http: 80, https: 443 } as const
const SOCKET_PORTS = { ws: 80, wss: 443 } as const

const WEB_URL = {
  ...DIALLED,
  schemes: WEB_SCHEMES,
  ports: WEB_PORTS,
  example: 'https://example.com',
} as const
/** Several courses through one shop are several monitors. */
const STEP_BY_STEP = {
  ...CONNECTED,
  group: 'web',
  url: WEB_URL,
  identity: ['url', 'name'],
  phases: [],
} as const

/** The types that ask websites. */
export const WEB_TYPES = {
  http: {
    ...CONNECTED_OVER_TLS,
    word: 'HTTP',
    title: 'HTTP',
    sentence: phrase('A URL responds with the status you expect.'),
    icon: 'globe',
    group: 'web',
    place: 1,
    url: WEB_URL,
    identity: ['url'],
    settings: WEB_SETTINGS,
    answer: OF_HTTP,
    importNames: {
      'uptime-kuma': ['http', 'json-query', 'rabbitmq'],
      gatus: ['http', 'https'],
      uptimerobot: ['HTTP'],
    },
    example: {
      name: 'Shop',
      url: 'https://shop.example.com/',
      check_interval_minutes: 1,
      notification_contact_ids: [7],
    },
  },
  ssl: {
    word: phrase('Certificate'),
    title: phrase('Certificate'),
    sentence: phrase('A TLS certificate is valid and not about to expire.'),
    icon: 'shield',
    group: 'web',
    place: 3,
    isProbed: true,
    landmark: 'connection',
    url: { ...DIALLED, schemes: ['https'], ports: WEB_PORTS, example: 'https://example.com' },
    identity: ['url'],
    settings: { url: 'needed', ssl_expiry_warning_days: 'first', request_timeout_seconds: 'more' },
    answer: [],
    phases: ['dns_ms', 'connect_ms', 'tls_ms'],
    intervals: { 21600: '6 h', 86400: '24 h' },
    usualIntervalSeconds: null,
    importNames: { gatus: ['tls'] },
    example: {
      name: 'Certificate',
      url: 'https://shop.example.com',
      check_interval_minutes: 60,
      ssl_expiry_warning_days: 21,
    },
  },
  keyword: {
    ...CONNECTED,
    word: phrase('Keyword'),
    title: phrase('Keyword on a page'),
    sentence: phrase('A page responds and contains a keyword.'),
    icon: 'text-search',
    group: 'web',
    place: 2,
    url: { ...DIALLED, schemes: WEB_SCHEMES, ports: WEB_PORTS, example: 'https://example.com/status' },
    identity: ['url', 'expected_keyword'],
    settings: { ...WEB_SETTINGS, expected_keyword: 'needed' },
    answer: OF_HTTP,
    phases: ['dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms', 'transfer_ms'],
    importNames: { 'uptime-kuma': ['keyword'], uptimerobot: ['KEYWORD'] },
    example: {
      name: 'Search',
      url: 'https://shop.example.com/search?q=tea',
      expected_keyword: 'results',
      check_interval_minutes: 5,
    },
  },
  websocket: {
    ...CONNECTED_OVER_TLS,
    word: 'WebSocket',
    title: 'WebSocket',
    sentence: phrase('A server opens a WebSocket, and sends the message you expect.'),
    icon: 'arrow-left-right',
    group: 'web',
    place: 8,
    url: { ...DIALLED, schemes: ['ws', 'wss'], ports: SOCKET_PORTS, example: 'wss://example.com/live' },
    identity: ['url'],
    settings: HANDSHAKE_SETTINGS,
    sends: true,
    answer: ['answer', 'json', 'response_time_ms', 'response_time_p95_ms', 'certificate_days'],
    importNames: { 'uptime-kuma': ['websocket-upgrade'], gatus: ['ws', 'wss'] },
    example: {
      name: 'Live prices',
      url: 'wss://shop.example.com/prices',
      check_interval_minutes: 1,
      options: {
        subprotocol: 'prices.v2',
      },
    },
  },
  steps: {
    ...STEP_BY_STEP,
    word: phrase('Several requests'),
    title: phrase('Several requests'),
    sentence: phrase('Requests that follow each other, such as signing in and ordering, all pass.'),
    icon: 'list-checks',
    place: 24,
    settings: { url: 'needed', request_timeout_seconds: 'more', ssl_expiry_warning_days: 'more' },
    ownOptions: ['steps', 'secrets', 'follow_redirects'],
    neededOptions: ['steps'],
    answer: ['response_time_ms', 'response_time_p95_ms', 'certificate_days'],
    importNames: {},
    example: {
      name: 'Checkout',
      url: 'https://shop.example.com/',
      check_interval_minutes: 5,
      options: {
        steps: [
          {
            name: 'sign in',
            method: 'POST',
            url: '/api/sessions',
            captures: { token: { source: 'json', property: '$.token' } },
          },
          { name: 'basket', method: 'GET', url: '/api/basket', headers: { Authorization: '{{token}}' } },
        ],
      },
    },
  },
  browser: {
    ...STEP_BY_STEP,
    word: phrase('Browser'),
    title: phrase('Browser'),
    sentence: phrase('A page shows in a real browser what visitors should see.'),
    icon: 'waypoints',
    place: 25,
    needs: 'browser',
    settings: { url: 'needed', request_timeout_seconds: 'more' },
    way: [],
    ownOptions: ['browser_steps', 'secrets'],
    answer: ['response_time_ms', 'response_time_p95_ms'],
    minIntervalSeconds: 60,
    intervals: { 21600: '6 h' },
    importNames: { 'uptime-kuma': ['real-browser'] },
    example: {
      name: 'Checkout',
      url: 'https://shop.example.com/',
      check_interval_minutes: 5,
    },
  },
} as const satisfies Record<string, TypeEntry>
