import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostName, isOwnForm, isServiceHost } from '../../../../src/core/status-pages/serving/page-host.ts'

describe('the host of a request', () => {
  it('is read as browsers and proxies write it, and is none where it is anything else', () => {
    for (const [header, name] of [
      ['status.example.com', 'status.example.com'],
      ['STATUS.Example.com.:8443', 'status.example.com'],
      ['[2001:DB8::1]:80', '2001:db8::1'],
      ['a.example.com, b.example.com', null],
      ['user@a.example.com', null],
      ['a.example.com/b', null],
      ['a.example.com:80:80', null],
      ['.', null],
      ['', null],
      [undefined, null],
    ] as const) {
      assert.equal(hostName(header), name, `${header}`)
    }
  })

  it('is the service itself by its name, at an address and on its machine', () => {
    for (const [name, isService] of [
      ['upbeat.example.com', true],
      ['127.0.0.1', true],
      ['2001:db8::1', true],
      ['2130706433', true],
      ['localhost', true],
      ['status.example.com', false],
      ['localhost.example.com', false],
      [null, false],
    ] as const) {
      assert.equal(isServiceHost(name, 'upbeat.example.com'), isService, `${name}`)
    }
  })

  it('is the one that a form stands on, as far as a browser tells', () => {
    const host = 'status.example.com'
    for (const [headers, isOwn] of [
      [{}, true],
      [{ origin: 'https://status.example.com' }, true],
      [{ origin: 'https://upbeat.example.com' }, true],
      [{ origin: 'https://status.example.com:8443' }, false],
      [{ origin: 'https://status.example.com.evil.example' }, false],
      [{ origin: 'ftp://status.example.com' }, false],
      [{ origin: 'null' }, false],
      [{ origin: 'https://status.example.com', 'sec-fetch-site': 'same-origin' }, true],
      [{ 'sec-fetch-site': 'none' }, true],
      [{ 'sec-fetch-site': 'same-site' }, false],
      [{ 'sec-fetch-site': 'cross-site' }, false],
    ] as const) {
      assert.equal(
        isOwnForm({ host, ...headers }, 'https://upbeat.example.com'),
        isOwn,
        JSON.stringify(headers),
      )
    }
  })
})
