import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Alert } from '../../../src/core/alerting/alert.ts'
import type { Condition } from '../../../src/core/servers/condition.ts'
import { serverRecovery, serverTrouble } from '../../../src/engine/alerting/server-alert.ts'

const SERVER = { serverId: 3, name: 'web-1', hostName: 'web-1.example', teamId: 7, teamName: 'Acme' }
const FROM = new Date('2027-03-10T00:00:00Z')
const TO = new Date('2027-03-10T00:10:00.5Z')
const TOP = [
  { name: 'stress', cpu_percent: 380, memory_percent: 1 },
  { name: 'java', cpu_percent: 20, memory_percent: 70 },
  { name: 'java', cpu_percent: null, memory_percent: 12 },
]

function condition(kind: Condition['kind'], changes: Partial<Condition> = {}): Condition {
  const since = '2027-03-10T00:00:00.000000Z'
  return { kind, part: null, phase: 'on', since, incident_id: 1, warns_only: false, ...changes }
}

describe('the alert of a server', () => {
  const culprits: [kind: Condition['kind'], names: string[] | undefined][] = [
    ['cpu', ['stress', 'java']],
    ['memory', ['java', 'stress']],
    ['disk_space', undefined],
    ['silent', undefined],
  ]
  for (const [kind, names] of culprits) {
    test(`names the processes that explain ${kind}, those that use the most first`, () => {
      const begun = { condition: condition(kind), cause: 'why', startedAt: FROM }
      assert.deepEqual(serverTrouble(SERVER, begun, TOP).processes, names)
    })
  }

  test('is down, or a warning', () => {
    const begun = { condition: condition('cpu'), cause: 'CPU is 97 % busy', startedAt: FROM }
    const alert = serverTrouble(SERVER, begun, [])
    assert.deepEqual(alert, {
      event: 'server.down',
      type: 'server',
      id: 3,
      name: 'web-1',
      target: 'web-1.example',
      occurredAt: '2027-03-10T00:00:00.000000Z',
      cause: 'CPU is 97 % busy',
      downSeconds: null,
      teamName: 'Acme',
      teamId: 7,
    })
    assert.deepEqual(Alert.parse(alert), alert)
    const warning = { ...begun, condition: condition('cpu', { warns_only: true }) }
    assert.equal(serverTrouble(SERVER, warning, []).event, 'server.degraded')
  })

  test('of a recovery says what the incident was, how it ended, and which others go on', () => {
    const resolved = { startedAt: FROM, resolvedAt: TO, cause: '/var is 93 % full' }
    const ended = { condition: condition('disk_space', { part: '/var' }), cause: '/var is 84 % full' }
    const others = [
      condition('inodes', { part: '/var', phase: 'ending' }),
      condition('memory', { phase: 'beginning', incident_id: null }),
      condition('cpu', { incident_id: null }),
    ]
    const alert = serverRecovery(SERVER, ended, resolved, { conditions: others })
    assert.deepEqual(
      [alert.event, alert.occurredAt, alert.cause, alert.ending, alert.downSeconds, alert.still],
      [
        'server.recovery',
        '2027-03-10T00:10:00.500000Z',
        '/var is 93 % full',
        '/var is 84 % full',
        600,
        ['Inodes of /var'],
      ],
    )
    assert.deepEqual(Alert.parse(alert), alert)
    assert.equal('still' in serverRecovery(SERVER, ended, resolved, { conditions: [] }), false)
  })
})
