import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Machine } from '../../../src/core/servers/machine-report.ts'
import { withFactsBefore } from '../../../src/core/servers/measure.ts'

const MACHINE: Machine = {
  source: 'prometheus',
  host_name: 'web-1',
  os: 'Debian GNU/Linux 12 (bookworm)',
  kernel: '6.1.0',
  architecture: 'x86_64',
  cpus: 4,
  machine_id: 'web-1:9100',
  boot_id: null,
  agent_version: null,
}

describe('facts of a machine', () => {
  it('stay where a part of a report does not have them', () => {
    const part = { ...MACHINE, host_name: null, os: null, cpus: 8 }
    assert.deepEqual(withFactsBefore(part, MACHINE), { ...MACHINE, cpus: 8 })
  })

  it('are those of the report alone where it is the first, or comes from elsewhere', () => {
    const agent = { ...MACHINE, source: 'agent' as const, os: null }
    assert.deepEqual(withFactsBefore(agent, null), agent)
    assert.deepEqual(withFactsBefore(agent, MACHINE), agent)
  })
})
