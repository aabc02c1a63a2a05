import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  FromPageProcess,
  PageReport,
  PageTask,
  ToPageProcess,
} from '../../core/monitors/browser/page-report.ts'
import { createTurnstile } from '../../core/sharing/share.ts'
import { type SharedPlaces, takeSharedPlace } from './places.ts'

/** How long a check waits for a place, in milliseconds. */
const WAIT_MS = 60_000
const OPENING_MS = 90_000
/** Behind the limit of a check, for its end; the process itself judges the time. */
const GRACE_MS = 30_000
/** A browser that nothing looks with for so long ends. */
const IDLE_MS = 5_000
/** A browser that has made so many checks ends: what it holds on to grows. */
const MAX_CHECKS = 50

export type BrowsersOptions = {
  /** The program of a Chromium. */
  program: string
  /** Starts the process of one, with a folder of its own for files, in a group of processes of its own. */
  start: (folder: string) => ChildProcess
  places: SharedPlaces
  thread: number
}

/** `trouble`: why this machine could not look. */
export type PageLook = PageReport | { trouble: BrowserTrouble }
export type BrowserTrouble = 'none free' | 'does not start' | 'too much memory' | 'ended' | 'cancelled'

/** The browsers of one thread. */
export type Browsers = {
  /** Waits for a place, then looks. `begin` makes the task, once there is one. Never throws. */
  look(team: number, signal: AbortSignal, task: (signal: AbortSignal) => Promise<PageTask>): Promise<PageLook>
  close(): Promise<void>
}

/** Starts browsers when they are needed, and lets each make one check after the other: a start costs a second of a core. */
export function createBrowsers(options: BrowsersOptions): Browsers {
  const turnstile = createTurnstile('browserChecks', { size: options.places.length - 1 })
  const idle = new Set<PageBrowser>()
  const all = new Set<PageBrowser>()

  async function lookIn(signal: AbortSignal, makeTask: (signal: AbortSignal) => Promise<PageTask>) {
    const [free] = idle
    const browser = free ?? startBrowser(options)
    idle.delete(browser)
    all.add(browser)
    browser.rest(null)
    try {
      if (!(await browser.isOpen())) return { trouble: browser.trouble ?? 'does not start' } as const
      return await browser.look(await makeTask(signal), signal)
    } finally {
      if (!browser.isUsable) void end(browser)
      else {
        idle.add(browser)
        browser.rest(() => void end(browser))
      }
    }
  }

  async function end(browser: PageBrowser): Promise<void> {
    idle.delete(browser)
    await browser.end()
    all.delete(browser)
  }

  return {
    async look(team, signal, makeTask) {
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)])
      const none = () => ({ trouble: signal.aborted ? 'cancelled' : 'none free' }) as const
      if (!(await turnstile.enter(team, waiting))) return none()
      try {
        const leave = await takeSharedPlace(options.places, options.thread, waiting)
        if (!leave) return none()
        try {
          return await lookIn(signal, makeTask)
        } finally {
          leave()
        }
      } finally {
        turnstile.leave(team)
      }
    },
    async close() {
      await Promise.all([...all].map(end))
    },
  }
}

type PageBrowser = ReturnType<typeof startBrowser>

function startBrowser({ program, start }: BrowsersOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'upbeat-browser-'))
  const child = start(folder)
  const listeners = new Set<(message: FromPageProcess | null) => void>()
  const exited = new Promise<void>((resolve) => {
    // A process that cannot be started at all has no exit.
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  let trouble: BrowserTrouble | null = null
  let pid: number | null = null
  let checks = 0
  let resting: NodeJS.Timeout | undefined

  const tell = (message: FromPageProcess | null) => {
    for (const listener of listeners) listener(message)
  }
  child.on('message', (message: FromPageProcess) => {
    if (message.kind === 'opened') pid = message.pid
    if (message.kind === 'too much memory') trouble = 'too much memory'
    if (message.kind === 'not opened') trouble = 'does not start'
    tell(message)
  })
  const over = exited.then(async () => {
    trouble ??= 'ended'
    tell(null)
    killGroup(pid)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  })
  const say = (message: ToPageProcess) => child.connected && child.send(message, () => {})

  /** The next message that is one; null once the process has ended, or the time is over. */
  function next<Kind extends FromPageProcess['kind']>(kinds: readonly Kind[], signal: AbortSignal) {
    return new Promise<Extract<FromPageProcess, { kind: Kind }> | null>((resolve) => {
      const settle = (message: FromPageProcess | null) => {
        const isOne = message && (kinds as readonly string[]).includes(message.kind)
        if (message !== null && !isOne) return
        listeners.delete(settle)
        signal.removeEventListener('abort', giveUp)
        resolve(message as Extract<FromPageProcess, { kind: Kind }> | null)
      }
      const giveUp = () => settle(null)
      listeners.add(settle)
      signal.addEventListener('abort', giveUp, { once: true })
      if (trouble !== null || signal.aborted) settle(null)
    })
  }

  function kill(): Promise<void> {
    killGroup(pid)
    killGroup(child.pid ?? null)
    return over
  }

  const opened = next(['opened', 'not opened'], AbortSignal.timeout(OPENING_MS))
  say({ kind: 'open', program, folder })
  return {
    get trouble() {
      return trouble
    },
    get isUsable() {
      return trouble === null && checks < MAX_CHECKS
    },
    async isOpen() {
      const said = await opened
      if (said === null) trouble ??= 'does not start'
      return said?.kind === 'opened'
    },
    /** Ends it later, unless it is needed before. */
    rest(then: (() => void) | null) {
      clearTimeout(resting)
      if (then) resting = setTimeout(then, IDLE_MS).unref()
    },
    async look(task: PageTask, signal: AbortSignal): Promise<PageLook> {
      checks++
      const bound = AbortSignal.any([signal, AbortSignal.timeout(2 * task.limitMs + GRACE_MS)])
      const answer = next(['report'], bound)
      say({ kind: 'look', task })
      const said = await answer
      if (said?.report.isReusable) return said.report
      // Nothing of a check outlives it.
      const why = trouble ?? (signal.aborted ? 'cancelled' : 'ended')
      trouble = why
      await kill()
      return said && why !== 'too much memory' ? said.report : { trouble: why }
    },
    async end() {
      clearTimeout(resting)
      trouble ??= 'ended'
      if (pid === null) return kill()
      const late = setTimeout(kill, GRACE_MS)
      say({ kind: 'end' })
      await over
      clearTimeout(late)
    },
  }
}

function killGroup(pid: number | null): void {
  if (pid === null || pid <= 1) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It is over already.
  }
}
