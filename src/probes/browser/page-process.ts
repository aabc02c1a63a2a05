import { readFileSync, rmSync } from 'node:fs'
import { type Browser, type BrowserServer, chromium } from 'playwright-core'
import type { FromPageProcess, ToPageProcess } from '../../core/monitors/browser/page-report.ts'
import { createLoopWatch } from '../../net/loop-watch.ts'
import { lookAtPage } from './look-at-page.ts'

/** The bound of the browser with all its processes. */
const MAX_BYTES = 1_536 * 1024 * 1024
const MEMORY_EVERY_MS = 500
const PAGE_BYTES = 4_096
const START_MS = 60_000
const ENDING_MS = 5_000

/**
 * Nothing that a page does goes past the proxy: names resolve to nothing here, and what speaks UDP is off. Requests of the
 * browser's own go to a port where there is nothing.
 */
const ARGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
  '--deny-permission-prompts',
  '--disable-gpu',
  '--disk-cache-size=1',
  '--renderer-process-limit=6',
  '--js-flags=--max-old-space-size=768',
]
const NOWHERE = { server: 'http://127.0.0.1:9', bypass: '<-loopback>' }

/** The process of a browser: one check after the other, each in a context of its own. It ends with its parent. */
let opened: { server: BrowserServer; browser: Browser; pid: number } | null = null
let folder: string | null = null
const loop = createLoopWatch(() => performance.now())
const watching = process.platform === 'linux' ? setInterval(watchMemory, MEMORY_EVERY_MS) : undefined

process.on('disconnect', () => endAtOnce())
process.on('message', (message: ToPageProcess) => void take(message))

async function take(message: ToPageProcess): Promise<void> {
  switch (message.kind) {
    case 'open':
      folder = message.folder
      await open(message.program).catch((error: Error) => say({ kind: 'not opened', message: error.message }))
      break
    case 'look':
      if (opened) say({ kind: 'report', report: await lookAtPage(opened.browser, message.task, loop) })
      break
    case 'end':
      await end()
  }
}

async function open(executablePath: string): Promise<void> {
  const server = await chromium.launchServer({
    ...{ executablePath, args: ARGS, proxy: NOWHERE, timeout: START_MS, host: '127.0.0.1' },
    // An operator may name a script that leaves the sandbox off, where none is possible.
    chromiumSandbox: true,
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  })
  const browser = await chromium.connect(server.wsEndpoint())
  const pid = server.process().pid ?? 0
  opened = { server, browser, pid }
  say({ kind: 'opened', pid })
}

function say(message: FromPageProcess): void {
  process.send?.(message)
}

async function end(): Promise<void> {
  const late = setTimeout(endAtOnce, ENDING_MS)
  await opened?.server.close().catch(() => {})
  clearTimeout(late)
  endAtOnce()
}

function endAtOnce(): never {
  clearInterval(watching)
  try {
    if (opened) process.kill(-opened.pid, 'SIGKILL')
  } catch {
    // It is over already.
  }
  // Its parent may be gone, and this folder is its own.
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.exit()
}

function watchMemory(): void {
  if (!opened || bytesOf(opened.pid) <= MAX_BYTES) return
  say({ kind: 'too much memory' })
  try {
    process.kill(-opened.pid, 'SIGKILL')
  } catch {
    // It is over already.
  }
}

/** The memory that a process and its children have to themselves (proc(5), statm). */
function bytesOf(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + bytesOf(Number(child)), (resident - shared) * PAGE_BYTES)
  } catch {
    return 0
  }
}
