import { PassThrough } from 'node:stream'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { type Service, startService } from '../../src/serve.ts'
import { type AskedService, askingAt, openServices } from './asked-service.ts'
import { openDatabaseAddress, TEST_SECRET } from './database.ts'
import { freePort } from './service.ts'

/** A service that can be stopped in order and started again, as by a signal; its database and its address stay. */
export type ServiceHere = AskedService & { stop(): Promise<void>; start(): Promise<void> }

/**
 * The service with settings of its own in the process of the test, with a database of its own on the server that the
 * process shares: for what asks no question about processes, at a tenth of what a process costs.
 */
export async function startServiceHere(environment: Record<string, string> = {}): Promise<ServiceHere> {
  const database = await openDatabaseAddress()
  const port = await freePort()
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_SECRET,
    ...environment,
  }
  const config = readConfig(env)
  let printed = ''
  const output = new PassThrough().on('data', (text) => (printed += text))
  let service: Service | null = null

  async function start() {
    service = await startService(config, createLog(config.logLevel, false, output))
  }

  async function stop() {
    await service?.close()
    service = null
  }

  await start()
  const { store, services } = await openServices(env)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    env,
    services,
    ...askingAt(url, () => services),
    output: () => printed,
    start,
    stop,
    async close() {
      await stop()
      await store.close()
      await database.drop()
    },
  }
}
