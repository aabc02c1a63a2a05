import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { createClientAddress } from '../../src/api/client-address.ts'

const PROXY = '10.0.0.1'

type Case = {
  name: string
  trusted: Parameters<typeof createClientAddress>[0]
  peer?: string
  forwarded?: string
  client: string
}

const table: Case[] = [
  { name: 'the peer, where nobody is trusted', trusted: null, forwarded: '203.0.113.7', client: PROXY },
  {
    name: 'one hop back',
    trusted: { hops: 1 },
    forwarded: '198.51.100.1, 203.0.113.7',
    client: '203.0.113.7',
  },
  {
    name: 'two hops back',
    trusted: { hops: 2 },
    forwarded: '198.51.100.1, 203.0.113.7',
    client: '198.51.100.1',
  },
  {
    name: 'the first that is no proxy',
    trusted: { networks: ['10.0.0.0/8'] },
    forwarded: '203.0.113.7, 10.9.9.9',
    client: '203.0.113.7',
  },
  {
    name: 'the peer, when it is no proxy',
    trusted: { networks: ['192.0.2.0/24'] },
    forwarded: '203.0.113.7',
    client: PROXY,
  },
  {
    name: 'the last that is known, when all are proxies',
    trusted: { hops: 5 },
    forwarded: '203.0.113.7',
    client: '203.0.113.7',
  },
  {
    name: 'nothing that is no address',
    trusted: { hops: 1 },
    forwarded: 'unknown, 203.0.113.7',
    client: '203.0.113.7',
  },
  { name: 'IPv4 in the clothes of IPv6', trusted: null, peer: '::ffff:203.0.113.7', client: '203.0.113.7' },
  {
    name: 'the address without the name of an interface',
    trusted: { hops: 1 },
    forwarded: `fe80::1%${'x'.repeat(2_000)}`,
    client: 'fe80::1',
  },
]

describe('the client of a request is', () => {
  for (const { name, trusted, peer = PROXY, forwarded, client } of table) {
    it(name, async () => {
      const addressOf = createClientAddress(trusted, () => peer)
      const app = new Hono().get('/', (context) => context.text(addressOf(context)))
      const answer = await app.request('/', { headers: forwarded ? { 'x-forwarded-for': forwarded } : {} })
      assert.equal(await answer.text(), client)
    })
  }
})
