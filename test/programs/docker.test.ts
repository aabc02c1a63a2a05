import { join } from 'node:path'
import { test } from 'node:test'
import { COMPOSE_ENVIRONMENT, COMPOSE_FILES, COMPOSE_FOLDER } from '../support/documents/compose-files.ts'
import { runProgram } from '../support/programs.ts'

for (const file of COMPOSE_FILES) {
  test(`docker compose takes ${file}`, () => {
    const { PATH = '' } = process.env
    // Docker may be there without it, and then says something else of what follows.
    runProgram('docker', ['compose', 'version'])
    const args = ['compose', '--file', join(COMPOSE_FOLDER, file), 'config', '--quiet']
    runProgram('docker', args, { env: { PATH, ...COMPOSE_ENVIRONMENT } })
  })
}
