import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { openHostsFile, parseHosts } from '../../src/net/names/hosts-file.ts'

describe('the hosts file', () => {
  test('gives each name all of its addresses', () => {
    const hosts = parseHosts(
      '127.0.0.1\tlocalhost box  # this one\r\n::1 Box.\n\n#10.0.0.1 gone\n10.0.0.2\nnonsense here\n127.0.0.1 box\n',
    )
    assert.deepEqual(Object.fromEntries(hosts), { localhost: ['127.0.0.1'], box: ['127.0.0.1', '::1'] })
  })

  test('is read again after it changed, at most once a second', (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hosts-'))
    t.after(() => fs.rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'hosts')
    let now = 0
    const hosts = openHostsFile(file, () => now)
    assert.deepEqual(hosts('box'), [])
    fs.writeFileSync(file, '10.0.0.1 box\n')
    assert.deepEqual(hosts('box'), [])
    now = 1_000
    assert.deepEqual(hosts('box'), ['10.0.0.1'])
    fs.rmSync(file)
    now = 2_000
    assert.deepEqual(hosts('box'), [])
  })
})
