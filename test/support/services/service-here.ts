import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { readConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/log.ts'
import { type Service, startService } from '../../../src/roles/serve.ts'
import { NO_BROWSER } from '../browser/no-browser.ts'
import { freePort } from '../free-port.ts'
import { placeCluster } from '../postgres/cluster-template.ts'
import { openDatabaseAddress, TEST_SECRET } from '../postgres/database.ts'
import { type AskedService, askingAt, openServices } from './asked-service.ts'

/** A service that can be stopped in order and started again, as by a signal; its data and its address stay. */
export type ServiceHere = AskedService & {
  /** Lets go of the database, too: `services` is of no use until the next start. */
  stop(): Promise<void>
  start(): Promise<void>
}

/**
 * The service with settings of its own in the process of the test, for what asks no question about processes, at a
 * tenth of what a process costs. It has a database of its own on the server that the process shares, or, where
 * `environment` says `DATABASE_URL: ''`, an embedded one.
 */
export async function startServiceHere(environment: Record<string, string> = {}): Promise<ServiceHere> {
  const database = await placeDatabase(environment)
  const port = await freePort()
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    BROWSER_PATH: NO_BROWSER,
    ...database.env,
    ...environment,
  }
  const config = readConfig(env)
  let printed = ''
  const output = new PassThrough().on('data', (text) => (printed += text))
  let running: Service | null = null
  let opened: Awaited<ReturnType<typeof openServices>> | null = null
  let services: AskedService['services']

  async function start() {
    running = await startService(config, createLog(config.logLevel, false, output))
    try {
      opened = await openServices(env)
    } catch (error) {
      // The caller has nothing to stop it with: it would keep the process of the tests from ending.
      await stop()
      throw error
    }
    services = opened.services
  }

  async function stop() {
    await running?.close()
    running = null
    await opened?.store.close()
    opened = null
  }

  await start()
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    env,
    get services() {
      return services
    },
    ...askingAt(url, () => services),
    output: () => printed,
    start,
    stop,
    async close() {
      await stop()
      await database.drop()
    },
  }
}

async function placeDatabase({ DATABASE_URL }: Record<string, string>) {
  if (DATABASE_URL !== '') {
    const { url, drop } = await openDatabaseAddress()
    return { env: { DATABASE_URL: url, SECRET_KEY: TEST_SECRET }, drop }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
  // As root the database runs as somebody else.
  await chmod(dataDir, 0o711)
  await placeCluster(dataDir)
  return { env: { DATA_DIR: dataDir }, drop: () => rm(dataDir, { recursive: true, force: true }) }
}
