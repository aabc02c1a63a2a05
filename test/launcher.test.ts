import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
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

  test('the service builds what has changed, other commands run what is there', async () => {
    const project = await installedProject()
    assert.equal(await builds(project), '')
    assert.equal((await runCommand(project, ['where'])).stdout, 'src/main.ts\n')

    await serveOnce(project)
    await serveOnce(project)
    assert.equal(await builds(project), 'dashboard release ')
    assert.match((await runCommand(project, ['where'])).stdout, /^dist\/[0-9a-f]{16}\/src\/main\.js\n$/)

    await writeFile(join(project, 'src/core/monitor.ts'), 'export const changed = true')
    const { stderr } = await serveOnce(project)
    assert.equal(await builds(project), 'dashboard release dashboard release ')
    assert.match(
      stderr,
      /Building the dashboard …\nBuilt in \d+ s\.\nBuilding the release …\nBuilt in \d+ s\./,
    )

    await writeFile(join(project, 'src/main.ts'), `${SERVICE}\n// changed`)
    assert.equal((await runCommand(project, ['where'])).stdout, 'src/main.ts\n')
    await serveOnce(project)
    assert.equal(await builds(project), 'dashboard release dashboard release release ')
  })

  test('a start reads no source while none has changed, and sees a change that hides its time', async () => {
    const project = await installedProject()
    const kept = join(project, '.cache/built')
    await until('a start that keeps what it built', async () => {
      await serveOnce(project)
      return (await readFile(kept, 'utf8')) !== ''
    })
    const [release = ''] = await readdir(join(project, 'dist'))
    await rename(join(project, 'dist', release), join(project, 'dist/another'))
    await writeFile(kept, (await readFile(kept, 'utf8')).replace(release, 'another'))
    assert.equal((await runCommand(project, ['where'])).stdout, 'dist/another/src/main.js\n')
    await serveOnce(project)
    assert.equal(await builds(project), 'dashboard release ')

    const source = join(project, 'src/main.ts')
    const { atime, mtime } = await stat(source)
    await writeFile(source, SERVICE.replace("'where'", "'wobei'"))
    await utimes(source, atime, mtime)
    await serveOnce(project)
    assert.equal(await builds(project), 'dashboard release release ')
  })

  test('a start without a place for what it knows reads the sources', async () => {
    const project = await installedProject()
    await mkdir(join(project, '.cache/built'), { recursive: true })
    await serveOnce(project)
    await serveOnce(project)
    assert.equal(await builds(project), 'dashboard release ')
  })

  test('a build that was not finished is not run', async () => {
    const project = await installedProject()
    await serveOnce(project)
    const [release = ''] = await readdir(join(project, 'dist'))
    await rm(join(project, 'dist', release, '.made-of'))
    await writeFile(join(project, 'dist', release, 'src/main.js'), 'half of')
    await mkdir(join(project, '.cache/build/src'), { recursive: true })
    await writeFile(join(project, '.cache/build/src/left.js'), 'half of')

    await serveOnce(project)
    assert.equal(await builds(project), 'dashboard release release ')
    assert.deepEqual(await readdir(join(project, 'dist')), [release])
    assert.deepEqual(await readdir(join(project, 'dist', release, 'src')), ['main.js'])
  })

  test('of two starts at the same time one builds, and both serve', async () => {
    const project = await installedProject()
    await Promise.all([serveOnce(project), serveOnce(project)])
    assert.equal(await builds(project), 'dashboard release ')
  })

  test('a service keeps the release that it began with, and the oldest ones go', async () => {
    const project = await installedProject()
    const launcher = start(project, ['serve'])
    const finished = finish(launcher)
    await once(launcher.stdout, 'data')
    const [first = ''] = await readdir(join(project, 'dist'))
    for (const change of [1, 2]) {
      await writeFile(join(project, 'src/main.ts'), `${SERVICE}\n// ${change}`)
      await serveOnce(project)
      assert.ok(existsSync(join(project, 'dist', first, 'src/main.js')))
    }
    launcher.kill('SIGTERM')
    await finished
    await writeFile(join(project, 'src/main.ts'), `${SERVICE}\n// 3`)
    await serveOnce(project)
    assert.equal((await readdir(join(project, 'dist'))).length, 3)
    assert.ok(!existsSync(join(project, 'dist', first)))
  })

  test('a build that fails ends the start with what it said', async () => {
    for (const [file, what] of [
      ['dashboard/main.tsx', 'The dashboard'],
      ['src/main.ts', 'The release'],
    ] as const) {
      const project = await installedProject()
      await writeFile(join(project, file), 'broken')
      const { code, stdout, stderr } = await runCommand(project, ['serve'])
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.match(
        stderr,
        new RegExp(`${what} could not be built \\(1\\)\\. The build said:[^]+Error: it is broken`),
      )
      assert.equal(existsSync(join(project, '.cache/install.lock')), false)
    }
  })
})

const SERVICE = `
import { renameSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
const [command] = process.argv.slice(2)
const end = (why, code) => {
  writeFileSync('ended.new', why)
  renameSync('ended.new', 'ended')
  process.exit(code)
}
if (command === 'where') console.log(relative(process.cwd(), import.meta.filename))
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
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(installed) }))
`

async function makeProject({ installs = 'what is asked for' } = {}): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'upbeat-bin-'))
  temporary.push(project)
  await cp(BIN, join(project, 'bin'), { recursive: true })
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  await addSources(project)
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

/** Stand in for the builds: each notes that it ran, and fails on a source that says so. */
const BUILD_DASHBOARD = `
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
const [, , , , option, folder] = process.argv
if (readFileSync('dashboard/main.tsx', 'utf8') === 'broken') throw new Error('it is broken')
appendFileSync('builds', 'dashboard ')
if (option === '--outDir') mkdirSync(folder, { recursive: true })
`
const BUILD_RELEASE = `
import { appendFileSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
const [, , folder] = process.argv
if (readFileSync('src/main.ts', 'utf8') === 'broken') throw new Error('it is broken')
appendFileSync('builds', 'release ')
mkdirSync(folder + '/src', { recursive: true })
copyFileSync('src/main.ts', folder + '/src/main.js')
`

async function addSources(project: string): Promise<void> {
  for (const folder of ['dashboard', 'src/core', 'node_modules/vite/bin']) {
    await mkdir(join(project, folder), { recursive: true })
  }
  await writeFile(join(project, 'dashboard/main.tsx'), '')
  await writeFile(join(project, 'src/core/monitor.ts'), '')
  await writeFile(join(project, 'src/main.ts'), SERVICE)
  await writeFile(join(project, 'node_modules/vite/package.json'), '{"type":"module"}')
  await writeFile(join(project, 'node_modules/vite/bin/vite.js'), BUILD_DASHBOARD)
  await writeFile(join(project, 'bin/bundle.mjs'), BUILD_RELEASE)
}

/** The builds so far, in order. */
async function builds(project: string): Promise<string> {
  return await readFile(join(project, 'builds'), 'utf8').catch(() => '')
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
