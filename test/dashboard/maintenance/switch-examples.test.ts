import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { maintenanceUrl, SWITCH_EXAMPLES } from '../../../dashboard/screens/maintenance/switch-examples.ts'

describe('the examples beside the addresses of a switch', () => {
  it('keep what both addresses have in common', () => {
    const address = 'https://upbeat.example.com/maintenance/start-0123456789'
    assert.equal(maintenanceUrl({ start: `${address}/start` }), address)
  })

  const GITHUB = '$' + '{{ secrets.MAINTENANCE_URL }}'
  const read = (title: string) => parse(SWITCH_EXAMPLES.find((one) => one.title === title)?.text ?? '')

  it('are read by GitHub Actions as steps, of which the last always runs', () => {
    const { env, steps } = read('GitHub Actions')
    assert.equal(env.MAINTENANCE_URL, GITHUB)
    assert.match(steps[0].run, /POST "\$MAINTENANCE_URL\/start\?minutes=15"$/)
    assert.equal(steps[2].if, 'always()')
    assert.match(steps[2].run, /POST "\$MAINTENANCE_URL\/stop"$/)
  })

  it('are read by GitLab as scripts, and by Ansible as a block that always ends it', () => {
    const { deploy } = read('GitLab CI')
    assert.match(deploy.script[0], /\/start\?minutes=15"$/)
    assert.match(deploy.after_script[0], /\/stop"$/)
    const [{ block, always }] = read('Ansible')
    assert.equal(block[0]['ansible.builtin.uri'].url, '{{ maintenance_url }}/start?minutes=15')
    assert.equal(always[0]['ansible.builtin.uri'].url, '{{ maintenance_url }}/stop')
    assert.equal(always[0].run_once, true)
  })
})
