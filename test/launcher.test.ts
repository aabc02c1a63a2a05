import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from './support/until.ts'

const BIN = fileURLToPath(new URL('../bin', import.meta.url))
const temporary: string[] = []
let installed: Promise<string> | undefined

after(async () => {
  for (const directory of temporary) await rm(directory, { recursive: true, force: true })
})

const LOCK = {
  '': { optionalDependencies: { [`node-${process.platform}`]: '1.0.0', 'node-elsewhere': '1.0.0' } },
  'node_modules/needed': { version: '1.0.0' },
  'node_modules/tool': { version: '1.0.0', dev: true },
  [`node_modules/node-${process.platform}`]: { version: '1.0.0', optional: true, os: [process.platform] },
  'node_modules/node-elsewhere': { version: '1.0.0', optional: true, os: ['nowhere'] },
}

describe('the launcher', { concurrency: true }, () => {
  test('the first start installs what is locked, the second does nothing', async () => {
    const project = await makeProject()
    const first = await runCommand(project, ['say', 'hello'])
    assert.equal(first.stdout, 'say hello\n')
    assert.match(first.stderr, /Installing the locked dependencies/)
    assert.deepEqual(await installations(project), ['--omit=dev'])

    const second = await runCommand(project, ['say', 'hello'])
    assert.deepEqual({ ...second }, { stdout: 'say hello\n', stderr: '', code: 0, signal: null })
    assert.ok(existsSync(join(project, 'node_modules/.bin/upbeat')), 'npx finds the command')
  })

  test('a package that is missing, or has another version than locked, is installed again', async () => {
    const project = await makeProject()
    await runCommand(project, ['say'])
    await rm(join(project, 'node_modules/needed'), { recursive: true })
    await runCommand(project, ['say'])
    await writeLock(project, { ...LOCK, 'node_modules/needed': { version: '1.0.1' } })
    await runCommand(project, ['say'])
    assert.equal((await installations(project)).length, 3)
  })

  test('a start keeps the packages of the tests', async () => {
    const project = await makeProject({ installs: 'everything' })
    await runCommand(project, ['say'])
    await writeLock(project, { ...LOCK, 'node_modules/needed': { version: '1.0.1' } })
    await runCommand(project, ['say'])
    assert.deepEqual(await installations(project), ['--omit=dev', '--include=dev'])
  })

  test('an installation without the tests keeps no files that nothing reads when it runs', async () => {
    const project = await makeProject()
    const needed = join(project, 'node_modules/needed')
    await runCommand(project, ['say'])
    const kept = ['LICENSE.md', 'index.js', 'package.json']
    assert.deepEqual((await readdir(needed)).sort(), kept)

    const others = ['README.md', 'include', 'index.d.ts', 'index.js.map']
    const developers = await makeProject({ installs: 'everything' })
    await runCommand(developers, ['say'])
    await writeLock(developers, { ...LOCK, 'node_modules/needed': { version: '1.0.1' } })
    await runCommand(developers, ['say'])
    assert.deepEqual(
      (await readdir(join(developers, 'node_modules/needed'))).sort(),
      [...kept, ...others].sort(),
      'type checks and editors read the types',
    )
  })

  test('an installation makes one module of the many of a package, or leaves it as it is', async () => {
    const project = await makeProject()
    const dist = join(project, 'node_modules/kysely/dist')
    await mkdir(dist, { recursive: true })
    await symlink(join(BIN, '../node_modules/vite'), join(project, 'node_modules/vite'))
    const joinModules = () =>
      execFileSync(process.execPath, ['--input-type=module', '-e', JOIN_MODULES], { cwd: project })
    const entry = "export { name } from './name.js'\n"
    await writeFile(join(dist, 'index.js'), entry)
    joinModules()
    assert.equal(await readFile(join(dist, 'index.js'), 'utf8'), entry, 'a module of it is missing')

    await writeFile(join(dist, 'name.js'), "export const name = 'Kysely'\n")
    joinModules()
    await rm(join(dist, 'name.js'))
    const { name } = await import(join(dist, 'index.js'))
    assert.equal(name, 'Kysely')
  })

  test('of two starts at the same time one installs and the other waits', async () => {
    const project = await makeProject()
    const both = await Promise.all([runCommand(project, ['say']), runCommand(project, ['say'])])
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    )
    assert.equal((await installations(project)).length, 1)
  })

  test('an installation that fails ends with what npm said', async () => {
    const project = await makeProject({ installs: 'nothing' })
    const { code, stdout, stderr } = await runCommand(project, ['say'])
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /npm error network/)
    assert.equal(existsSync(join(project, '.cache/install.lock')), false)
  })

  test('an installation that does not end when it is told to is ended', async () => {
    const project = await makeProject({ installs: 'for ever' })
    const launcher = start(project, ['serve'])
    const finished = finish(launcher)
    await until('npm to run', () => existsSync(join(project, 'installations')))
    launcher.kill('SIGTERM')
    assert.equal((await finished).code, 128 + constants.signals.SIGTERM)
    assert.equal(existsSync(join(project, '.cache/install.lock')), false)
  })

  test('a signal reaches the service once, and its exit code becomes ours', async () => {
    const project = await installedProject()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const launcher = start(project, ['serve'])
      await once(launcher.stdout, 'data')
      // npm and a terminal may both send it.
      launcher.kill(signal)
      launcher.kill(signal)
      const { code, stdout } = await finish(launcher)
      assert.equal(code, 7)
      assert.equal(stdout, `${signal}\n`)
    }
  })

  test('the signal of which the service dies becomes ours', async () => {
    assert.equal((await runCommand(await installedProject(), ['die'])).signal, 'SIGKILL')
  })

  test('a launcher that is killed takes the service with it', async () => {
    const project = await installedProject()
    const launcher = start(project, ['serve'])
    await once(launcher.stdout, 'data')
    launcher.kill('SIGKILL')
    await until('the end of the service', () => existsSync(join(project, 'ended')))
    assert.equal(await readFile(join(project, 'ended'), 'utf8'), 'disconnect')
  })

  test('a service that npm started stops when npm is killed', async () => {
    const project = await installedProject()
    const shell = spawn('/bin/sh', ['-c', `"$0" bin/upbeat.mjs serve & wait`, process.execPath], {
      cwd: project,
      env: { ...environment(project), npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(shell.stdout, 'data')
    shell.kill('SIGKILL')
    await until('the end of the service', () => existsSync(join(project, 'ended')))
    assert.equal(await readFile(join(project, 'ended'), 'utf8'), 'SIGTERM')
  })

  test('the service builds the dashboard when its sources have changed, other commands never do', async () => {
    const project = await installedProject()
    await addDashboardSources(project)
    await runCommand(project, ['say'])
    assert.equal(existsSync(join(project, 'builds')), false)

    await serveOnce(project)
    await serveOnce(project)
    assert.equal(await readFile(join(project, 'builds'), 'utf8'), 'build dashboard\n')

    await writeFile(join(project, 'src/core/monitor.ts'), 'export const changed = true')
    const { stderr } = await serveOnce(project)
    assert.equal(await readFile(join(project, 'builds'), 'utf8'), 'build dashboard\nbuild dashboard\n')
    assert.match(stderr, /Building the dashboard …\nBuilt in \d+ s\./)
  })

  test('a dashboard that cannot be built ends the start with what the build said', async () => {
    const project = await installedProject()
    await addDashboardSources(project)
    await writeFile(join(project, 'dashboard/main.tsx'), 'broken')
    const { code, stdout, stderr } = await runCommand(project, ['serve'])
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /could not be built \(1\)\. The build said:\s+main\.tsx is broken/)
    assert.equal(existsSync(join(project, '.cache/install.lock')), false)
  })
})

const SERVICE = `
import { renameSync, writeFileSync } from 'node:fs'
const [command] = process.argv.slice(2)
const end = (why, code) => {
  writeFileSync('ended.new', why)
  renameSync('ended.new', 'ended')
  process.exit(code)
}
if (command === 'say') console.log(process.argv.slice(2).join(' '))
if (command === 'die') process.kill(process.pid, 'SIGKILL')
if (command === 'serve') {
  setInterval(() => {}, 1_000)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      console.log(signal)
      setTimeout(end, 100, signal, 7)
    })
  }
  process.once('disconnect', () => end('disconnect', 0))
  process.channel.unref()
  console.log(process.pid)
}`

const JOIN_MODULES = "(await import('./bin/one-module.mjs')).makeKyselyOneModule(process.cwd())"

/** Stands in for npm: notes how it was called, and installs packages with nothing to run. */
const NPM = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
if (process.env.FAKE_INSTALLS === 'for ever') {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1e6)
}
const everything = process.env.FAKE_INSTALLS === 'everything' || process.argv.includes('--include=dev')
appendFileSync('installations', process.argv[3] + '\\n')
if (process.env.FAKE_INSTALLS === 'for ever') return
if (process.env.FAKE_INSTALLS === 'nothing') {
  console.error('npm error network')
  process.exit(1)
}
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const installed = Object.entries(packages).filter(
  ([path, { dev, os }]) => path && (everything || !dev) && (!os || os.includes(process.platform)))
for (const [path] of installed) {
  mkdirSync(path, { recursive: true })
  writeFileSync(path + '/package.json', '{}')
  mkdirSync(path + '/include', { recursive: true })
  for (const name of ['LICENSE.md', 'index.js', 'index.d.ts', 'index.js.map', 'README.md', 'include/it.h'])
    writeFileSync(path + '/' + name, '')
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(installed) }))
`

async function makeProject({ installs = 'what is asked for' } = {}): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'upbeat-bin-'))
  temporary.push(project)
  await cp(BIN, join(project, 'bin'), { recursive: true })
  await mkdir(join(project, 'src'))
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  await writeFile(join(project, 'src/main.ts'), SERVICE)
  await mkdir(join(project, 'npm'))
  await writeFile(join(project, 'npm/package.json'), '{"type":"commonjs"}')
  await writeFile(join(project, 'npm/npm-cli.js'), `process.env.FAKE_INSTALLS = '${installs}'\n${NPM}`)
  await writeLock(project, LOCK)
  return project
}

/** One in which everything is installed already. */
async function installedProject(): Promise<string> {
  installed ??= makeProject().then(async (project) => {
    await runCommand(project, ['say'])
    return project
  })
  const project = await mkdtemp(join(tmpdir(), 'upbeat-bin-'))
  temporary.push(project)
  await cp(await installed, project, { recursive: true })
  return project
}

/** Stands in for the build: notes how it was called, and fails on a source that says so. */
const BUILD = `
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
if (readFileSync('dashboard/main.tsx', 'utf8') === 'broken') {
  console.error('main.tsx is broken')
  process.exit(1)
}
appendFileSync('builds', process.argv.slice(2, 4).join(' ') + '\\n')
mkdirSync('dashboard/dist', { recursive: true })
`

async function addDashboardSources(project: string): Promise<void> {
  for (const folder of ['dashboard', 'src/core', 'node_modules/vite/bin']) {
    await mkdir(join(project, folder), { recursive: true })
  }
  await writeFile(join(project, 'dashboard/vite.config.ts'), '')
  await writeFile(join(project, 'dashboard/main.tsx'), '')
  await writeFile(join(project, 'src/core/monitor.ts'), '')
  await writeFile(join(project, 'node_modules/vite/package.json'), '{"type":"module"}')
  await writeFile(join(project, 'node_modules/vite/bin/vite.js'), BUILD)
}

async function serveOnce(project: string) {
  const launcher = start(project, ['serve'])
  const finished = finish(launcher)
  await once(launcher.stdout, 'data')
  launcher.kill('SIGTERM')
  return finished
}

async function writeLock(project: string, packages: object): Promise<void> {
  await writeFile(join(project, 'package-lock.json'), JSON.stringify({ packages }))
}

async function installations(project: string): Promise<string[]> {
  return (await readFile(join(project, 'installations'), 'utf8')).trim().split('\n')
}

/** The environment of the launcher; variables that npm sets for our own tests must not leak into it. */
function environment(project: string): Record<string, string> {
  return { PATH: '/usr/bin:/bin', npm_execpath: join(project, 'npm/npm-cli.js') }
}

function start(project: string, args: string[]) {
  return spawn(process.execPath, ['bin/upbeat.mjs', ...args], {
    cwd: project,
    env: environment(project),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function runCommand(project: string, args: string[]) {
  const launcher = start(project, args)
  return finish(launcher)
}

async function finish(launcher: ChildProcess) {
  let stdout = ''
  let stderr = ''
  launcher.stdout?.on('data', (data) => {
    stdout += data
  })
  launcher.stderr?.on('data', (data) => {
    stderr += data
  })
  const [code, signal] = (await once(launcher, 'close')) as [number | null, NodeJS.Signals | null]
  return { stdout, stderr, code, signal }
}
