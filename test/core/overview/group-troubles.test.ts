import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import { groupTroubles } from '../../../src/core/overview/group-troubles.ts'
import type { Troubled } from '../../../src/core/overview/trouble.ts'

let made = 0

/** One that is newer than all before it. */
function troubled(reason: string | null, target: string | null, more: Partial<Troubled> = {}): Troubled {
  made++
  const since = `2026-11-23T09:00:00.${String(made).padStart(6, '0')}Z`
  return {
    kind: 'monitor',
    id: made,
    name: `monitor ${made}`,
    status: 'down',
    since,
    flapping_since: null,
    reason,
    target,
    acknowledgement: null,
    ...more,
  }
}

const on = (...hosts: string[]) => hosts.map((host) => `https://${host}/health`)
const HOSTS = on('a.example', 'b.example', 'c.example')

describe('what is in trouble', () => {
  const cases: [what: string, each: [reason: string, target: string | null][], cause: string | null][] = [
    [
      'one address, whatever the port and the host',
      [
        ['connection refused by 203.0.113.7:443', HOSTS[0] as string],
        ['connection refused by 203.0.113.7:8443', HOSTS[1] as string],
        ['connection refused by 203.0.113.7:443', '203.0.113.7:443'],
      ],
      'connection refused by 203.0.113.7',
    ],
    [
      'one address of IPv6',
      HOSTS.map((target, index) => [`connection refused by [2001:db8::7]:${443 + index}`, target]),
      'connection refused by [2001:db8::7]',
    ],
    [
      'several addresses named together',
      HOSTS.map((target) => ['connection to 203.0.113.7:443, 203.0.113.8:443 and 2 more timed out', target]),
      'connection to 203.0.113.7, 203.0.113.8 and 2 more timed out',
    ],
    [
      'addresses that differ',
      HOSTS.map((target, index) => [`no route to 203.0.113.${index}`, target]),
      'no route to 3 hosts',
    ],
    [
      'the same answer of one host',
      [1, 2, 3].map(() => ['HTTP 503 (expected 200)', HOSTS[0] as string]),
      'HTTP 503 (expected 200) at a.example',
    ],
    [
      'the same answer of many hosts',
      HOSTS.map((target) => ['HTTP 503 (expected 200)', target]),
      'HTTP 503 (expected 200) at 3 hosts',
    ],
    [
      'one answer where others were expected',
      HOSTS.map((target, index) => [`HTTP 503 (expected 20${index})`, target]),
      'HTTP 503 at 3 hosts',
    ],
    [
      'a name that is in the cause',
      HOSTS.map((target) => [`name not found: ${new URL(target).hostname}`, target]),
      'name not found: 3 hosts',
    ],
    [
      'times that differ',
      [10, 30, 60].map((seconds) => [`no answer within ${seconds} s (connecting)`, HOSTS[0] as string]),
      'no answer in time (connecting) at a.example',
    ],
    [
      'jobs that are silent',
      [90, 90, 3_600].map((seconds) => [`no ping within ${seconds} s`, null]),
      'no ping in time',
    ],
    [
      'sizes that differ',
      ['18,204', '7', '9'].map((bytes) => [`keyword "OK" not found in ${bytes} bytes`, HOSTS[0] as string]),
      'keyword "OK" not found at a.example',
    ],
    [
      'days that differ',
      HOSTS.map((target, index) => [`certificate expires in ${index} days`, target]),
      'certificate expires soon at 3 hosts',
    ],
    [
      'a cause that was cut',
      HOSTS.map((target) => ['invalid HTTP answer: xxx…', target]),
      'invalid HTTP answer: xxx… at 3 hosts',
    ],
    ['only two', HOSTS.slice(1).map((target) => ['HTTP 503 (expected 200)', target]), null],
    [
      'causes that differ',
      [500, 502, 503].map((code) => [`HTTP ${code} (expected 200)`, HOSTS[0] as string]),
      null,
    ],
  ]
  for (const [what, each, cause] of cases) {
    it(`of ${what} is ${cause === null ? 'listed one by one' : `one group: ${cause}`}`, () => {
      const { groups, rest } = groupTroubles(each.map(([reason, target]) => troubled(reason, target)))
      assert.equal(rest, 0)
      if (cause === null) assert.deepEqual([groups.length, groups[0]?.cause], [each.length, each.at(-1)?.[0]])
      else
        assert.deepEqual(
          groups.map((group) => [group.cause, group.ids.length]),
          [[cause, each.length]],
        )
    })
  }

  it('is grouped by status and kind, and not at all without a reason', () => {
    const three = [1, 2, 3]
    const given = [
      ...three.map(() => troubled('Silent', null, { kind: 'server' })),
      ...three.map(() => troubled('Silent', null, { kind: 'server', status: 'degraded' })),
      ...three.map(() => troubled('Silent', null)),
      ...three.map(() => troubled(null, HOSTS[0] as string)),
    ]
    const { groups } = groupTroubles(given)
    assert.deepEqual(
      groups.map(({ kind, status, cause, ids }) => [kind, status, cause, ids.length]),
      [
        ...three.map(() => ['monitor', 'down', null, 1]),
        ['monitor', 'down', 'Silent', 3],
        ['server', 'down', 'Silent', 3],
        ['server', 'degraded', 'Silent', 3],
      ],
    )
  })

  it('begins with the worst, and of these with the newest; so does each group', () => {
    const statuses: CheckStatus[] = ['pending', 'down', 'degraded', 'down', 'degraded', 'pending']
    const given = statuses.map((status, index) => troubled(`cause ${index}`, null, { status }))
    const { groups } = groupTroubles(given)
    assert.deepEqual(
      groups.map(({ cause }) => cause),
      [3, 1, 4, 2, 5, 0].map((index) => `cause ${index}`),
    )
    const [group] = groupTroubles(HOSTS.map((target) => troubled('HTTP 500 (expected 200)', target))).groups
    assert.deepEqual(group?.ids, [made, made - 1, made - 2])
    assert.equal(group?.since, group?.subjects[0]?.since)
    assert.equal(group?.began, group?.subjects[2]?.since, 'its age is that of the first')
  })

  it('counts in a group those that somebody has', () => {
    const given = Array.from({ length: 60 }, (_, index) =>
      troubled('HTTP 500', HOSTS[0] as string, { acknowledgement: index % 2 === 0 ? { by: null } : null }),
    )
    const [group] = groupTroubles(given).groups
    assert.deepEqual([group?.ids.length, group?.acknowledged], [60, 30])
  })

  it('keeps the key of a group while its members and their figures change', () => {
    const keyOf = (reasons: string[]) =>
      groupTroubles(reasons.map((reason) => troubled(reason, HOSTS[0] as string))).groups.map(
        ({ key }) => key,
      )
    const seconds = (...all: number[]) => all.map((one) => `no answer within ${one} s (connecting)`)
    assert.deepEqual(keyOf(seconds(10, 10, 10)), keyOf(seconds(10, 20, 30, 40)))
  })

  it('is bounded: fifty groups, fifty of one by name, and two hundred in all', () => {
    const storm = Array.from({ length: 60 }, (_, cause) =>
      Array.from({ length: 60 }, () => troubled(`cause ${cause}`, null)),
    ).flat()
    const { groups, rest } = groupTroubles(storm)
    assert.deepEqual([groups.length, rest], [50, 600])
    assert.ok(groups.every(({ ids }) => ids.length === 60))
    const named = groups.map(({ subjects }) => subjects.length)
    assert.deepEqual([named[0], named.at(-1), named.reduce((sum, count) => sum + count)], [50, 1, 200])
  })

  it('is read in no time, however odd the causes are', () => {
    const odd = ['1.'.repeat(250), ':'.repeat(500), 'a:'.repeat(250), '1.1.1.1, '.repeat(55), '['.repeat(500)]
    const given = Array.from({ length: 2_000 }, (_, index) =>
      troubled(odd[index % odd.length] as string, null),
    )
    assert.equal(groupTroubles(given).groups.length, odd.length)
  })
})
