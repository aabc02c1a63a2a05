import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { askedBy } from '../support/imports/as-imported.ts'
import { writeKumaDatabase } from '../support/imports/kuma-database.ts'
import {
  fromUptimeRobot,
  notesOn,
  type PrintedOutcome,
  readExport,
  TERMS,
} from '../support/imports/read-exports.ts'
import { suiteScope } from '../support/scope.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * The kinds of monitors that configurations of real users have, one row each, in our own words. What an import says of one
 * is in its row: it must say nothing else.
 */

type Kind = {
  kind: string
  type: string
  /** The expectations of the answer, as docs/moving-in.md writes them. */
  asked?: string[]
  /** Options but assertions. */
  options?: object
  notes?: string[]
  tags?: string[]
  /** Where it is not that of the row. */
  url?: string
}

/** Every monitor without contacts has this note, and most of these are such. */
const NO_CONTACTS = 'has no contacts of its own: here, every contact of the team is alerted then'

function prove(
  outcome: PrintedOutcome,
  name: string,
  { type, url, asked = [], options = {}, notes = [], tags }: Kind,
): void {
  const monitor = outcome.declaration.monitors.find((each) => each.name === name)
  assert.ok(monitor, JSON.stringify(outcome.skipped))
  const others = Object.fromEntries(
    Object.entries(monitor.options ?? {}).filter(([name]) => name !== 'assertions'),
  )
  assert.deepEqual(
    { type: monitor.type, asked: askedBy(monitor), options: others, tags: monitor.tags },
    { type, asked, options, tags },
  )
  if (url !== undefined) assert.equal(monitor.url, url)
  assert.deepEqual(
    notesOn(outcome, name).filter((note) => note !== NO_CONTACTS),
    notes,
  )
}

const OK = ['expected_status_codes 200']

const GATUS: (Kind & { lines: string })[] = [
  {
    kind: 'a page that answers in time',
    lines: `
      url: https://a.example/
      conditions: ["[STATUS] == 200", "[RESPONSE_TIME] < 750"]`,
    type: 'http',
    asked: [...OK, 'response_time_ms less_than 750'],
  },
  {
    kind: 'one that may be slow for a while, with reminders',
    lines: `
      url: https://a.example/
      interval: 30s
      conditions: ["[STATUS] == 200"]
      alerts:
        - type: slack
          failure-threshold: 5
          success-threshold: 3
          minimum-reminder-interval: 6h
          send-on-resolved: true`,
    type: 'http',
    asked: OK,
    options: { attempts: 5, retry_seconds: 30, recovery_checks: 3, repeat_minutes: 360 },
  },
  {
    kind: 'a health check that answers JSON',
    lines: `
      url: https://a.example/actuator/health
      conditions: ["[STATUS] == 200", "[BODY].status == UP", "[BODY].components.db.status == any(UP, UNKNOWN)"]`,
    type: 'http',
    asked: [...OK, 'json $.status equals "UP"', 'json $.components.db.status one_of ["UP","UNKNOWN"]'],
  },
  {
    kind: 'lists and members of JSON',
    lines: `
      url: https://a.example/api
      conditions: ["[STATUS] < 300", "len([BODY].items) > 3", "has([BODY].errors) == false", "[BODY].items[0].id == pat(it-*)"]`,
    type: 'http',
    asked: [
      'status_code at_most 299',
      'json $[?length($.items) > 3] exists',
      'json $.errors not_matches "^$|[^nul]"',
      'json $.items[0].id starts_with "it-"',
    ],
  },
  {
    kind: 'a text on a page, whose certificate lasts',
    lines: `
      url: https://a.example/
      conditions: ["[STATUS] == any(200, 302)", "[BODY] == pat(*<title>Shop</title>*)", "[CERTIFICATE_EXPIRATION] > 240h"]`,
    type: 'keyword',
    asked: [...OK, 'expected_keyword "<title>Shop</title>"', 'certificate_days at_least 10'],
  },
  {
    kind: 'a page that asks for a sign-in',
    lines: `
      url: https://a.example/admin
      headers: {Host: a.example, Accept: text/html}
      conditions: ["[STATUS] == 401"]`,
    type: 'http',
    asked: ['expected_status_codes 401'],
  },
  {
    kind: 'anything that answers',
    lines: `
      url: https://a.example/
      conditions: ["[CONNECTED] == true"]`,
    type: 'http',
  },
  {
    kind: 'a port',
    lines: `
      url: tcp://a.example:5432
      conditions: ["[CONNECTED] == true"]`,
    type: 'tcp',
  },
  {
    kind: 'a port that must be closed',
    lines: `
      url: tcp://a.example:23
      conditions: ["[CONNECTED] == false"]`,
    type: 'tcp',
    options: { inverted: true },
  },
  {
    kind: 'a host that answers echoes within two seconds',
    lines: `
      url: icmp://192.0.2.9
      group: Network
      conditions: ["[CONNECTED] == true", "[RESPONSE_TIME] < 2s"]`,
    type: 'icmp',
    notes: ['was down when it was slow: here it is down after its timeout'],
    tags: ['group:network'],
  },
  {
    kind: 'a host that answers echoes at once',
    lines: `
      url: icmp://192.0.2.9
      conditions: ["[CONNECTED] == true", "[RESPONSE_TIME] < 50"]`,
    type: 'icmp',
    notes: [
      'its condition [RESPONSE_TIME] < 50 is not checked here: only http and keyword monitors read that of an answer',
    ],
  },
  {
    kind: 'a name',
    lines: `
      url: 192.0.2.53
      dns: {query-name: a.example., query-type: A}
      conditions: ["[DNS_RCODE] == NOERROR", "[BODY] == 192.0.2.9", "[RESPONSE_TIME] < 500"]`,
    type: 'dns',
    asked: ['answer matches "(?m)^192\\\\.0\\\\.2\\\\.9$"', 'response_time_ms less_than 500'],
    options: { resolver: '192.0.2.53' },
  },
  {
    kind: 'the mail servers of a name',
    lines: `
      url: 192.0.2.53:5353
      dns: {query-name: a.example, query-type: MX}
      conditions: ["[BODY] == any(Mx1.a.example., mx2.a.example.)", "[BODY] != mx3.a.example."]`,
    type: 'dns',
    asked: ['answer matches "(?m)^\\\\d+ (?:mx1\\\\.a\\\\.example|mx2\\\\.a\\\\.example)$"'],
    options: { record_type: 'MX', resolver: '192.0.2.53:5353' },
    notes: [
      'its condition [BODY] != mx3.a.example. is not checked here: records are compared as a whole, or by a part of them, and each by itself',
    ],
  },
  {
    kind: 'a WebSocket that answers',
    lines: `
      url: wss://a.example/live
      headers: {Origin: "https://a.example"}
      body: '{"ping": 1}'
      conditions: ["[CONNECTED] == true", "[BODY].pong == 1", "[BODY] == pat(*pong*)", "[HEADER].Server == x"]`,
    type: 'websocket',
    asked: ['answer contains "pong"', 'json $.pong one_of [1,"1"]'],
    options: { send: '{"ping": 1}' },
    notes: ['its condition [HEADER].Server == x is not checked here: a message has no headers'],
  },
  {
    kind: 'a WebSocket that says anything',
    lines: `
      url: ws://a.example/live
      client: {insecure: true}
      conditions: ["[CONNECTED] == true", "[RESPONSE_TIME] < 500"]`,
    type: 'websocket',
    asked: ['answer exists', 'response_time_ms less_than 500'],
    options: { tls: { verify: false } },
  },
  {
    kind: 'a certificate',
    lines: `
      url: tls://mail.a.example:993
      conditions: ["[CONNECTED] == true", "[CERTIFICATE_EXPIRATION] > 48h"]`,
    type: 'ssl',
    notes: ['was down when its certificate expired soon: here that is a warning, and down is an expired one'],
  },
  {
    kind: 'a domain that must not expire',
    lines: `
      url: https://a.example/
      interval: 1h
      conditions: ["[STATUS] == 200", "[DOMAIN_EXPIRATION] > 720h"]`,
    type: 'http',
    asked: OK,
    notes: [
      'its condition [DOMAIN_EXPIRATION] > 720h is not checked here: add a domain monitor, which watches until when a domain is registered',
    ],
  },
  {
    kind: 'a mail server',
    lines: `
      url: starttls://mail.a.example:587
      conditions: ["[CONNECTED] == true"]`,
    type: 'smtp',
    options: { security: 'starttls' },
  },
  {
    kind: 'an SSH server',
    lines: `
      url: ssh://a.example:22
      conditions: ["[CONNECTED] == true", "[STATUS] == 0"]`,
    type: 'ssh',
  },
  {
    kind: 'a port that answers',
    lines: `
      url: tcp://a.example:6379
      body: PING
      conditions: ["[CONNECTED] == true", "[BODY] == pat(*PONG*)"]`,
    type: 'tcp',
    asked: ['answer contains "PONG"'],
    options: { send: 'PING' },
  },
  {
    kind: 'a packet',
    lines: `
      url: udp://a.example:7
      body: hello
      conditions: ["[CONNECTED] == true"]`,
    type: 'udp',
    asked: ['answer exists'],
    options: { send: 'hello' },
  },
  {
    kind: 'a gRPC server',
    lines: `
      url: grpcs://a.example:50051
      headers: {x-token: a}
      conditions: ["[CONNECTED] == true", "[BODY].status == SERVING"]`,
    type: 'grpc',
    asked: ['json $.status equals "SERVING"'],
  },
]

const GATUS_SKIPPED: [kind: string, lines: string, reason: RegExp][] = [
  [
    'a name that must not be there',
    `
      url: 192.0.2.53
      dns: {query-name: a.example, query-type: A}
      conditions: ["[DNS_RCODE] == NXDOMAIN"]`,
    /^is up with another code than NOERROR/,
  ],
  [
    'a command by SSH',
    `
      url: ssh://a.example:22
      ssh: {username: probe, password: secret}
      conditions: ["[CONNECTED] == true"]`,
    /^signs in and runs a command/,
  ],
  [
    'a packet of nothing',
    `
      url: udp://a.example:53
      conditions: ["[CONNECTED] == true"]`,
    /^sends nothing, and is up whatever happens/,
  ],
]

describe('kinds of endpoints of Gatus', () => {
  const scope = suiteScope()
  let outcome: PrintedOutcome

  before(async () => {
    const file = join(temporaryFolder(scope), 'config.yaml')
    const all = [
      ...GATUS.map(({ kind, lines }) => [kind, lines]),
      ...GATUS_SKIPPED.map(([kind, lines]) => [kind, lines]),
    ]
    const endpoints = all.map(
      ([kind, lines = '']) => `  - name: ${kind}\n${lines.replace(/^\n/, '').replaceAll(/^ {2}/gm, '')}\n`,
    )
    const slack = 'alerting: {slack: {webhook-url: "https://hooks.slack.example/services/T0/B0/x"}}'
    writeFileSync(file, `${slack}\nendpoints:\n${endpoints.join('')}`)
    outcome = await readExport('gatus', [file], TERMS)
  })

  // Names of monitors with a group begin with it.
  for (const row of GATUS)
    it(row.kind, () => prove(outcome, row.tags ? `Network/${row.kind}` : row.kind, row))

  for (const [kind, , reason] of GATUS_SKIPPED)
    it(`${kind} is skipped with a reason`, () =>
      assert.match(outcome.skipped.find(({ what }) => what === kind)?.reason ?? '', reason))

  it('and nothing else is said', () => assert.equal(outcome.skipped.length, GATUS_SKIPPED.length))
})

const SUCCESS = ['status_code at_least 200', 'status_code at_most 299']
const AT_ONCE = { maxretries: 0, interval: 60 }

const KUMA: (Kind & { row: Record<string, string | number> })[] = [
  { kind: 'a page', row: { type: 'http', ...AT_ONCE }, type: 'http', asked: SUCCESS },
  {
    kind: 'a page that is tried again, and told of again',
    row: { type: 'http', interval: 60, maxretries: 3, retry_interval: 30, resend_interval: 60 },
    type: 'http',
    asked: SUCCESS,
    options: { attempts: 4, retry_seconds: 30, repeat_minutes: 60 },
  },
  {
    kind: 'a text',
    row: { type: 'keyword', keyword: 'Welcome', accepted_statuscodes_json: '["200", "401"]', ...AT_ONCE },
    type: 'keyword',
    asked: ['expected_status_codes 200, 401', 'expected_keyword "Welcome"'],
  },
  {
    kind: 'a text that must be missing',
    row: { type: 'keyword', keyword: 'Fatal error', invert_keyword: 1, ...AT_ONCE },
    type: 'http',
    asked: [...SUCCESS, 'body not_contains "Fatal error"'],
  },
  {
    kind: 'a value in JSON',
    row: {
      type: 'json-query',
      json_path: 'data.state',
      json_path_operator: '==',
      expected_value: 'ok',
      ...AT_ONCE,
    },
    type: 'http',
    asked: [...SUCCESS, 'json $.data.state equals "ok"'],
  },
  {
    kind: 'a number in JSON',
    row: {
      type: 'json-query',
      json_path: '$.queue[0].size',
      json_path_operator: '<',
      expected_value: '10',
      ...AT_ONCE,
    },
    type: 'http',
    asked: [...SUCCESS, 'json $.queue[0].size less_than 10'],
  },
  {
    kind: 'a page that must be away',
    row: { type: 'http', upside_down: 1, ...AT_ONCE },
    type: 'http',
    asked: SUCCESS,
    options: { inverted: true },
  },
  { kind: 'a port', row: { type: 'port', hostname: 'a.example', port: 22, ...AT_ONCE }, type: 'tcp' },
  {
    kind: 'a port with TLS',
    row: { type: 'port', hostname: 'a.example', port: 636, smtp_security: 'secure', ...AT_ONCE },
    type: 'tcp',
    options: { security: 'implicit' },
  },
  {
    kind: 'a mail server',
    row: { type: 'smtp', hostname: 'a.example', port: 587, smtp_security: 'starttls', ...AT_ONCE },
    type: 'smtp',
    options: { security: 'starttls' },
  },
  {
    kind: 'a mail server with TLS',
    row: { type: 'smtp', hostname: 'a.example', port: 465, smtp_security: 'secure', ...AT_ONCE },
    type: 'smtp',
  },
  { kind: 'a host', row: { type: 'ping', hostname: '192.0.2.9', ...AT_ONCE }, type: 'icmp' },
  {
    kind: 'a name',
    row: { type: 'dns', hostname: 'a.example', dns_resolve_server: '1.1.1.1', port: 53, ...AT_ONCE },
    type: 'dns',
    options: { resolver: '1.1.1.1' },
  },
  {
    kind: 'the mail servers of a name',
    row: {
      ...{
        type: 'dns',
        hostname: 'a.example',
        dns_resolve_type: 'MX',
        dns_resolve_server: '192.0.2.53',
        port: 5353,
      },
      conditions:
        '[{"type": "expression", "variable": "record", "operator": "equals", "value": "Mail.a.example", "andOr": "and"}]',
      ...AT_ONCE,
    },
    type: 'dns',
    asked: ['answer matches "(?m)^\\\\d+ mail\\\\.a\\\\.example$"'],
    options: { record_type: 'MX', resolver: '192.0.2.53:5353' },
  },
  {
    kind: 'a WebSocket',
    row: {
      ...{ type: 'websocket-upgrade', url: 'wss://a.example/live', ws_subprotocol: 'chat, other' },
      ...{ accepted_statuscodes_json: '["1000"]', headers: '{"Origin": "https://a.example"}', ...AT_ONCE },
    },
    type: 'websocket',
    options: { subprotocol: 'chat, other' },
  },
  {
    kind: 'a table',
    row: {
      ...{
        type: 'postgres',
        database_connection_string: 'postgres://ada:s%20x@a.example:5433/shop?sslmode=no-verify',
      },
      ...{ database_query: 'SELECT count(*) FROM jobs', ...AT_ONCE },
      conditions:
        '[{"type": "expression", "variable": "result", "operator": "lt", "value": "10", "andOr": "and"}]',
    },
    type: 'postgresql',
    asked: ['answer less_than 10'],
    options: { query: 'SELECT count(*) FROM jobs', security: 'starttls', tls: { verify: false } },
    notes: ['had its user name and password in the URL: they stand in fields of their own now'],
  },
  {
    kind: 'a table of MariaDB',
    row: {
      type: 'mysql',
      database_connection_string: 'mysql://ada@a.example/shop',
      radius_password: 's x',
      ...AT_ONCE,
    },
    type: 'mysql',
    notes: ['had its user name and password in the URL: they stand in fields of their own now'],
  },
  {
    kind: 'a cache',
    row: {
      ...{ type: 'redis', database_connection_string: 'rediss://a.example:6380', ignore_tls: 1, ...AT_ONCE },
      conditions:
        '[{"type": "expression", "variable": "result", "operator": "not_starts_with", "value": "x", "andOr": "and"}]',
    },
    type: 'redis',
    options: { tls: { verify: false } },
    notes: ['had conditions on its result that no assertion says: here any result will do'],
  },
  {
    kind: 'documents',
    row: {
      ...{ type: 'mongodb', database_query: '{"replSetGetStatus": 1}', ...AT_ONCE },
      database_connection_string:
        'mongodb://ada:s%20x@a.example:27018,b.example/shop?authSource=people&tls=true&replicaSet=rs0',
      ...{ json_path: 'members[0].stateStr', expected_value: 'PRIMARY' },
    },
    type: 'mongodb',
    url: 'mongodb://a.example:27018,b.example/shop?authSource=people',
    asked: ['json $.members[0].stateStr equals "PRIMARY"'],
    options: { query: '{"replSetGetStatus": 1}', security: 'implicit' },
    notes: ['had its user name and password in the URL: they stand in fields of their own now'],
  },
  {
    kind: 'documents of a service',
    row: {
      ...{ type: 'mongodb', database_connection_string: 'mongodb+srv://a.example/shop', ...AT_ONCE },
      ...{ database_query: '{"hello": 1}', json_path: 'isWritablePrimary' },
    },
    type: 'mongodb',
    asked: ['json $.isWritablePrimary exists'],
    options: { query: '{"hello": 1}' },
  },
  {
    kind: 'a table of SQL Server',
    row: {
      ...{ type: 'sqlserver', database_query: 'SELECT count(*) FROM jobs', ...AT_ONCE },
      database_connection_string:
        'Server=tcp:a.example,1434;Initial Catalog=shop;User Id=ada;Password="s;x";Encrypt=true;TrustServerCertificate=Yes',
      conditions: '[{"type": "expression", "variable": "result", "operator": "equals", "value": "0"}]',
    },
    type: 'sqlserver',
    url: 'sqlserver://a.example:1434/shop',
    asked: ['answer one_of [0,"0"]'],
    options: { query: 'SELECT count(*) FROM jobs', security: 'starttls', tls: { verify: false } },
    notes: ['had its user name and password in the URL: they stand in fields of their own now'],
  },
  {
    kind: 'an instance of SQL Server',
    row: {
      ...{ type: 'sqlserver', ...AT_ONCE },
      database_connection_string: "server=a.example\\SQLEXPRESS; uid=ada; pwd='it''s'; encrypt=strict",
    },
    type: 'sqlserver',
    options: { security: 'implicit' },
    url: 'sqlserver://a.example',
    notes: [
      'had its user name and password in the URL: they stand in fields of their own now',
      'asked which port an instance has: here the URL must name it, and leads to 1433 until then',
    ],
  },
  {
    kind: 'a broker of MQTT',
    row: {
      ...{ type: 'mqtt', hostname: 'a.example', port: 1883, mqtt_topic: 'hall', mqtt_success_message: 'on' },
      ...{ mqtt_username: 'ada', mqtt_password: 'sesame', ...AT_ONCE },
    },
    type: 'mqtt',
    asked: ['answer contains "on"'],
    options: { topic: 'hall' },
  },
  {
    kind: 'a broker of MQTT with TLS, and a value in JSON',
    row: {
      ...{ type: 'mqtt', hostname: 'mqtts://a.example', port: 8883, mqtt_topic: 'hall', json_path: 'state' },
      ...{ mqtt_check_type: 'json-query', expected_value: 'on', ...AT_ONCE },
    },
    type: 'mqtt',
    asked: ['json $.state equals "on"'],
    options: { topic: 'hall' },
  },
  {
    kind: 'a broker of MQTT over WebSockets',
    row: {
      ...{ type: 'mqtt', hostname: 'wss://a.example', port: 8084, mqtt_topic: 'hall', ...AT_ONCE },
      mqtt_websocket_path: 'mqtt',
    },
    type: 'mqtt',
    url: 'wss://a.example:8084/mqtt',
    options: { topic: 'hall' },
  },
  {
    kind: 'a node of RabbitMQ',
    row: {
      ...{ type: 'rabbitmq', rabbitmq_nodes: '["https://a.example:15671/"]', ...AT_ONCE },
      ...{ rabbitmq_username: 'ada', rabbitmq_password: 'sesame' },
    },
    type: 'http',
    asked: ['expected_status_codes 200'],
    url: 'https://a.example:15671/api/health/checks/alarms/',
  },
  {
    kind: 'an echo from elsewhere',
    row: { type: 'globalping', subtype: 'ping', protocol: 'ICMP', hostname: 'a.example', ...AT_ONCE },
    type: 'icmp',
    notes: ['was checked from places of Globalping: here it is from the regions of this service'],
  },
  {
    kind: 'a connection from elsewhere',
    row: { type: 'globalping', subtype: 'ping', protocol: 'TCP', hostname: 'a.example', port: 7, ...AT_ONCE },
    type: 'tcp',
    notes: ['was checked from places of Globalping: here it is from the regions of this service'],
  },
  {
    kind: 'a page from elsewhere, with a text',
    row: { type: 'globalping', subtype: 'http', url: 'https://a.example/', keyword: 'OK', ...AT_ONCE },
    type: 'keyword',
    asked: ['expected_keyword "OK"', ...SUCCESS],
    notes: ['was checked from places of Globalping: here it is from the regions of this service'],
  },
  {
    kind: 'a broker of Kafka',
    row: {
      ...{ type: 'kafka-producer', kafka_producer_brokers: '["a.example:9093"]', kafka_producer_ssl: 1 },
      ...{ kafka_producer_topic: 'events', kafka_producer_message: 'ready', ...AT_ONCE },
      kafka_producer_sasl_options: '{"mechanism": "scram-sha-512", "username": "ada", "password": "sesame"}',
    },
    type: 'kafka',
    options: { security: 'implicit', topic: 'events', publish: 'ready' },
    notes: ['only sent its message to Kafka: here it must come back'],
  },
  {
    kind: 'a container over TCP',
    row: { type: 'docker', docker_container: 'Shop_web', docker_host: 1, ...AT_ONCE },
    type: 'docker',
    options: { docker_host: 'http://10.0.0.7:2375' },
    notes: ['was pending while its health check had not run yet: here it is up, with a note'],
  },
  {
    kind: 'a container over TLS',
    row: { type: 'docker', docker_container: 'shop', docker_host: 2, ...AT_ONCE },
    type: 'docker',
    options: { docker_host: 'https://docker.example:2376' },
    notes: [
      'may have had certificates in files beside the database: set them as options.tls',
      'was pending while its health check had not run yet: here it is up, with a note',
    ],
  },
  {
    kind: 'a container over a socket',
    row: { type: 'docker', docker_container: 'shop', docker_host: 3, ...AT_ONCE },
    type: 'docker',
    options: { docker_host: 'unix:///var/run/docker.sock' },
    notes: [
      'asks a socket: the operator must allow it by DOCKER_SOCKETS',
      'was pending while its health check had not run yet: here it is up, with a note',
    ],
  },
  { kind: 'a job', row: { type: 'push', push_token: 'x', ...AT_ONCE }, type: 'heartbeat' },
  {
    kind: 'a switch',
    row: { type: 'manual', upside_down: 1, ...AT_ONCE },
    type: 'manual',
    notes: [
      'is switched by hand: it is pending until someone sets its status',
      'was upside down: here it is what people say',
    ],
  },
  { kind: 'a group', row: { id: 101, type: 'group', interval: 60, maxretries: 0 }, type: 'group' },
  { kind: 'a page in a group', row: { type: 'http', parent: 101, ...AT_ONCE }, type: 'http', asked: SUCCESS },
]

const KUMA_SKIPPED: [kind: string, row: Record<string, string | number>, reason: RegExp][] = [
  ['an empty group', { type: 'group' }, /^is a group, and no monitor in it comes over/],
  [
    'a name of a kind',
    { type: 'dns', hostname: 'a.example', dns_resolve_type: 'ANY' },
    /^asks for records of a type/,
  ],
  [
    'several nodes of RabbitMQ',
    { type: 'rabbitmq', rabbitmq_nodes: '["http://a.example", "http://b.example"]' },
    /^asks several nodes of RabbitMQ/,
  ],
  [
    'records from elsewhere, by a pattern',
    { type: 'globalping', subtype: 'dns', hostname: 'a.example', keyword: '^10' },
    /^judges records by a pattern/,
  ],
  [
    'another check from elsewhere',
    { type: 'globalping', subtype: 'mtr' },
    /^there are no monitors of the type globalping/,
  ],
  [
    'a message with conditions',
    { type: 'mqtt', hostname: 'a.example', conditions: '[{"type": "expression"}]' },
    /^judges its message by conditions/,
  ],
  [
    'Kafka with another sign-in',
    {
      ...{
        type: 'kafka-producer',
        kafka_producer_brokers: '["a.example:9092"]',
        kafka_producer_message: 'x',
      },
      kafka_producer_sasl_options: '{"mechanism": "aws"}',
    },
    /^signs in to Kafka by a mechanism/,
  ],
  [
    'a container of a host that is not in the file',
    { type: 'docker', docker_container: 'shop', docker_host: 9 },
    /^names a Docker host that the file does not have/,
  ],
  [
    'a container at an odd address',
    { type: 'docker', docker_container: 'shop', docker_host: 4 },
    /^names a Docker host by an address that is none here/,
  ],
  ['a process', { type: 'pm2' }, /^there are no monitors of what runs on a host/],
  ['a sum in JSON', { type: 'json-query', json_path: '$sum(a.b)', expected_value: '1' }, /no JSONPath says/],
]

describe('kinds of monitors of Uptime Kuma', () => {
  const scope = suiteScope()
  let outcome: PrintedOutcome

  before(async () => {
    const file = join(temporaryFolder(scope), 'kuma.db')
    const rows = [
      ...KUMA_SKIPPED.map(([name, row]) => ({ name, ...row })),
      ...KUMA.map(({ kind, row }) => ({ name: kind, ...row })),
    ]
    writeKumaDatabase(file, {
      monitors: rows.map((row, index) => ({ id: index + 1, url: 'https://a.example/', timeout: 48, ...row })),
      tables: {
        docker_host: [
          { id: 1, user_id: 1, docker_type: 'tcp', docker_daemon: 'tcp://10.0.0.7:2375', name: 'a' },
          { id: 2, user_id: 1, docker_type: 'tcp', docker_daemon: 'https://docker.example:2376', name: 'b' },
          { id: 3, user_id: 1, docker_type: 'socket', docker_daemon: '/var/run/docker.sock', name: 'c' },
          { id: 4, user_id: 1, docker_type: 'tcp', docker_daemon: 'ssh://docker.example', name: 'd' },
        ],
      },
    })
    outcome = await readExport('uptime-kuma', [file], TERMS)
  })

  for (const row of KUMA) it(row.kind, () => prove(outcome, row.kind, row))

  for (const [kind, , reason] of KUMA_SKIPPED)
    it(`${kind} is skipped with a reason`, () =>
      assert.match(outcome.skipped.find(({ what }) => what === kind)?.reason ?? '', reason))

  it('and nothing else is said', () => assert.equal(outcome.skipped.length, KUMA_SKIPPED.length))
})

const CODES = ['status_code at_least 200', 'status_code at_most 399']

const ROBOT: (Kind & { monitor: Record<string, unknown> })[] = [
  { kind: 'a page', monitor: { type: 1 }, type: 'http', asked: CODES },
  {
    kind: 'a page that may be slow',
    monitor: { type: 'HTTP', responseTimeThreshold: 1_500 },
    type: 'http',
    asked: [...CODES, 'response_time_ms at_most 1500'],
  },
  {
    kind: 'a text',
    monitor: { type: 2, keyword_type: 2, keyword_value: 'Welcome' },
    type: 'keyword',
    asked: ['expected_keyword "Welcome"', ...CODES],
  },
  {
    kind: 'a text that must be missing',
    monitor: { type: 2, keyword_type: 1, keyword_value: 'Fatal error' },
    type: 'http',
    asked: [...CODES, 'body not_contains "Fatal error"'],
  },
  { kind: 'a host', monitor: { type: 3, url: '192.0.2.9' }, type: 'icmp' },
  { kind: 'a port', monitor: { type: 4, url: 'a.example', port: 22 }, type: 'tcp' },
  {
    kind: 'a port that may be slow, over IPv6',
    monitor: {
      ...{ type: 'PORT', url: 'a.example', port: 22, responseTimeThreshold: 0 },
      regionData: { REGION: ['eu', 'na'], THRESHOLD: { eu: 700, na: 900 } },
      config: { ipVersion: 'ipv6Only' },
    },
    type: 'tcp',
    asked: ['response_time_ms at_most 900'],
    options: { ip_version: 6 },
  },
  {
    kind: 'a packet',
    monitor: {
      ...{ type: 'UDP', url: '192.0.2.9', port: 27_015 },
      config: { udp: { payload: 'ping', packetLossThreshold: 50 }, ipVersion: 'ipv4Only' },
    },
    type: 'udp',
    asked: ['answer exists'],
    options: { ip_version: 4, send: 'ping' },
    notes: ['was up while enough of its packets came back: here it is with the first answer'],
  },
]

describe('kinds of monitors of UptimeRobot', () => {
  const monitors = ROBOT.map(({ kind, monitor }, id) => ({
    ...{ id, friendly_name: kind, url: 'https://a.example/', interval: 300, status: 2 },
    ...monitor,
  }))
  const outcome = fromUptimeRobot([{ stat: 'ok', monitors }], TERMS)

  for (const row of ROBOT) it(row.kind, () => prove(outcome, row.kind, row))

  it('and nothing else is said', () => assert.deepEqual(outcome.skipped, []))
})
