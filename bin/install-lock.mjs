import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200
const TOUCH_EVERY_MS = 2_000
/** A lock untouched for this long belonged to a process that was killed, unless the npm that it started still runs. */
const ABANDONED_MS = 15_000
const MAX_INSTALL_MS = 900_000

/** Lets one process at a time install or build. The lock is a directory, because creating one fails if it exists. */
export async function holdInstallLock(root, say) {
  const path = join(root, '.cache/install.lock')
  mkdirSync(dirname(path), { recursive: true })
  let told = false
  while (!tryMake(path)) {
    removeAbandoned(path)
    if (!told) say('Another process installs or builds here; waiting for it …')
    told = true
    await sleep(POLL_MS)
  }
  const timer = setInterval(() => touch(path), TOUCH_EVERY_MS).unref()
  const release = () => {
    clearInterval(timer)
    process.off('exit', release)
    rmSync(path, { recursive: true, force: true })
  }
  process.on('exit', release)
  return { release, coverProcess: (pid) => writeFileSync(join(path, 'pid'), String(pid)) }
}

function tryMake(path) {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function removeAbandoned(path) {
  if (!isAbandoned(path)) return
  const taken = `${path}.${process.pid}`
  try {
    // Several processes may see it; only one succeeds in moving it away.
    renameSync(path, taken)
    rmSync(taken, { recursive: true, force: true })
  } catch {
    // Another process was faster.
  }
}

function isAbandoned(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return false
  const age = Date.now() - found.mtimeMs
  return age > MAX_INSTALL_MS || (age > ABANDONED_MS && !isAlive(coveredProcess(path)))
}

function coveredProcess(path) {
  try {
    return Number(readFileSync(join(path, 'pid'), 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function touch(path) {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    // The lock was taken over after a long sleep of the machine.
  }
}
