import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { inheritedEnvironment } from '../environment.ts'
import { freePort } from '../free-port.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { until } from '../until.ts'
import { readDockerfile, type Step } from './dockerfile.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** It has a name in every system, and no rights. */
const NOBODY = 65_534

/**
 * Carries out the Dockerfile in plain folders: its COPY lines as they stand, packages from where they are installed
 * already, and its own commands as a user without rights. `started` is how its ENTRYPOINT is started.
 */
export function describeImage(what: string, started: (entryPoint: string[]) => string[]): void {
  describe(what, () => {
    const { stages } = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
    const [build = [], image = []] = stages
    const isRoot = process.geteuid?.() === 0
    let folder = ''
    let env: Record<string, string>
    let port: number
    let service: ChildProcess | undefined

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'upbeat-image-'))
      chmodSync(folder, 0o755)
      mkdirSync(join(folder, 'data'), { mode: 0o700 })
      if (isRoot) chownSync(join(folder, 'data'), NOBODY, NOBODY)
      port = await freePort()
      env = { ...inheritedEnvironment(), ...settings(image), HOST: '127.0.0.1', PORT: String(port) }
      // tini does this by default as the first process of a container.
      env.TINI_SUBREAPER = '1'
      mkdirSync(join(ROOT, '.cache'), { recursive: true })
      const works = mkdtempSync(join(ROOT, '.cache/image-'))
      try {
        for (const step of build) follow(step, works)
      } finally {
        rmSync(works, { recursive: true })
      }
    })
    after(() => {
      service?.kill('SIGKILL')
      if (folder) rmSync(folder, { recursive: true })
    })

    it('holds no package that only builds or tests', () => {
      for (const name of ['vite', 'react', 'tailwindcss', 'typescript', '@biomejs']) {
        assert.ok(!existsSync(join(folder, 'app/node_modules', name)), name)
      }
      assert.ok(existsSync(join(folder, 'app/node_modules/koffi')))
    })

    it('holds a release instead of sources, and of packages what is outside of its bundles', () => {
      const files = readdirSync(join(folder, 'app'), { recursive: true, encoding: 'utf8' })
      assert.deepEqual(
        files.filter((file) => file.endsWith('.ts') && !file.startsWith('node_modules')),
        [],
      )
      for (const name of ['zod', 'hono', 'pg', 'kysely', 'rolldown']) {
        assert.ok(!existsSync(join(folder, 'app/node_modules', name)), name)
      }
    })

    it('holds what decodes logos, for its platform', () => {
      const library = join(folder, 'app/node_modules/sharp/dist/index.mjs')
      const program = `const { default: sharp } = await import(${JSON.stringify(library)}); console.log(typeof sharp)`
      const said = runAs(['node', '--input-type=module', '--eval', program])
      assert.equal(said.stdout, 'function\n', said.stderr)
    })

    it('serves, says that it is well, and takes commands', { timeout: HANG_GUARD_MS }, async () => {
      service = spawnAs([...started(listOf(image, 'ENTRYPOINT')), ...listOf(image, 'CMD')])
      const address = `http://127.0.0.1:${port}`
      await until('the service to answer', async () => {
        assert.deepEqual([service?.exitCode, service?.signalCode], [null, null], 'it goes on')
        return fetch(`${address}/health/live`).catch(() => null)
      })
      await until('its health check to pass', isWell)
      for (const path of ['/', '/docs', '/api/v1/openapi.json', '/health/live']) {
        assert.equal((await fetch(`${address}${path}`)).status, 200, path)
      }
      await until('the doctor to find no fault', () => {
        const said = runAs(['upbeat', 'doctor'])
        assert.match(said.stdout, /database.*PostgreSQL/)
        return said.status === 0
      })
      const copies = readdirSync(join(folder, 'data')).filter((name) => /^postgres-\d/.test(name))
      assert.deepEqual(copies, [], 'the server runs from the image')
    })

    it('stops in order', { timeout: HANG_GUARD_MS }, async () => {
      const running = service as ChildProcess
      await until('its health check to pass', isWell)
      const ended = once(running, 'exit')
      running.kill((image.find(({ name }) => name === 'STOPSIGNAL')?.args ?? '') as NodeJS.Signals)
      assert.deepEqual(await ended, [0, null])
      assert.ok(!isWell())
      assert.ok(!existsSync(join(folder, 'data/postgres/postmaster.pid')))
    })

    function follow({ name, args }: Step, works: string): void {
      if (name === 'COPY') {
        const paths = args.split(/\s+/)
        const target = paths.pop() ?? ''
        for (const path of paths) copy(path, join(works, target, target.endsWith('/') ? base(path) : ''))
      } else if (args.startsWith('npm ci')) {
        assert.equal(args, 'npm ci --omit=dev --ignore-scripts')
        for (const path of lockedForRunning()) {
          mkdirSync(dirname(join(works, path)), { recursive: true })
          symlinkSync(join(ROOT, path), join(works, path))
        }
      } else if (name === 'RUN') {
        execFileSync('/bin/sh', ['-euc', inFolder(args)], { cwd: works, env: withOurNode(), stdio: 'pipe' })
      } else {
        assert.ok(name === 'FROM' || name === 'WORKDIR', name)
      }
    }

    function copy(path: string, target: string): void {
      mkdirSync(dirname(target), { recursive: true })
      const ignored = join(ROOT, 'dashboard/dist')
      cpSync(join(ROOT, path), target, { recursive: true, filter: (source) => source !== ignored })
    }

    /** The build's Node is any of our version. */
    function withOurNode(): Record<string, string> {
      const { PATH = '' } = process.env
      return { PATH: `${dirname(process.execPath)}:${PATH}` }
    }

    /** A path of the image, or of the build, as it is here. */
    function inFolder(text: string): string {
      return text.replaceAll(/\/(image|app|data)\b/g, (_path, name) =>
        join(folder, name === 'data' ? name : 'app'),
      )
    }

    function settings(steps: Step[]): Record<string, string> {
      const said = steps.filter(({ name }) => name === 'ENV').flatMap(({ args }) => args.split(/\s+/))
      const pairs = said.map((pair) => pair.split('=') as [string, string])
      const { PATH = '' } = process.env
      return Object.fromEntries(pairs.map(([key, value]) => [key, inFolder(value).replace('$PATH', PATH)]))
    }

    function isWell(): boolean {
      const check = image.find(({ name }) => name === 'HEALTHCHECK')?.args ?? ''
      return runAs(JSON.parse(check.slice(check.indexOf('['))) as string[]).status === 0
    }

    function spawnAs([command = '', ...args]: string[]): ChildProcess {
      return spawn(command, args, { ...who(), stdio: ['ignore', 'ignore', 'inherit'] })
    }

    function runAs([command = '', ...args]: string[]) {
      return spawnSync(command, args, { ...who(), encoding: 'utf8', timeout: HANG_GUARD_MS })
    }

    function who() {
      const credentials = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
      return { ...credentials, env, cwd: join(folder, 'data') }
    }
  })
}

function listOf(steps: Step[], name: string): string[] {
  return JSON.parse(steps.find((step) => step.name === name)?.args ?? '[]') as string[]
}

/** The packages that `npm ci --omit=dev` installs, as far as they are for this platform. */
function lockedForRunning(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  return Object.entries(packages).flatMap(([path, { dev, devOptional }]) => {
    const isWanted = path !== '' && !dev && !devOptional && !path.slice(13).includes('/node_modules/')
    return isWanted && existsSync(join(ROOT, path)) ? [path] : []
  })
}

function base(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
