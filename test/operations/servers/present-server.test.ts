import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '../../../src/core/servers/condition.ts'
import { presentServer } from '../../../src/operations/servers/present-server.ts'
import type { ServerRecord } from '../../../src/store/servers/servers.ts'

const AT = '2026-11-28T12:00:00.000000Z'
const condition = (kind: Condition['kind'], part: string | null, phase: Condition['phase']): Condition => ({
  ...{ kind, part, phase },
  ...{ since: AT, incident_id: 1, warns_only: false },
})
const SERVER: ServerRecord = {
  ...{ id: 1, name: 'Web', is_active: true, thresholds: {}, contact_ids: [], tags: [] },
  ...{ createdAt: new Date(AT), status: 'down', statusSince: new Date(AT), lastReportAt: new Date(AT) },
  ...{
    flappingSince: null,
    machine: null,
    otherMachine: null,
    notUnderstood: null,
    trends: null,
    hosted: null,
  },
  latest: {
    cpu_percent: 85,
    'file_system_used_percent:/': 93,
    'file_system_size_bytes:/': 100e9,
    cpu_iowait_percent: 60,
  },
  conditions: [
    condition('cpu', null, 'ending'),
    condition('disk_space', '/', 'on'),
    condition('iowait', null, 'beginning'),
    condition('silent', null, 'on'),
  ],
  causes: ['CPU is 95 % busy', '/ is 93 % full (93 of 100 GB)'],
}

test('a server says what is over its limits as it is now, where that differs from how it began', () => {
  assert.deepEqual(presentServer(SERVER).now, ['CPU is 85 % busy'])
  assert.deepEqual(presentServer({ ...SERVER, conditions: [] }).now, [])
})
