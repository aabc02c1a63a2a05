import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import {
  clientConfig,
  hidePassword,
  InvalidDatabaseUrl,
  readDatabaseUrl,
} from '../../src/postgres/database-url.ts'

const directory = mkdtempSync(join(tmpdir(), 'upbeat-test-'))
after(() => rmSync(directory, { recursive: true }))
const pem = join(directory, 'root.crt')
const text = join(directory, 'text')
writeFileSync(text, 'Dear diary')
writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n')

describe('an address of a database gives', () => {
  const plain = {
    host: 'db',
    port: 5432,
    user: 'u',
    database: 'd',
    connectTimeoutMs: 10_000,
    applicationName: 'upbeat',
  }
  const prefer = { tls: { mode: 'prefer' } }
  const table: [url: string, address: object][] = [
    ['postgres://u@db/d', { ...plain, ...prefer }],
    ['postgresql://u:p@db:6543/d?sslmode=disable', { ...plain, port: 6543, password: 'p' }],
    ['postgres://u:p%40%2F%3A@db/d?sslmode=disable', { ...plain, password: 'p@/:' }],
    ['postgres://u:a:b@c@db/d?sslmode=disable', { ...plain, password: 'a:b@c' }],
    ['postgres://db?sslmode=disable', { ...plain, user: '', database: '' }],
    ['postgres://u@db?sslmode=disable', { ...plain, database: 'u' }],
    ['postgres://u@[::1]:1/d?sslmode=disable', { ...plain, host: '::1', port: 1 }],
    [
      'postgres://u@a:1,b,[::2]:3/d?sslmode=disable&target_session_attrs=read-write',
      {
        ...plain,
        host: 'a',
        port: 1,
        others: [
          { host: 'b', port: 5432 },
          { host: '::2', port: 3 },
        ],
      },
    ],
    ['postgres://u@/d?host=/run/postgresql', { ...plain, host: '/run/postgresql' }],
    ['postgres://u@%2Frun%2Fpostgresql:5433/d', { ...plain, host: '/run/postgresql', port: 5433 }],
    ['postgres://u@db/d?sslmode=require', { ...plain, tls: { mode: 'require' } }],
    ['postgres://u@db/d?sslmode=verify-full', { ...plain, tls: { mode: 'verify-full' } }],
    ['postgres://u@db/d?sslrootcert=system', { ...plain, tls: { mode: 'verify-full' } }],
    [
      `postgres://u@db/d?sslmode=require&sslrootcert=${pem}`,
      { ...plain, tls: { mode: 'verify-ca', ca: '-----BEGIN CERTIFICATE-----\n' } },
    ],
    [
      'postgres://u@db/d?sslmode=require&channel_binding=require&connect_timeout=3&application_name=blue',
      {
        ...plain,
        tls: { mode: 'require' },
        channelBinding: true,
        connectTimeoutMs: 3_000,
        applicationName: 'blue',
      },
    ],
    [
      'postgres://u@db/d?sslmode=disable&options=-c%20search_path%3Dmine',
      { ...plain, options: '-c search_path=mine' },
    ],
  ]
  for (const [url, address] of table) {
    it(url.replace(directory, '…'), () => assert.deepEqual(readDatabaseUrl(url), address))
  }
})

describe('an address that no database can have is refused with what it takes', () => {
  const table: [url: string, takes: RegExp][] = [
    ['mysql://u@db/d', /^postgres:\/\/user:password@host:5432\/database$/],
    ['postgres://u:p/ss@db/d', /^postgres:\/\//],
    ['postgres://u:%zz@db/d', /with % in any part written as %25/],
    ['postgres://u@db:99999/d', /several hosts as in host1:5432,host2:5432/],
    ['postgres://u@a,,b/d', /several hosts/],
    [`postgres://u@${'a,'.repeat(16)}a/d`, /at most 16 hosts/],
    [
      'postgres://u@db/d?sslmode=on',
      /^sslmode one of disable, prefer, require, verify-ca, verify-full, not on$/,
    ],
    ['postgres://u@db/d?sslmode=verify-ca', /sslmode=verify-ca with sslrootcert=FILE/],
    ['postgres://u@db/d?sslrootcert=/nowhere/root.crt', /^sslrootcert of a readable PEM file \(ENOENT/],
    [`postgres://u@db/d?sslcert=${text}&sslkey=${text}`, /^sslcert of a PEM file, which .* is not$/],
    [`postgres://u@db/d?sslcert=${pem}`, /^sslcert and sslkey together$/],
    ['postgres://u@db/d?connect_timeout=0', /^connect_timeout in whole seconds from 1 to 60, not 0$/],
    [
      'postgres://u@db/d?target_session_attrs=any',
      /^target_session_attrs one of read-write, primary, not any$/,
    ],
    ['postgres://u@db/d?pgbouncer=true', /^only the parameters application_name, .*, not pgbouncer$/],
    [`postgres://u@db/d?application_name=${'x'.repeat(41)}`, /^application_name of at most 40 ASCII/],
  ]
  for (const [url, takes] of table) {
    it(url.replace(/(a,)+/, '…').replace(directory, '…').replaceAll(directory, '…'), () =>
      assert.throws(
        () => readDatabaseUrl(url),
        (error: Error) => {
          assert.ok(error instanceof InvalidDatabaseUrl)
          assert.match(error.message, takes)
          return true
        },
      ),
    )
  }
})

it('no part of a password is shown', () => {
  for (const password of ['hunter2', 'hunt/er2', 'hun:ter2', 'hun@ter2']) {
    assert.equal(hidePassword(`postgres://u:${password}@db/d`), 'postgres://u:***@db/d')
  }
})

describe('certificates are verified as', () => {
  const table: [query: string, rejectUnauthorized: boolean, namesMatter: boolean][] = [
    ['sslmode=prefer', false, false],
    ['sslmode=require', false, false],
    [`sslmode=require&sslrootcert=${pem}`, true, false],
    [`sslmode=verify-ca&sslrootcert=${pem}`, true, false],
    [`sslmode=verify-full&sslrootcert=${pem}`, true, true],
    ['sslmode=verify-full', true, true],
  ]
  for (const [query, rejectUnauthorized, namesMatter] of table) {
    it(query.replace(directory, '…'), () => {
      const { ssl } = clientConfig(readDatabaseUrl(`postgres://u@db/d?${query}`))
      assert.ok(typeof ssl === 'object')
      assert.equal(ssl.rejectUnauthorized, rejectUnauthorized)
      assert.equal(rejectUnauthorized && ssl.checkServerIdentity === undefined, namesMatter)
    })
  }
})
