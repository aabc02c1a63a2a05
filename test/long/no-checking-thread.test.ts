// npm test leaves this out: it starts a service of its own as a process, and waits for it to mend itself (seconds).
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { NO_THREAD_WHILE } from '../support/probing/no-checking-thread.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import { startTestService } from '../support/services/service.ts'
import { teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'

const PRELOAD = new URL('../support/probing/no-checking-thread.ts', import.meta.url)

test('a service that can start no checking thread says so in /health, and checks once it can', async (t) => {
  const refusal = join(tmpdir(), `upbeat-no-thread-${crypto.randomUUID()}`)
  await writeFile(refusal, '')
  const service = await startTestService({
    NODE_OPTIONS: `--import=${PRELOAD}`,
    [NO_THREAD_WHILE]: refusal,
  })
  t.after(async () => {
    await service.close()
    await rm(refusal, { force: true })
  })
  const health = async () => {
    const response = await fetch(`${service.url}/health`)
    return [response.status, await response.json()]
  }
  assert.deepEqual(await health(), [503, { status: 'unavailable', failing: 'probe' }])
  const client = await teamClient(service)
  const target = await startSwitchTarget(t)
  const { id } = await client.monitor({ url: target.url })
  assert.match(service.output(), /no thread can be started/)
  await rm(refusal)
  await until('the service is healthy', async () => (await health())[0] === 200)
  await client.untilStatus(id, 'up')
})
