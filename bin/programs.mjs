// The programs that tests need and npm does not install: each has a file in test/programs, named after it.
import { spawnSync } from 'node:child_process'

/** A hanging program counts as missing. */
const PROBE_TIMEOUT_MS = 20_000

/** Each with a command that succeeds where it is installed. */
export const PROGRAMS = {
  caddy: 'caddy version',
  docker: 'docker compose version',
  fish: 'fish --version',
  go: 'go version',
  kubectl: 'kubectl version --client',
  nginx: 'nginx -v',
  pgbouncer: 'pgbouncer --version',
  php: 'php --version',
  promtool: 'promtool --version',
  python3: 'python3 --version',
  'systemd-analyze': 'systemd-analyze --version',
  zsh: 'zsh --version',
}

/** The names of those that are not installed, by the `PATH` of an environment. */
export function missingPrograms(env = process.env) {
  return Object.keys(PROGRAMS).filter((name) => {
    const [command, ...args] = PROGRAMS[name].split(' ')
    return spawnSync(command, args, { env, stdio: 'ignore', timeout: PROBE_TIMEOUT_MS }).status !== 0
  })
}
