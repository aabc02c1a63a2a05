import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksIn } from '../support/documents/docs-blocks.ts'
import { runProgram } from '../support/programs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const [documented, ...others] = blocksIn('caddy')
const deployed = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8')

for (const [what, text] of Object.entries({ documentation: documented?.text, deployment: deployed })) {
  test(`Caddy takes the site of the ${what}`, (context) => {
    assert.ok(text && others.length === 0)
    const folder = temporaryFolder(context)
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, text)
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    runProgram('caddy', ['adapt', '--validate', '--adapter', 'caddyfile', '--config', file], { env })
  })
}
