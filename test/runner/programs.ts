// The programs that tests need and npm does not install: each has a file in test/programs, named after it.
import { spawn } from 'node:child_process'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'

/** Each with a command that succeeds where it is installed. */
export const PROGRAMS: Record<string, string> = {
  bash: 'bash --version',
  // The static one runs its own programs whatever PATH says, and would install an agent on this machine.
  busybox: 'dpkg -s busybox',
  caddy: 'caddy version',
  chronyd: 'chronyd --version',
  curl: 'curl --version',
  dash: 'dash -c true',
  docker: 'docker compose version',
  dockerd: 'dpkg -s docker.io busybox-static',
  dovecot: 'dpkg -s dovecot-imapd dovecot-pop3d',
  fish: 'fish --version',
  freeradius: 'freeradius -v',
  glances: 'python3 -c __import__("glances"),__import__("influxdb")',
  go: 'go version',
  haproxy: 'haproxy -v',
  kamailio: 'kamailio -v',
  kubectl: 'kubectl version --client',
  mariadb: 'mariadbd --version',
  mosquitto: 'dpkg -s mosquitto',
  'nats-server': 'nats-server --version',
  nft: 'nft --version',
  nginx: 'nginx -v',
  'openssh-server': 'dpkg -s openssh-server',
  opentelemetry: 'npm ls --global @opentelemetry/host-metrics',
  orval: 'orval --version',
  patroni: 'dpkg -s etcd-server haproxy patroni pgbouncer postgresql-15',
  pgbackrest: 'dpkg -s etcd-server patroni pgbackrest postgresql-15',
  pgbouncer: 'pgbouncer --version',
  php: 'php --version',
  postfix: 'dpkg -s postfix',
  prlimit: 'prlimit --version',
  prometheus: 'dpkg -s prometheus prometheus-node-exporter',
  promtool: 'promtool --version',
  'python3-dateutil': 'python3 -c __import__("dateutil.rrule")',
  python3: 'python3 --version',
  'rabbitmq-server': 'dpkg -s rabbitmq-server',
  redis: 'redis-server --version',
  shellcheck: 'shellcheck --version',
  slapd: 'dpkg -s slapd',
  snmpd: 'snmpd -v',
  'statuspage.io': 'npm ls --global statuspage.io',
  'statuspage.js': 'npm ls --global statuspage.js',
  'systemd-analyze': 'systemd-analyze --version',
  tini: 'tini --version',
  unbound: 'unbound -V',
  unshare: 'unshare -rmn true',
  vsftpd: 'dpkg -s vsftpd',
  zsh: 'zsh --version',
}

/**
 * The names of those that are not installed, by the `PATH` of an environment. One that hangs counts as missing. All are asked
 * at once: nothing else runs meanwhile.
 */
export async function missingPrograms(env: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  const names = Object.keys(PROGRAMS)
  const found = await Promise.all(Object.values(PROGRAMS).map((line) => succeeds(line, env)))
  return names.filter((_, i) => !found[i])
}

function succeeds(line: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [command = '', ...args] = line.split(' ')
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: 'ignore', timeout: HANG_GUARD_MS })
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}
