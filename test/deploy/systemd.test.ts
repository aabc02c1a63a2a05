import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'

const FOLDER = join(import.meta.dirname, '../../deploy/systemd')
const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const valuesOf = (name: string, key: string) =>
  [...text(name).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value as string)

describe('the units of systemd', () => {
  it('give the service settings that it takes', () => {
    const pairs = valuesOf('upbeat.service', 'Environment').flatMap((line) => line.split(' '))
    const config = readConfig(Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string])))
    assert.deepEqual([config.host, config.dataDir], ['127.0.0.1', '/var/lib/upbeat'])
  })

  it('let commands beside the service find its database', () => {
    // The socket is in the temporary directory, and that of the service is its own.
    assert.deepEqual(valuesOf('upbeat.service', 'PrivateTmp'), ['true'])
    for (const unit of ['upbeat.service', 'upbeat-backup.service']) {
      assert.match(valuesOf(unit, 'Environment').join(' '), /TMPDIR=\/run\/upbeat\b/)
      assert.deepEqual(valuesOf(unit, 'RuntimeDirectory'), ['upbeat'])
    }
    // The unit that ends first must not remove the directory under the other.
    assert.deepEqual(valuesOf('upbeat-backup.service', 'RuntimeDirectoryPreserve'), ['yes'])
  })

  it('confine the backup as they confine the service', () => {
    const confining =
      /^(Protect|Private|Restrict|Lock|NoNew|SystemCall|UMask|MemoryMax|TasksMax|LimitNOFILE)\w*=.*$/gm
    const lines = (name: string) => text(name).match(confining) ?? []
    const wanted = lines('upbeat.service')
    assert.ok(wanted.length > 20, String(wanted.length))
    assert.deepEqual(lines('upbeat-backup.service'), wanted)
    assert.deepEqual(valuesOf('upbeat-backup.service', 'CapabilityBoundingSet'), [''])
    // Where the service writes, and nowhere else; StateDirectory is its own.
    assert.deepEqual(valuesOf('upbeat-backup.service', 'ReadWritePaths'), ['/var/lib/upbeat /opt/upbeat'])
  })

  it('end the service before its database', () => {
    assert.deepEqual(valuesOf('upbeat.service', 'KillMode'), ['mixed'])
  })
})
