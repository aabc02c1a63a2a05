// The programs that tests need and npm does not install: each has a file in test/programs, named after it.
import { spawnSync } from 'node:child_process'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'

/** Each with a command that succeeds where it is installed. */
export const PROGRAMS: Record<string, string> = {
  bash: 'bash --version',
  busybox: 'busybox true',
  caddy: 'caddy version',
  curl: 'curl --version',
  dash: 'dash -c true',
  docker: 'docker compose version',
  fish: 'fish --version',
  glances: 'python3 -c __import__("glances"),__import__("influxdb")',
  go: 'go version',
  haproxy: 'haproxy -v',
  kubectl: 'kubectl version --client',
  nft: 'nft --version',
  nginx: 'nginx -v',
  opentelemetry: 'npm ls --global @opentelemetry/host-metrics',
  orval: 'orval --version',
  patroni: 'dpkg -s etcd-server haproxy patroni pgbouncer postgresql-15',
  pgbackrest: 'dpkg -s etcd-server patroni pgbackrest postgresql-15',
  pgbouncer: 'pgbouncer --version',
  php: 'php --version',
  prlimit: 'prlimit --version',
  prometheus: 'dpkg -s prometheus prometheus-node-exporter',
  promtool: 'promtool --version',
  'python3-dateutil': 'python3 -c __import__("dateutil.rrule")',
  python3: 'python3 --version',
  shellcheck: 'shellcheck --version',
  'statuspage.io': 'npm ls --global statuspage.io',
  'statuspage.js': 'npm ls --global statuspage.js',
  'systemd-analyze': 'systemd-analyze --version',
  tini: 'tini --version',
  unshare: 'unshare -rmn true',
  zsh: 'zsh --version',
}

/** The names of those that are not installed, by the `PATH` of an environment. One that hangs counts as missing. */
export function missingPrograms(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.entries(PROGRAMS).flatMap(([name, line]) => {
    const [command = '', ...args] = line.split(' ')
    const { status } = spawnSync(command, args, { env, stdio: 'ignore', timeout: HANG_GUARD_MS })
    return status === 0 ? [] : [name]
  })
}
