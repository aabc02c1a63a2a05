import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { fail } from './bootstrap.mjs'

const PARENT_POLL_MS = 250
/** npm passes on a signal that the whole process group has got already. */
const SAME_SIGNAL_MS = 500
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh']

/**
 * Runs the command in our place: same input and output, our signals, its exit code or signal.
 *
 * The child has a session of its own, so each signal reaches it once, through us: a Ctrl-C meant for the whole
 * process group, or a signal meant for us. It ends with us even if we are killed: the IPC channel closes then
 * (event `disconnect` of `process`).
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
    if (signal) dieOf(signal)
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

/** npm that is killed leaves us behind, and whoever started it believes that the service has ended. */
function watchParent(whenGone) {
  const parents = livingParents()
  const timer = setInterval(() => {
    if (livingParents() === parents) return
    clearInterval(timer)
    whenGone()
  }, PARENT_POLL_MS)
  return timer
}

/** npm's process id, with that of the shell that it runs scripts in, if that one stayed in between. */
function livingParents() {
  const parent = process.ppid
  try {
    // Linux: "pid (name) state ppid …". Elsewhere the shell replaces itself by its last command.
    const [, name, grandparent] = readFileSync(`/proc/${parent}/stat`, 'utf8').match(/\((.*)\) \S (\d+)/s)
    return SHELLS.includes(name) ? `${parent} ${grandparent}` : `${parent}`
  } catch {
    return `${parent}`
  }
}

/** So that our parent sees the same end as we saw. The first process of a container survives its own signals. */
function dieOf(signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
}
