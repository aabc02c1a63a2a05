import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { fail } from './bootstrap.mjs'

const PARENT_POLL_MS = 250
/** npm passes on a signal that the whole process group has already received. */
const SAME_SIGNAL_MS = 500
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh']

/**
 * Runs the command in our place: same input and output, our signals, its exit code or signal.
 *
 * The child has its own session, so each signal reaches it once, through us, whether it is a Ctrl-C for the whole
 * process group or meant for us alone. The child stops even if we are killed: the IPC channel closes then (the
 * `disconnect` event of `process`).
 */
export function runAsOurselves(command, args, environment) {
  const child = spawn(command, args, {
    env: environment,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  for (const signal of FORWARDED)
    process.on(
      signal,
      oncePerMoment(() => child.kill(signal)),
    )
  child.on('error', (error) => {
    if (child.pid === undefined) fail(`Cannot run ${command}: ${error.message}`)
  })
  const watch = process.env.npm_lifecycle_event ? watchParent(() => child.kill('SIGTERM')) : undefined
  child.on('exit', (code, signal) => {
    clearInterval(watch)
    if (signal) endLike(signal)
    else process.exit(code)
  })
}

function oncePerMoment(action) {
  let last = -SAME_SIGNAL_MS
  return () => {
    const now = performance.now()
    if (now - last < SAME_SIGNAL_MS) return
    last = now
    action()
  }
}

/** If npm is killed it leaves us behind, although its caller believes that the service has stopped. */
function watchParent(whenGone) {
  const parents = livingParents()
  const timer = setInterval(() => {
    if (livingParents() === parents) return
    clearInterval(timer)
    whenGone()
  }, PARENT_POLL_MS)
  return timer
}

/** The process id of npm, and of the shell that runs its scripts, if that stayed in between. */
function livingParents() {
  const parent = process.ppid
  try {
    // Linux: "pid (name) state ppid …". Elsewhere the shell replaces itself with its last command.
    const [, name, grandparent] = readFileSync(`/proc/${parent}/stat`, 'utf8').match(/\((.*)\) \S (\d+)/s)
    return SHELLS.includes(name) ? `${parent} ${grandparent}` : `${parent}`
  } catch {
    return `${parent}`
  }
}

/** Lets our parent see the same end that we saw. The first process of a container survives its own signals. */
function endLike(signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
}
