import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { KnownOfOthers } from '../../../src/core/probing/blame.ts'
import {
  chooseWitnesses,
  domainOf,
  isLocalName,
  isLoopback,
  weigh,
} from '../../../src/core/probing/evidence.ts'

describe('evidence that our own way works', () => {
  const rules: [
    name: string,
    failing: string,
    places: string[],
    reached: string[],
    evidence: KnownOfOthers,
  ][] = [
    ['is something reached elsewhere', 'a', ['b', 'c'], ['c'], 'reached'],
    ['is not the failing place itself', 'a', ['a', 'b'], ['a'], 'not reached'],
    ['is missing when nothing that was well is reached', 'a', ['b'], [], 'not reached'],
    ['cannot be had where nothing else is known', 'a', [], [], 'nothing known'],
    ['cannot be had from one place alone', 'a', ['a'], [], 'nothing known'],
    ['of a place that fails itself is missing for others', 'a', ['a', 'b'], [], 'not reached'],
  ]
  for (const [name, failing, places, reached, evidence] of rules) {
    test(name, () => assert.equal(weigh(failing, places, reached), evidence))
  }

  test('is asked of those that were well last, one of each place, elsewhere first', () => {
    const witnesses = ['a', 'b', 'c', 'd', 'e', 'f', 'f'].map((place, i) => ({
      place,
      landmark: `${place}${i}`,
      startedMs: i,
      reachedMs: i,
    }))
    const chosen = chooseWitnesses(witnesses, ['f', 'e'])
    assert.deepEqual(
      chosen.map(({ landmark }) => landmark),
      ['d3', 'c2', 'b1', 'a0', 'f6'],
    )
  })

  test('of names is taken by domain', () => {
    const domains = [
      ['shop.Example.com', 'example.com'],
      ['example.com', 'example.com'],
      ['localhost', 'localhost'],
      ['www.one.co.uk', 'one.co.uk'],
      ['www.two.co.uk', 'two.co.uk'],
      ['co.uk', 'co.uk'],
      // One company's servers answer for all of these.
      ['one.github.io', 'github.io'],
      ['www.shop.madeup', 'shop.madeup'],
      ['_dmarc.a_b.example.com', 'example.com'],
    ] as const
    for (const [name, domain] of domains) assert.equal(domainOf(name), domain, name)
  })

  test('of a public name is none of an internal one', () => {
    const inside = [
      'intranet',
      'Printer.LOCAL',
      'db.internal',
      'nas.lan',
      'nas.home',
      'dc.corp',
      'x.localhost',
    ]
    inside.push('a.localdomain', 'wiki.intranet', 'b.home.arpa', '1.0.0.10.in-addr.arpa', 'tv.local.')
    const outside = [
      'example.com',
      'shop.test',
      'shop.madeup',
      'local.example.com',
      'internal.co.uk',
      'as112.arpa',
    ]
    assert.deepEqual([...inside, ...outside].filter(isLocalName), inside)
  })

  test('of any network is none of this machine itself', () => {
    const addresses = ['127.0.0.1', '127.9.9.9', '::1', '10.0.0.1', '128.0.0.1', '1270::1']
    assert.deepEqual(addresses.filter(isLoopback), ['127.0.0.1', '127.9.9.9', '::1'])
  })
})
