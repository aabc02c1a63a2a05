import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import workers from 'node:worker_threads'

/** Loaded before a service: it can start no thread that checks while the file of this environment variable exists. */
export const NO_THREAD_WHILE = 'TEST_NO_CHECKING_THREAD_WHILE'

const { Worker } = workers
const refusal = process.env[NO_THREAD_WHILE] ?? ''

if (refusal !== '') {
  workers.Worker = class extends Worker {
    constructor(...settings: ConstructorParameters<typeof Worker>) {
      // The entry of the sources, or of a release.
      if (/\/checking-thread\.[jt]s$/.test(String(settings[0])) && existsSync(refusal)) {
        throw new Error('no thread can be started')
      }
      super(...settings)
    }
  }
  syncBuiltinESMExports()
}
