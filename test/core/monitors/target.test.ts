import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MonitorType } from '../../../src/core/monitors/monitor.ts'
import {
  parseTarget,
  plainUrlAfter,
  portOf,
  targetOf,
  urlsOfHosts,
} from '../../../src/core/monitors/target.ts'

describe('the target as people read it', () => {
  const table: [type: MonitorType, url: string | null, port: number | null, shown: string | null][] = [
    ['http', 'https://shop.example/cart?a=1', 443, 'https://shop.example/cart?a=1'],
    ['ssl', 'https://shop.example:8443', null, 'https://shop.example:8443'],
    ['tcp', 'tcp://db.example/ignored', 5432, 'db.example:5432'],
    ['tcp', 'https://[2001:db8::1]', 22, '[2001:db8::1]:22'],
    ['icmp', 'ping://gateway.example', 80, 'gateway.example'],
    ['heartbeat', null, null, null],
  ]
  for (const [type, url, port, shown] of table) {
    test(`${type} ${url} ${port} is ${shown}`, () => {
      assert.equal(targetOf({ type, url, port }), shown)
    })
  }
})

describe('a target of several hosts', () => {
  const url = 'mongodb://a.example,[2001:db8::1]:27018/shop?authSource=a,b'

  test('is one for each of them', () => {
    assert.deepEqual(urlsOfHosts(url), [
      'mongodb://a.example/shop?authSource=a,b',
      'mongodb://[2001:db8::1]:27018/shop?authSource=a,b',
    ])
    const ports = urlsOfHosts(url).map((one) => portOf({ type: 'mongodb', url: one }))
    assert.deepEqual(ports, [27_017, 27_018])
  })

  test('is read as the first of them', () => {
    assert.equal(parseTarget(url)?.host, 'a.example')
    assert.equal(portOf({ type: 'mongodb', url }), 27_017)
    assert.equal(parseTarget('mongodb://ann:p@a.example:1,b.example:2')?.username, 'ann')
  })

  test('is no such target where its type knows one host', () => {
    for (const one of ['redis://a.example,b.example', 'mongodb+srv://a.example,b.example'])
      assert.deepEqual([urlsOfHosts(one), parseTarget(one)?.host], [[one], 'a.example,b.example'])
  })
})

describe('http in place of https', () => {
  const SECURE = 'https://localhost:3000/a?b=https'
  const PLAIN = 'http://localhost:3000/a?b=https'
  const FAILED = { status: 'down', http_status_code: null, phases: { dns_ms: 0, tls_ms: null } } as const
  const table: [
    why: string,
    url: string,
    check: Parameters<typeof plainUrlAfter>[1],
    tried: string | null,
  ][] = [
    ['the host is found and no TLS is there', SECURE, FAILED, PLAIN],
    ['the scheme is in capitals', 'HTTPS://localhost', FAILED, 'http://localhost'],
    ['a certificate was seen', SECURE, { ...FAILED, phases: { dns_ms: 1, tls_ms: 4 } }, null],
    ['the name is not found', SECURE, { ...FAILED, phases: { dns_ms: null, tls_ms: null } }, null],
    ['nothing was measured', SECURE, { ...FAILED, phases: null }, null],
    ['an answer came', SECURE, { ...FAILED, http_status_code: 503 }, null],
    ['the check passed', SECURE, { ...FAILED, status: 'up' }, null],
    ['this machine is in trouble', SECURE, { ...FAILED, status: 'pending' }, null],
    ['it is http', PLAIN, FAILED, null],
    ['it is no page', 'tcp://localhost:5432', FAILED, null],
  ]
  for (const [why, url, check, tried] of table) {
    test(`is ${tried ?? 'not tried'} where ${why}`, () => {
      assert.equal(plainUrlAfter(url, check), tried)
    })
  }
})
