import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { startTestService, type TestService } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the README', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.close())

  it('leads from an empty service to a monitor with an incident, by its own commands', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
    assert.equal(blocks.length, 3)
    const [accounts = '', create = '', read = ''] = blocks.map((block) =>
      block.replaceAll('http://localhost:3000', service.url),
    )
    const untilChecked = `until curl -s $API/monitors/1 -H "Authorization: Bearer $TOKEN" | grep -q '"status":"down"'; do sleep 0.2; done`
    const script = ['set -eu', accounts, create, untilChecked, read].join('\n')
    const env = { ...process.env, ...service.env }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env, timeout: 60_000 })
    assert.match(stdout, /"open_incident":\{"id":1,/)
    assert.match(stdout, /"error_message":"connection refused by /)
    assert.match(stdout, /"resolved":false\}\]\}$/)
  })
})
