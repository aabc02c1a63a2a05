import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readResolver } from '../../../../src/core/monitors/options/connection.ts'
import { PROXY_PASSWORD, readProxy } from '../../../../src/core/monitors/options/proxy-address.ts'

describe('the address of a proxy', () => {
  const READ: [text: string, read: ReturnType<typeof readProxy>][] = [
    ['http://proxy.example', at('http', 'proxy.example', 80)],
    ['HTTPS://Proxy.Example./', { ...at('http', 'proxy.example', 443), isSecure: true }],
    ['socks5://[2001:DB8::1]:9050/', at('socks5', '2001:db8::1', 9_050)],
    ['socks5://0x7f.1', at('socks5', '127.0.0.1', 1_080)],
    ['socks5://ada@h', { ...at('socks5', 'h', 1_080), user: { name: 'ada', password: '' } }],
    ['http://u%40x:p%3Aw:q@h:1', { ...at('http', 'h', 1), user: { name: 'u@x', password: 'p:w:q' } }],
  ]
  for (const [text, read] of READ)
    it(`is read from ${text}`, () => {
      assert.deepEqual(readProxy(text), read)
    })

  const REFUSED = [
    ...[
      '',
      'proxy.example:80',
      'ftp://h',
      'socks4://h',
      'socks5h://h',
      'http://',
      'http://:80',
      'http://h:0',
    ],
    ...[
      'http://h:65536',
      'http://h/a',
      'http://h?a',
      'http://h#a',
      'http://h:80:80',
      'http://[::1',
      'http://[x]',
    ],
    ...[
      'http://%00',
      `http://${'a'.repeat(256)}@h`,
      'http://%ff@h',
      'http://a%0db@h',
      ' http://h',
      'http://h\n',
    ],
    // URL parsers find a password in each of these.
    ...['http:u:p@h', 'http:/u:p@h', 'http:///u:p@h', 'http:\\\\u:p@h', 'http://u@v:p@h', 'http://u:p@q@h'],
  ]
  for (const text of REFUSED)
    it(`is refused as ${JSON.stringify(text).slice(0, 40)}`, () => {
      assert.equal(readProxy(text), null)
    })

  it('hides every password that it is read with, whatever is written', () => {
    const pieces = [
      'http:',
      'socks5:',
      '/',
      '//',
      '\\',
      'u',
      ':',
      'secret',
      '@',
      'h',
      '[::1]',
      '80',
      '?',
      '#',
      '%40',
    ]
    let read = 0
    for (let n = 0; n < 200_000; n++) {
      const text = Array.from(
        { length: 2 + (n % 9) },
        () => pieces[Math.floor(Math.random() * pieces.length)],
      )
        .join('')
        .replace(/^(?=.)/, n % 2 === 0 ? 'http://' : '')
      const password = readProxy(text)?.user?.password ?? ''
      if (password === '') continue
      read++
      const shown = PROXY_PASSWORD.write(text, '********')
      assert.notEqual(PROXY_PASSWORD.read(text), null, text)
      assert.equal(readProxy(shown)?.user?.password, '********', text)
      assert.equal(PROXY_PASSWORD.owner(shown), PROXY_PASSWORD.owner(text), text)
    }
    assert.ok(read > 100, String(read))
  })
})

describe('the address of a name server', () => {
  const TABLE: [text: string, read: ReturnType<typeof readResolver>][] = [
    ['192.0.2.53', { address: '192.0.2.53', port: 53 }],
    ['192.0.2.53:5353', { address: '192.0.2.53', port: 5_353 }],
    ['[2001:DB8::53]:53', { address: '2001:db8::53', port: 53 }],
    ['2001:db8::53', { address: '2001:db8::53', port: 53 }],
    ...[
      'dns.example',
      '192.0.2.53:0',
      '192.0.2.53:65536',
      '1.1',
      '0x7f.0.0.1',
      '[fe80::1%eth0]',
      '192.0.2.53:',
      '',
    ].map((text): [string, null] => [text, null]),
  ]
  for (const [text, read] of TABLE)
    it(`is ${read ? 'read from' : 'refused as'} ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readResolver(text), read)
    })
})

function at(protocol: 'http' | 'socks5', host: string, port: number) {
  return { protocol, isSecure: false, host, port, user: null }
}
