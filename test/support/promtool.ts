import { execFile, execFileSync } from 'node:child_process'

/** Prometheus's own judge of its formats, where it is installed (Debian: the package `prometheus`). */
export const HAS_PROMTOOL = isInstalled()

function isInstalled(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What it complains about; nothing where all is well. */
export function promtool(args: string[], input = ''): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile('promtool', args, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}${error.message}` : stderr)
    })
    child.stdin?.end(input)
  })
}
