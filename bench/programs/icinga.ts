import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '../../test/support/until.ts'
import { treeCpuMicros } from '../processes.ts'
import { findProgram, searchPath } from '../support/programs.ts'
import { Scope } from '../support/scope.ts'

/** More than it gets done at an interval of 1 s, so that it is never idle. */
const HOSTS = 3_000
const WARM_UP_CHECKS = 100
const DAEMON_FOLDERS = ['/usr/sbin', '/usr/local/sbin']
/** Where distributions put the plugins. */
const PLUGIN_FOLDERS = ['/usr/lib/nagios/plugins', '/usr/lib64/nagios/plugins', '/usr/lib/monitoring-plugins']
const FOLDERS = ['DataDir', 'CacheDir', 'LogDir', 'InitRunDir', 'SpoolDir', 'ConfigDir']
const ENDED = /notice\/Process: PID \d+ \('[^']*check_http'.*terminated with exit code (\d+)/

export type IcingaPrograms = { daemon: string; checkHttp: string }

export type IcingaRound = { done: number; elapsedSeconds: number; cpuMicros: number }

/** It does not run on this machine, which says nothing of us. */
export class IcingaRefused extends Error {}

/** Null when one of them is not installed. */
export function findIcinga(): IcingaPrograms | null {
  const daemon = findProgram(['icinga2'], [...searchPath(), ...DAEMON_FOLDERS])
  const checkHttp = findProgram(['check_http'], PLUGIN_FOLDERS)
  return daemon !== null && checkHttp !== null ? { daemon, checkHttp } : null
}

/**
 * One round of an instance of its own, as the user we are and without any network feature: the checks that ended
 * in so many seconds, and what all of its processes used. Its log tells how each check ended; one that did not
 * find the target up ends the round with an error.
 */
export async function runIcinga(
  scope: Scope,
  programs: IcingaPrograms,
  url: URL,
  concurrentChecks: number,
  seconds: number,
): Promise<IcingaRound> {
  const round = new Scope()
  scope.after(() => round.close())
  try {
    const { args, env } = await placeIcinga(round, programs, busyHosts(url, concurrentChecks), [
      '-x',
      'notice',
    ])
    const child = spawn(programs.daemon, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    round.after(() => end(child))
    return await measure(child, seconds)
  } finally {
    await round.close()
  }
}

/** The command line of an instance of its own: the user we are, no network feature, these hosts. It is gone with the scope. */
export async function placeIcinga(
  scope: Scope,
  { checkHttp }: IcingaPrograms,
  hosts: string,
  options: string[] = [],
): Promise<{ args: string[]; env: NodeJS.ProcessEnv }> {
  const folder = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const places = FOLDERS.map((name) => ({ name, path: join(folder, name) }))
  await Promise.all(places.map(({ path }) => mkdir(path)))
  const config = join(folder, 'icinga2.conf')
  await writeFile(config, configuration(dirname(checkHttp), hosts))
  const defined = places.flatMap(({ name, path }) => ['-D', `${name}=${path}`])
  return {
    args: ['daemon', ...options, '-c', config, ...defined],
    env: { ...process.env, ICINGA2_USER: nameOf('-un'), ICINGA2_GROUP: nameOf('-gn') },
  }
}

/** Templates are its own; the hosts are written here. */
function configuration(pluginFolder: string, hosts: string): string {
  return `
const PluginDir = "${pluginFolder}"
const NodeName = "bench"
const ZoneName = "bench"
include <itl>
include <plugins>
object Endpoint NodeName {}
object Zone ZoneName { endpoints = [ NodeName ] }
object CheckerComponent "checker" {}
${hosts}
`
}

/** More hosts with the same page than it can check every second. */
function busyHosts(url: URL, concurrentChecks: number): string {
  return `
const MaxConcurrentChecks = ${concurrentChecks}
for (i in range(${HOSTS})) {
  ${hostObject('"bench-" + i', url, 1, JSON.stringify(url.pathname))}
}
`
}

/** A host with the page as its check; `name` and `path` are expressions of its language. */
export function hostObject(name: string, url: URL, intervalSeconds: number, path: string): string {
  return `object Host ${name} {
    check_command = "http"
    check_interval = ${intervalSeconds}s
    retry_interval = ${intervalSeconds}s
    address = "${url.hostname}"
    vars.http_address = "${url.hostname}"
    vars.http_port = ${url.port}
    vars.http_uri = ${path}
  }`
}

async function measure(child: ChildProcess, seconds: number): Promise<IcingaRound> {
  let done = 0
  let failure: string | null = null
  createInterface({ input: child.stdout as Readable }).on('line', (line) => {
    const exitCode = ENDED.exec(line)?.[1]
    if (exitCode === undefined) return
    if (exitCode === '0') done++
    else failure ??= line
  })
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  await until('icinga2 checks', () => {
    if (ended) throw new IcingaRefused('icinga2 ends as soon as it is started')
    return done >= WARM_UP_CHECKS || failure
  })
  const doneBefore = done
  const cpuBefore = treeCpuMicros(child.pid as number)
  const startedAt = performance.now()
  await delay(seconds * 1_000)
  const elapsedSeconds = (performance.now() - startedAt) / 1_000
  const cpuMicros = treeCpuMicros(child.pid as number) - cpuBefore
  if (failure !== null) throw new Error(`icinga2 did not find the target up: ${failure}`)
  return { done: done - doneBefore, elapsedSeconds, cpuMicros }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  if (child.exitCode === null && child.kill()) await exited
}

/** The user's name (`-un`) or group (`-gn`): unless told, it wants to become the one it was packaged for. */
function nameOf(flags: '-un' | '-gn'): string {
  return execFileSync('id', [flags], { encoding: 'utf8' }).trim()
}
