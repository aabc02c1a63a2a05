import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromiumProgram } from './chromium-program.ts'

/** The browser as an operator would name it where there is no sandbox, as for root: a script that adds a flag. */
export async function chromiumScript(): Promise<string> {
  const program = await chromiumProgram()
  const script = join(dirname(program), 'without-sandbox.sh')
  if (existsSync(script)) return script
  const made = `${script}.${process.pid}`
  writeFileSync(made, `#!/bin/sh\nexec '${program}' --no-sandbox --disable-dev-shm-usage "$@"\n`)
  chmodSync(made, 0o755)
  renameSync(made, script)
  return script
}
