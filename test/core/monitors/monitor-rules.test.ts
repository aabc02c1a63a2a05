import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MonitorCreate, MonitorPatch, type MonitorType } from '../../../src/core/monitors/monitor.ts'
import { createRules, patchRules, type RuleContext } from '../../../src/core/monitors/monitor-rules.ts'
import { parseTarget } from '../../../src/core/monitors/target.ts'
import { DEFAULT_PLANS, type PlanName } from '../../../src/core/teams/plan.ts'
import { parseFields } from '../../../src/core/validation.ts'

const on = (planName: PlanName): RuleContext => ({
  planName,
  plan: DEFAULT_PLANS[planName],
  refuseAddress: (url) =>
    parseTarget(url)?.hostname === '10.0.0.1' ? 'address 10.0.0.1 is not allowed' : null,
})

const PAGE = { name: 'Shop', type: 'http', url: 'https://shop.example/', check_interval_minutes: 5 }

const MONGODB = { type: 'mongodb' }
const ASKED = { type: 'dns', url: 'dns://10.0.0.1', options: { record_type: 'PTR' } }

type Row = [name: string, changes: Record<string, unknown>, errors: Record<string, string[]>]

function errorsOf(parsed: ReturnType<typeof parseFields>): Record<string, string[]> {
  return parsed.ok ? {} : parsed.errors
}

describe('the required settings of a new monitor', () => {
  const table: Row[] = [
    ['a page', {}, {}],
    ['no URL', { url: null }, { url: ['url is required unless the type is heartbeat'] }],
    ['a heartbeat without a URL', { type: 'heartbeat', url: null }, {}],
    [
      'a keyword monitor without keyword',
      { type: 'keyword' },
      { expected_keyword: ['expected_keyword is required when the type is keyword'] },
    ],
    [
      'a keyword monitor with an empty keyword',
      { type: 'keyword', expected_keyword: '' },
      { expected_keyword: ['expected_keyword is required when the type is keyword'] },
    ],
    ['a tcp monitor without port', { type: 'tcp' }, { port: ['port is required when the type is tcp'] }],
    ['a tcp monitor with a port', { type: 'tcp', port: 443 }, {}],
    [
      'an ssl monitor of a plain page',
      { type: 'ssl', url: 'http://shop.example' },
      { url: ['url must start with https:// for a monitor of type ssl'] },
    ],
    [
      'a page of another scheme',
      { url: 'ftp://shop.example' },
      { url: ['url must start with http:// or https:// for a monitor of type http'] },
    ],
    ['a private address that a name server is asked about', ASKED, {}],
    [
      'a private address of a name server',
      { ...ASKED, options: { record_type: 'PTR', resolver: '10.0.0.1' } },
      { 'options.resolver': ['options.resolver is refused: address 10.0.0.1 is not allowed'] },
    ],
    ['any scheme for tcp', { type: 'tcp', url: 'redis://cache.example', port: 6379 }, {}],
    [
      'a bare host name',
      { type: 'icmp', url: 'shop.example' },
      { url: ['url must be a full URL such as icmp://example.com, got "shop.example"'] },
    ],
    [
      'credentials in the URL',
      { url: 'https://ann:pw@shop.example' },
      { url: ['url must not contain credentials: send them as username and password'] },
    ],
    [
      'an address that policy refuses',
      { url: 'http://10.0.0.1/' },
      { url: ['url is refused: address 10.0.0.1 is not allowed'] },
    ],
    ['several hosts', { ...MONGODB, url: 'mongodb://a.example,[2001:db8::1]:27018/shop' }, {}],
    [
      'an address that policy refuses, among several hosts',
      { ...MONGODB, url: 'mongodb://a.example,10.0.0.1:27018/shop' },
      { url: ['url is refused: address 10.0.0.1 is not allowed'] },
    ],
    [
      'credentials before several hosts',
      { ...MONGODB, url: 'mongodb://ann:p,w@a.example,b.example' },
      { url: ['url must not contain credentials: send them as username and password'] },
    ],
    [
      'no host among several',
      { ...MONGODB, url: 'mongodb://a.example,,b.example' },
      {
        url: ['url must be a full URL such as mongodb://example.com, got "mongodb://a.example,,b.example"'],
      },
    ],
    [
      'more hosts than a check tries',
      { ...MONGODB, url: `mongodb://${Array(11).fill('a.example').join()}` },
      { url: ['url must name at most 10 hosts, got 11'] },
    ],
    [
      'a port of a service that SRV records name',
      { ...MONGODB, url: 'mongodb+srv://a.example:27017/shop' },
      { url: ['url must name no port: SRV records say it for mongodb+srv://'] },
    ],
    [
      'a command that writes',
      { ...MONGODB, url: 'mongodb://a.example', options: { query: '{"drop": "jobs"}' } },
      {
        'options.query': [
          'options.query must be one command that only reads, such as {"count": "jobs"}, ping or serverStatus',
        ],
      },
    ],
    [
      'minutes that the plan does not have',
      { check_interval_minutes: 1 },
      { check_interval_minutes: ['check_interval_minutes must be at least 5 on the free plan, got 1'] },
    ],
    [
      'seconds that the plan does not have',
      { check_interval_seconds: 299 },
      { check_interval_seconds: ['check_interval_seconds must be at least 300 on the free plan, got 299'] },
    ],
    ['the fewest seconds of the plan', { check_interval_seconds: 300 }, {}],
    [
      'several faults at once',
      { type: 'tcp', url: null, check_interval_minutes: 2 },
      {
        url: ['url is required unless the type is heartbeat'],
        port: ['port is required when the type is tcp'],
        check_interval_minutes: ['check_interval_minutes must be one of 1, 5, 15, 30, 60, got 2'],
      },
    ],
  ]
  for (const [name, changes, errors] of table) {
    test(name, () => {
      const parsed = parseFields(MonitorCreate, { ...PAGE, ...changes }, createRules(on('free')))
      assert.deepEqual(errorsOf(parsed), errors)
    })
  }

  test('the business plan checks every second', () => {
    const body = { ...PAGE, check_interval_minutes: 1, check_interval_seconds: 1 }
    assert.equal(parseFields(MonitorCreate, body, createRules(on('business'))).ok, true)
  })
})

describe('allowed changes', () => {
  const table: [type: MonitorType, ...Row][] = [
    ['http', 'nothing', {}, {}],
    ['http', 'the same type', { type: 'http' }, {}],
    ['http', 'another type', { type: 'tcp' }, { type: ['type cannot change: this monitor is of type http'] }],
    [
      'http',
      'no URL',
      { url: null },
      { url: ['url cannot be null: only a heartbeat monitor may have none'] },
    ],
    ['heartbeat', 'no URL', { url: null }, {}],
    ['http', 'no keyword', { expected_keyword: null }, {}],
    [
      'keyword',
      'no keyword',
      { expected_keyword: null },
      { expected_keyword: ['expected_keyword cannot be empty on a keyword monitor'] },
    ],
    ['http', 'no port', { port: null }, {}],
    ['tcp', 'no port', { port: null }, { port: ['port cannot be null on a tcp monitor'] }],
    ['http', 'a name alone, on a plan that no longer has its interval', { name: 'Shop' }, {}],
    ['http', 'no exact seconds', { check_interval_seconds: null }, {}],
  ]
  for (const [type, name, changes, errors] of table) {
    test(`${type}: ${name}`, () => {
      assert.deepEqual(errorsOf(parseFields(MonitorPatch, changes, patchRules(type, on('free')))), errors)
    })
  }
})
