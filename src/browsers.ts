import { fork } from 'node:child_process'
import { threadId } from 'node:worker_threads'
import { browserEnvironment, type Config } from './config.ts'
import { ownModule } from './files/own-files.ts'
import { type Browsers, createBrowsers } from './probes/browser/browsers.ts'
import type { SharedPlaces } from './probes/browser/places.ts'

const HEAP_MIB = 512
/** The browsers of this thread, which it shares places for with the others of its process; null where none is set up. */
export function openBrowsers(config: Config, places: SharedPlaces): Browsers | null {
  const { browserPath } = config
  if (browserPath === null) return null
  return createBrowsers({ program: browserPath, start: startPageProcess, places, thread: threadId })
}

/** It ends with this process, however that ends: its channel closes then. */
function startPageProcess(folder: string) {
  return fork(ownModule('probes/browser/page-process'), {
    env: { ...browserEnvironment(), HOME: folder, TMPDIR: folder, TMP: folder, TEMP: folder },
    cwd: folder,
    // A group of its own: a signal of a terminal is for the service, which ends it.
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${HEAP_MIB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}
