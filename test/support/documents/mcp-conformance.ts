import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inheritedEnvironment } from '../environment.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'

const SUITE = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
)

/** The suite's result for one rule. */
export type Check = { scenario: string; id: string; status: string; errorMessage?: string }

/** Runs every scenario that the official conformance suite has for a revision against a server that asks for no token. */
export async function runConformance(url: string, revision: string): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'upbeat-mcp-'))
  try {
    const args = [SUITE, 'server', '--url', url, '--requirements', revision, '--output-dir', folder]
    args.push('--timeout', String(HANG_GUARD_MS))
    const printed = await run(args)
    const checks = await readChecks(folder)
    assert.ok(checks.length > 0, printed)
    return checks
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Its exit status only says whether anything failed; what did is in the files that it writes. */
function run(args: string[]): Promise<string> {
  const options = { env: inheritedEnvironment(), timeout: HANG_GUARD_MS, maxBuffer: 16_000_000 }
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (_error, out, err) => resolve(out + err))
  })
}

async function readChecks(folder: string): Promise<Check[]> {
  const checks = (await readdir(folder)).map(async (name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '')
    const found: Check[] = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'))
    return found.map(({ id, status, errorMessage }) => ({
      scenario,
      id,
      status,
      ...(errorMessage !== undefined && { errorMessage }),
    }))
  })
  return (await Promise.all(checks)).flat()
}
