import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { countRows } from '../support/records/rows.ts'
import { closedPort } from '../support/servers/targets.ts'
import { startServiceHere } from '../support/services/service-here.ts'
import { npxUpbeat, shellFunctions } from '../support/services/shell-functions.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the README', () => {
  it('leads from an empty service to a monitor with an incident, by its own commands', async (t) => {
    const service = await startServiceHere()
    t.after(() => service.close())
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
    assert.equal(blocks.length, 3)
    const nobody = await closedPort(t)
    const [accounts = '', create = '', read = ''] = blocks.map((block) =>
      block
        .replaceAll('http://localhost:3000', service.url)
        .replaceAll(/localhost:(8000|9000)/g, `localhost:${nobody}`),
    )
    const isDown = async () =>
      (await countRows(service.services.db, 'monitor_state', { monitor_id: 1, status: 'down' })) > 0
    const functions = await shellFunctions(t, {
      npx: npxUpbeat(t, service.env, ROOT),
      async until_checked() {
        await until('the first check', isDown)
        return { status: 0, out: '', err: '' }
      },
    })
    const script = ['set -eu', functions, accounts, create, 'until_checked', read].join('\n')
    const env = { PATH: process.env.PATH }
    const options = { cwd: ROOT, env, timeout: HANG_GUARD_MS }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], options)
    assert.match(stdout, /"open_incident":\{"id":1,/)
    assert.match(stdout, /"error_message":"connection refused by /)
    assert.match(stdout, /"resolved":false\}\]\}$/)
  })
})
