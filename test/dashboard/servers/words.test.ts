import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readServerPageSearch } from '../../../dashboard/data/servers/server-search.ts'
import { sayBytes, sayFullAt, sayPercent } from '../../../dashboard/parts/servers/figures.ts'
import { INSTALL_WAYS, installTexts } from '../../../dashboard/screens/servers/install-lines.ts'
import { partsWith } from '../../../dashboard/screens/servers/machine-parts.ts'
import { sayCondition } from '../../../src/core/servers/condition-words.ts'

describe('the figures of a server', () => {
  it('are said as people say them', () => {
    const bytes: [number, string][] = [
      [0, '0 B'],
      [1_023, '1,023 B'],
      [1_536, '1.5 KiB'],
      [32 * 1_024 ** 3, '32 GiB'],
      [450 * 1_024 ** 2, '450 MiB'],
    ]
    for (const [value, said] of bytes) assert.equal(sayBytes(value), said)
    assert.deepEqual([0, 7.54, 93.2, null].map(sayPercent), ['0 %', '7.5 %', '93 %', '–'])
  })

  it('tell about when a file system is full', () => {
    const now = Date.parse('2027-01-01T00:00:00Z')
    const inHours = (hours: number) => sayFullAt(new Date(now + hours * 3_600_000).toISOString(), now)
    assert.deepEqual([0.5, 1, 5.4, 35, 71].map(inHours), [
      'full within an hour',
      'full in about 1 hour',
      'full in about 5 hours',
      'full in about 35 hours',
      'full in about 3 days',
    ])
    assert.equal(sayFullAt(null, now), null)
  })

  it('of parts are gathered by the part', () => {
    const latest = {
      'disk_read_bytes:sdb': 1,
      'disk_read_bytes:sda': 2,
      'disk_busy_percent:sda': 3,
      load_1: 4,
      other: 5,
    }
    assert.deepEqual(partsWith(latest, ['disk_read_bytes', 'disk_busy_percent']), [
      { part: 'sda', disk_read_bytes: 2, disk_busy_percent: 3 },
      { part: 'sdb', disk_read_bytes: 1 },
    ])
  })
})

describe('the words of a condition', () => {
  const cases: [key: string, said: string][] = [
    ['silent', 'Silent'],
    ['disk_space:/var', 'Disk space of /var'],
    ['disk_space:C:', 'Disk space of C:'],
    ['of_a_newer_version:/', 'of_a_newer_version:/'],
  ]
  for (const [key, said] of cases) it(`${key}: ${said}`, () => assert.equal(sayCondition(key), said))
})

describe('the lines to install', () => {
  const address = 'https://status.example.com/server/0123'

  it('all hold the secret address, and what is installed can be uninstalled', () => {
    const texts = installTexts(address, 'a'.repeat(64))
    for (const way of INSTALL_WAYS) {
      assert.ok(
        texts[way].lines.some(({ copy }) => copy.includes(address)),
        way,
      )
    }
    assert.equal(texts.curl.lines[0]?.copy, `curl -fsSL ${address}/install | sh`)
    assert.equal(texts.wget.uninstall, `wget -qO- ${address}/install | sh -s -- --uninstall`)
    assert.match(texts.steps.lines[1]?.copy ?? '', /echo "a{64} {2}upbeat-install\.sh" \| sha256sum -c/)
  })
})

describe("reading the address of a server's screen", () => {
  const read = <T extends object>(kept: T) => JSON.parse(JSON.stringify(kept))
  it('keeps what is valid', () => {
    const page = { range: '7d', from: 1_000, to: 2_000, install: true }
    assert.deepEqual(read(readServerPageSearch(page)), page)
    assert.deepEqual(read(readServerPageSearch({ range: 'x', from: 2_000, to: 1_000, install: 'yes' })), {})
  })
})
