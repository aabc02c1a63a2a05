import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { holdInstallLock } from './install-lock.mjs'

const MIN_NODE_MAJOR = 20
const PROGRESS_MS = 1_000
const STOP_MS = 4_500
const MAX_KEPT_OUTPUT_LENGTH = 20_000

/**
 * Installs the locked dependencies unless they are already there. All messages go to stderr: stdout belongs to the
 * command. `withDev` includes what the tests need.
 */
export async function ensureInstalled(root, { withDev }) {
  if (Number.parseInt(process.versions.node, 10) < MIN_NODE_MAJOR) {
    fail(`Upbeat needs Node ${MIN_NODE_MAJOR} or newer to start; this is ${process.version}.`)
  }
  if (!isInstalled(root, withDev)) {
    const lock = await holdInstallLock(root, say).catch((error) =>
      fail(`Cannot install here: ${error.message}`),
    )
    try {
      // Another start may have installed them while we waited.
      if (!isInstalled(root, withDev)) await install(root, withDev, lock)
    } finally {
      lock.release()
    }
  }
  linkCommand(root)
}

/** Compares the lock file with what npm recorded as installed, and that with what is there. */
function isInstalled(root, withDev) {
  const locked = readLock(join(root, 'package-lock.json'))
  const installed = readLock(join(root, 'node_modules/.package-lock.json'))
  const wanted = Object.entries(locked).filter(
    ([path, entry]) => path && isNeeded(path, entry, locked[''], withDev),
  )
  return wanted.every(
    ([path, { version }]) =>
      installed[path]?.version === version && existsSync(join(root, path, 'package.json')),
  )
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return {}
  }
}

function isNeeded(path, entry, project, withDev) {
  if (entry.dev || entry.devOptional) return withDev && !entry.optional && !entry.devOptional
  if (!entry.optional) return true
  // Only two optional packages matter: Node and PostgreSQL for this platform.
  const name = path.slice('node_modules/'.length)
  const ours = name in (project.optionalDependencies ?? {})
  return ours && allows(entry.os, process.platform) && allows(entry.cpu, process.arch)
}

function allows(list, value) {
  return list === undefined || [list].flat().includes(value)
}

async function install(root, withDev, lock) {
  // Keeps a developer's packages for the tests when a start needs something newer.
  const keepsDev = Object.values(readLock(join(root, 'node_modules/.package-lock.json'))).some(
    ({ dev }) => dev,
  )
  const dev = withDev || keepsDev ? '--include=dev' : '--omit=dev'
  const args = [
    'ci',
    dev,
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const [command, ...leading] = npmCommand()
  const stopProgress = showProgress('Installing the locked dependencies (npm ci)')
  const began = Date.now()
  const { code, output } = await capture(command, [...leading, ...args], root, lock)
  stopProgress()
  if (code !== 0) {
    fail(
      `npm could not install the dependencies (exit code ${code}). It said:\n\n${output.trim()}\n\n` +
        'Is the npm registry reachable from here? Try again, or run `npm ci` to see more.',
    )
  }
  if (!isInstalled(root, withDev)) {
    fail(
      `npm ended well, but packages for ${process.platform}-${process.arch} are missing. It said:\n\n${output.trim()}`,
    )
  }
  say(`Installed in ${Math.round((Date.now() - began) / 1_000)} s.`)
}

/** The npm that runs us, or the one on the path. */
function npmCommand() {
  const running = process.env.npm_execpath
  return running?.endsWith('npm-cli.js') && existsSync(running) ? [process.execPath, running] : ['npm']
}

function capture(command, args, cwd, lock) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output = `${output}${data}`.slice(-MAX_KEPT_OUTPUT_LENGTH)
      })
    }
    lock.coverProcess(child.pid)
    const stop = (signal) => {
      child.kill(signal)
      const end = () => process.exit(128 + constants.signals[signal])
      child.once('close', end)
      // Supervisors usually kill after five seconds.
      setTimeout(() => {
        child.kill('SIGKILL')
        end()
      }, STOP_MS)
    }
    process.once('SIGTERM', stop).once('SIGINT', stop).once('SIGHUP', stop)
    child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }))
    child.on('close', (code, signal) => {
      for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.off(name, stop)
      resolve({ code: code ?? signal, output })
    })
  })
}

/** Counts seconds on a terminal; prints one line to a log. */
function showProgress(text) {
  if (!process.stderr.isTTY) {
    say(`${text} …`)
    return () => {}
  }
  const began = Date.now()
  const show = () => process.stderr.write(`\r${text} … ${Math.round((Date.now() - began) / 1_000)} s `)
  show()
  const timer = setInterval(show, PROGRESS_MS)
  return () => {
    clearInterval(timer)
    process.stderr.write('\n')
  }
}

/** npm links the commands of dependencies only; this link keeps `npx upbeat` from looking elsewhere. */
function linkCommand(root) {
  const link = join(root, 'node_modules/.bin/upbeat')
  if (lstatSync(link, { throwIfNoEntry: false })) return
  try {
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    symlinkSync('../../bin/upbeat.mjs', link)
  } catch {
    // The installation is read-only; everything else works.
  }
}

export function say(text) {
  process.stderr.write(`${text}\n`)
}

export function fail(text) {
  say(text)
  process.exit(1)
}
